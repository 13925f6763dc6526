# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Ops of random programs that read more than their own place: windows, convolutions and pools,
# stencils of shifted slices, rolls, scans, choices. It knows what programs mean, not how they compile.
"""Mixed into the graphs of gen.py, which has the values, the text and the random streams."""

import math

# Named ops: the letters of input, kernel and result. A small letter that input and result share
# is windowed if the kernel has it as a capital one.
NAMED = {
    "conv_1d": ("w", "W", "w"), "conv_2d": ("hw", "HW", "hw"), "conv_3d": ("dhw", "DHW", "dhw"),
    "conv_1d_nwc_wcf": ("nwc", "Wcf", "nwf"), "conv_1d_ncw_fcw": ("ncw", "fcW", "nfw"),
    "conv_2d_nhwc_hwcf": ("nhwc", "HWcf", "nhwf"), "conv_2d_nchw_fchw": ("nchw", "fcHW", "nfhw"),
    "depthwise_conv_1d_nwc_wc": ("nwc", "Wc", "nwc"),
    "depthwise_conv_2d_nhwc_hwc": ("nhwc", "HWc", "nhwc"),
    "pooling_nwc_sum": ("nwc", "W", "nwc"), "pooling_nhwc_sum": ("nhwc", "HW", "nhwc"),
    "pooling_nhwc_max": ("nhwc", "HW", "nhwc"), "pooling_nchw_max": ("nchw", "HW", "nchw"),
}
LARGEST_WINDOW = 6
MOST_BETWEEN = 1500  # elements of what grows between reversals


def affine(terms, offset):
    """An index expression of (loop, stride) and a constant."""
    parts = [f"d{loop}" if stride == 1 else f"d{loop} * {stride}" for loop, stride in terms]
    return " + ".join(parts + ([str(offset)] if offset or not parts else []))


class Windows:
    def window(self, n):
        """Of a dimension of n elements: extents of result and kernel, stride, dilation, offset."""
        k = self.rng.randint(1, min(n, self.rng.choice([2, 3, 3, LARGEST_WINDOW])))
        dilation = self.rng.choice([1, 1, 1, 2, 3]) if k > 1 else 1
        dilation = min(dilation, (n - 1) // (k - 1) if k > 1 else 1)
        stride, left = self.rng.choice([1, 1, 1, 2, 3]), n - 1 - (k - 1) * dilation
        offset = self.rng.choice([0, 0, 0, self.rng.randint(0, left)])
        most = (left - offset) // stride + 1
        size = most if self.rng.random() < 0.7 else self.rng.randint(1, most)
        return size, k, stride, dilation, offset

    def mapped(self, maps, kinds, inputs, init, shape, body, scale, given="%r"):
        """A generic of one result, whose maps are texts; the body gives `given`."""
        names = ", ".join(f"d{i}" for i in range(len(kinds)))
        texts = ", ".join(f"affine_map<({names}) -> ({', '.join(m)})>" for m in maps)
        loops = ", ".join(f'"{k}"' for k in kinds)
        ty, name = self.type(shape), self.fresh()
        ins = f" ins({', '.join(n for n, _ in inputs)} : " \
            f"{', '.join(self.type(s) for _, s in inputs)})"
        self.emit(f"{name} = linalg.generic {{indexing_maps = [{texts}], iterator_types = "
                  f"[{loops}]}}{ins} outs({init} : {ty}) {{")
        arguments = [f"%x{i}: {self.element}" for i in range(len(inputs))]
        self.emit(f"^bb0({', '.join(arguments)}, %o0: {self.element}):")
        for line in body:
            self.emit("  " + line)
        self.emit(f"  linalg.yield {given} : {self.element}")
        self.emit(f"}} -> {ty}")
        return self.keep_small(self.new_value(name, shape, scale))

    def op_window(self):
        """A generic that sums, or reduces otherwise, over windows of some dimensions; the result's
        dimensions in any order. Of a kernel of one element it only shifts and strides."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape:
            return
        rank = len(a.shape)
        slid = set(self.rng.sample(range(rank), self.rng.randint(1, min(rank, 2))))
        reads, loops, kernel, kernel_loops = [], [], [], []
        for d, n in enumerate(a.shape):
            if d not in slid:
                reads.append(f"d{d}")
                loops.append(n)
                continue
            size, k, stride, dilation, offset = self.window(n)
            loops.append(size)
            kernel.append(k)
            kernel_loops.append(rank + len(kernel) - 1)
            reads.append(affine([(d, stride), (kernel_loops[-1], dilation)], offset))
        out = list(range(rank))
        self.rng.shuffle(out)
        shape = [loops[d] for d in out]
        count = 1
        for k in kernel:
            count *= k
        w = self.find(kernel, 0.5)
        kind, neutral, result = self.reduction(a, count)
        body = [f"%r = {kind} %o0, %x0 : {self.element}"]
        if self.rng.random() < 0.6:
            kind, neutral, result = self.kit["add"], self.kit["zero"], count * a.scale * w.scale
            body = [f"%p = {self.kit['mul']} %x0, %x1 : {self.element}",
                    f"%r = {kind} %o0, %p : {self.element}"]
        init, scale = self.start(shape, neutral)
        ends = [f"d{d}" for d in out]
        self.mapped([reads, [f"d{l}" for l in kernel_loops], ends],
                    ["parallel"] * rank + ["reduction"] * len(kernel),
                    [(self.use(a), a.shape), (self.use(w), w.shape)], init, shape, body,
                    self.scale(kind, result, scale))

    def summed(self, name, terms, offset):
        """Lines that compute %name, a sum of steps of loops and a number, in one of several words."""
        kind = self.rng.choice(["index", "index", "affine", "i32"])
        lines = [f"%{name}l{i} = linalg.index {loop} : index" for i, (loop, _) in enumerate(terms)]
        if kind == "affine":
            dims = ", ".join(f"d{i}" for i in range(len(terms)))
            sum_of = affine([(i, step) for i, (_, step) in enumerate(terms)], offset)
            given = ", ".join(f"%{name}l{i}" for i in range(len(terms)))
            return lines + [f"%{name} = affine.apply affine_map<({dims}) -> ({sum_of})>({given})"]
        total, cast = f"%{name}c", "" if kind == "index" else "w"
        lines.append(f"{total} = arith.constant {offset} : {kind}")
        for i, (_, step) in enumerate(terms):
            if cast:
                lines.append(f"%{name}l{i}w = arith.index_cast %{name}l{i} : index to {kind}")
            less = step < 0 and self.rng.random() < 0.5
            lines += [f"%{name}f{i} = arith.constant {-step if less else step} : {kind}",
                      f"%{name}p{i} = arith.muli %{name}l{i}{cast}, %{name}f{i} : {kind}",
                      f"%{name}s{i} = arith.{'subi' if less else 'addi'} {total}, %{name}p{i} : {kind}"]
            total = f"%{name}s{i}"
        if cast:
            return lines + [f"%{name} = arith.index_cast {total} : {kind} to index"]
        return lines + [f"%{name}z = arith.constant 0 : index",
                        f"%{name} = arith.addi {total}, %{name}z : index"]

    def op_window_read(self):
        """A body that reads a tensor of its own accord at sums of its loops' indices; those of the
        kernel reduce, or are dimensions of the result, or the others do (sums at shifts). Other
        dimensions are read in part, at one place, or as they are."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape:
            return
        slid = set(self.rng.sample(range(len(a.shape)), self.rng.randint(1, min(len(a.shape), 2))))
        places, loops, kernel = [], [], []
        for d, n in enumerate(a.shape):
            if d in slid:
                size, k, stride, step, offset = self.window(n)
                if self.rng.random() < 0.25:
                    offset, step = offset + (k - 1) * step, -step
                places.append(([(len(loops), stride), (-1 - len(kernel), step)], offset))
                kernel.append(k)
            elif self.rng.random() < 0.15:
                places.append(([], self.rng.randrange(n)))
                continue
            else:
                size = n if self.rng.random() < 0.7 else self.rng.randint(1, n)
                places.append(([(len(loops), 1)], self.rng.choice([0, n - size])))
            loops.append(size)
        rank = len(loops)
        places = [([(rank - 1 - l if l < 0 else l, step) for l, step in terms], offset)
                  for terms, offset in places]
        reduces = math.prod(loops + kernel) > MOST_BETWEEN or self.rng.random() < 0.6
        extents, along = loops + kernel, list(range(rank, rank + len(kernel)))
        if reduces and self.rng.random() < 0.2:
            along = [min(d for d, _ in terms) for terms, _ in places if len(terms) == 2]
        out = [d for d in range(len(extents)) if not (reduces and d in along)]
        self.rng.shuffle(out)
        shape = [extents[d] for d in out]
        w = self.find([extents[d] for d in along], 0.5)
        body = [line for d, place in enumerate(places) for line in self.summed(f"t{d}", *place)]
        at = ", ".join(f"%t{d}" for d in range(len(places)))
        body.append(f"%v = tensor.extract {self.use(a)}[{at}] : {self.type(a.shape)}")
        if reduces:
            kind, neutral, scale = self.reduction(a, math.prod(extents[d] for d in along))
            body.append(f"%r = {kind} %o0, %v : {self.element}")
            init, first = self.start(shape, neutral)
            scale = self.scale(kind, scale, first)
        else:
            body.append(f"%r = {self.kit['mul']} %v, %x0 : {self.element}")
            init, scale = self.empty(shape), a.scale * w.scale
        self.mapped([[f"d{d}" for d in along], [f"d{d}" for d in out]],
                    ["reduction" if reduces and d in along else "parallel" for d in range(len(extents))],
                    [(self.use(w), w.shape)], init, shape, body, scale)

    def op_convolution(self):
        """A named convolution or pool of random strides and dilations."""
        a = self.pick(least=1, most=4)
        fitting = [name for name, (i, _, _) in NAMED.items() if len(i) == len(a.shape)]
        if 0 in a.shape or not fitting:
            return
        name = self.rng.choice(fitting)
        ins, kernel, out = NAMED[name]
        extent, ks, strides, dilations = dict(zip(ins, a.shape)), {}, [], []
        extent.setdefault("f", self.rng.choice([1, 2, 3, 4]))
        for letter in [c for c in ins if c.upper() in kernel]:
            size, k, stride, dilation, _ = self.window(extent[letter])
            if name in ("conv_1d", "conv_2d", "conv_3d"):
                stride = dilation = 1
            n = extent[letter]
            ks[letter.upper()], extent[letter] = k, (n - 1 - (k - 1) * dilation) // stride + 1
            strides.append(stride)
            dilations.append(dilation)
        w = self.find([ks[c] if c in ks else extent[c] for c in kernel], 0.5)
        shape = [extent[c] for c in out]
        count = 1
        for k in list(ks.values()) + [extent[c] for c in ins if c not in out]:
            count *= k
        lists = "" if name in ("conv_1d", "conv_2d", "conv_3d") else \
            f" {{dilations = dense<{dilations}> : tensor<{len(ks)}xi64>, " \
            f"strides = dense<{strides}> : tensor<{len(ks)}xi64>}}"
        is_max, pools = name.endswith("max"), name.startswith("pooling")
        neutral = self.kit["reduce"][self.largest()] if is_max else self.kit["zero"]
        init, scale = self.start(shape, neutral)
        grown = a.scale if is_max else count * a.scale * (1 if pools else w.scale)
        self.define(shape, f"linalg.{name}{lists} ins({self.use(a)}, {self.use(w)} : "
                    f"{self.type(a.shape)}, {self.type(w.shape)}) outs({init} : "
                    f"{self.type(shape)}) -> {self.type(shape)}", scale + grown)

    def largest(self):
        return "arith.maxsi" if "arith.maxsi" in self.kit["reduce"] else "arith.maximumf"

    def padded(self, a):
        """The value with random widths of a number around it."""
        lists = [[self.rng.choice([0, 1, 1, 2, 5]) for _ in a.shape] for _ in range(2)]
        shape = [n + low + high for n, low, high in zip(a.shape, *lists)]
        if not self.is_known(shape):
            return a
        indices = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        number = "2" + (".0" if "." in self.kit["zero"] else "")
        return self.define(shape, f"tensor.pad {self.use(a)} low{lists[0]} high{lists[1]} {{\n"
                           f"  ^bb0({indices}):\n    %n = arith.constant {number} : "
                           f"{self.element}\n    tensor.yield %n : {self.element}\n"
                           f"  }} : {self.type(a.shape)} to {self.type(shape)}",
                           max(a.scale, 2))

    def cut(self, a, offsets, shape, strides=None):
        strides = strides or [1] * len(shape)
        return self.define(shape, f"tensor.extract_slice {self.use(a)}{list(offsets)} "
                           f"{list(shape)} {strides} : {self.type(a.shape)} to "
                           f"{self.type(shape)}", a.scale)

    def insert(self, a, into, offsets):
        return self.define(into.shape, f"tensor.insert_slice {self.use(a)} into {self.use(into)}"
                           f"{list(offsets)} {list(a.shape)} {[1] * len(a.shape)} : "
                           f"{self.type(a.shape)} into {self.type(into.shape)}",
                           max(a.scale, into.scale))

    def is_known(self, shape):
        return 0 not in shape and not any(self.is_unknown(shape))

    def op_stencil(self):
        """Shifted slices of one value, combined; maybe padded before, maybe written back to the
        inside, and a step of it again."""
        a = self.pick(least=1, most=3)
        if not self.is_known(a.shape) or len(a.shape) > 3:
            return
        for _ in range(self.rng.choice([1, 1, 2])):
            source = self.padded(a) if self.rng.random() < 0.4 else a
            stride = [self.rng.choice([1, 1, 1, 2]) for _ in source.shape]
            shape = [self.rng.randint(1, (n - 1) // s + 1) if self.rng.random() < 0.5 else
                     max(1, (n - self.rng.choice([0, 1, 2, 4]) - 1) // s + 1)
                     for n, s in zip(source.shape, stride)]
            # Extents of sums and pads may be those that are written `?`.
            if not self.is_known(shape) or not self.is_known(source.shape):
                return
            parts = []
            for _ in range(self.rng.randint(2, 4)):
                offsets = [self.rng.randint(0, n - 1 - (size - 1) * s)
                           for n, size, s in zip(source.shape, shape, stride)]
                parts.append(self.cut(source, offsets, shape, stride))
            result = parts[0]
            for part in parts[1:]:
                op = self.rng.choice(self.kit["binary"])
                result = self.define(shape, f"{op} {self.use(result)}, {self.use(part)} : "
                                     f"{self.type(shape)}",
                                     self.scale(op, result.scale, part.scale))
            if self.rng.random() < 0.5 and all(n <= m for n, m in zip(shape, a.shape)):
                result = self.insert(result, a, [self.rng.randint(0, m - n)
                                                 for n, m in zip(shape, a.shape)])
            a = result

    def op_roll(self):
        """Turned around along one or two dimensions, by joins or insertions, beside what it was."""
        a = self.pick(least=1, most=3)
        if not self.is_known(a.shape):
            return
        rolled = a
        for _ in range(self.rng.choice([1, 1, 2])):
            d = self.rng.randrange(len(a.shape))
            n = a.shape[d]
            by = self.rng.randint(0, n)
            parts = []
            for first, size in ((by, n - by), (0, by)):
                shape = [size if e == d else m for e, m in enumerate(a.shape)]
                if size and not self.is_known(shape):
                    return
                if size:
                    parts.append(self.cut(rolled, [first if e == d else 0
                                                   for e in range(len(shape))], shape))
            if self.rng.random() < 0.6:
                rolled = self.define(a.shape, f"tensor.concat dim({d}) {self.joined(parts, d)} -> "
                                     f"{self.type(a.shape)}", rolled.scale)
                continue
            into = self.new_value(self.empty(a.shape), a.shape, rolled.scale)
            for part, first in zip(parts, (0, n - by)):
                into = self.insert(part, into, [first if e == d else 0
                                                for e in range(len(a.shape))])
                self.values.remove(into)  # some of it is not written yet
            rolled = into
            self.values.append(rolled)
        op = self.rng.choice(self.kit["binary"])
        self.define(a.shape, f"{op} {self.use(rolled)}, {self.use(a)} : {self.type(a.shape)}",
                    self.scale(op, rolled.scale, a.scale))

    def op_flux(self):
        """Differences of shifted fields and of what is computed of them, each with rows of zeros for
        those that there are none of; the fields before, behind or between."""
        a = self.pick(least=1, most=3)
        if not self.is_known(a.shape):
            return
        b = self.find(a.shape, 0.5) if self.rng.random() < 0.6 else a
        fields = [a, b]
        for _ in range(self.rng.randint(1, 2)):
            op, x = self.rng.choice(self.kit["binary"]), self.rng.choice(fields)
            fields.append(self.define(a.shape, f"{op} {self.use(x)}, {self.use(b)} : "
                                      f"{self.type(a.shape)}", self.scale(op, x.scale, b.scale)))
        self.rng.shuffle(fields)
        d, result = self.rng.randrange(len(a.shape)), None
        for field in fields[:3]:
            by = self.rng.choice([1, 1, 2, 3]) * self.rng.choice([1, -1])
            n = a.shape[d]
            shape = [n - abs(by) if e == d else m for e, m in enumerate(a.shape)]
            if n <= abs(by) or not self.is_known(shape):
                continue
            part = self.cut(field, [max(by, 0) if e == d else 0 for e in range(len(shape))], shape)
            into = self.constant(a.shape, self.kit["zero"])
            into = self.define(a.shape, f"tensor.insert_slice {self.use(part)} into {into}"
                               f"{[max(-by, 0) if e == d else 0 for e in range(len(shape))]} {shape} "
                               f"{[1] * len(shape)} : {self.type(shape)} into {self.type(a.shape)}",
                               field.scale)
            op = self.rng.choice(self.kit["binary"])
            result = into if result is None else self.define(
                a.shape, f"{op} {self.use(result)}, {self.use(into)} : {self.type(a.shape)}",
                self.scale(op, result.scale, into.scale))

    def op_turn(self):
        """Read backwards along one or two dimensions, all of them or the end, beside what it was."""
        a = self.pick(least=1, most=3)
        if not self.is_known(a.shape):
            return
        rank = len(a.shape)
        turned = self.rng.sample(range(rank), self.rng.randint(1, min(rank, 2)))
        shape = list(a.shape)
        if self.rng.random() < 0.3:
            shape[turned[0]] = self.rng.randint(1, shape[turned[0]])
            if not self.is_known(shape):
                return
        reads = [f"-d{d} + {n - 1}" if d in turned else f"d{d}" for d, n in enumerate(a.shape)]
        own = [f"d{d}" for d in range(rank)]
        b = a if shape == list(a.shape) else self.find(shape, 0.5)
        op = self.rng.choice(self.kit["binary"])
        self.mapped([reads, own, own], ["parallel"] * rank,
                    [(self.use(a), a.shape), (self.use(b), b.shape)], self.empty(shape), shape,
                    [f"%r = {op} %x0, %x1 : {self.element}"], self.scale(op, a.scale, b.scale))

    def is_small(self, shape):
        return self.is_known(shape) and math.prod(shape) <= MOST_BETWEEN

    def reverse(self, a, d):
        own = [f"d{i}" for i in range(len(a.shape))]
        reads = [f"-d{d} + {a.shape[d] - 1}" if i == d else name for i, name in enumerate(own)]
        return self.mapped([reads, own], ["parallel"] * len(own), [(self.use(a), a.shape)],
                           self.empty(a.shape), a.shape, [], a.scale, "%x0")

    def combine(self, a, b):
        op = self.binary(a.shape)
        return self.define(a.shape, f"{op} {self.use(a)}, {self.use(b)} : {self.type(a.shape)}",
                           self.scale(op, a.scale, b.scale))

    def another(self, shape, d):
        """A value of the shape, most often a reversal."""
        value = self.find(shape, 0.4)
        return self.reverse(value, d) if self.rng.random() < 0.8 else value

    def turned_cut(self, a, d):
        n, step = a.shape[d], self.rng.choice([1, 2, 2, 3])
        start = self.rng.randint(0, min(n - 1, 3))
        size = (n - 1 - start) // step + 1
        size = size if self.rng.random() < 0.6 else self.rng.randint(1, size)
        shape = [size if e == d else m for e, m in enumerate(a.shape)]
        if not self.is_known(shape):
            return a
        return self.cut(a, [start if e == d else 0 for e in range(len(shape))], shape,
                        [step if e == d else 1 for e in range(len(a.shape))])

    def turned_insert(self, a, d):
        n, step, start = a.shape[d], self.rng.choice([1, 2, 2, 3]), self.rng.choice([0, 0, 1, 2])
        whole = start + (n - 1) * step + 1 + self.rng.choice([0, 0, 1])
        shape = [whole if e == d else m for e, m in enumerate(a.shape)]
        if not self.is_small(shape):
            return a
        if self.rng.random() < 0.7:
            into, scale = self.constant(shape, self.kit["zero"]), 0
        else:
            other = self.another(shape, d)
            into, scale = self.use(other), other.scale
        where = f"{[start if e == d else 0 for e in range(len(shape))]} {list(a.shape)} " \
            f"{[step if e == d else 1 for e in range(len(shape))]}"
        return self.define(shape, f"tensor.insert_slice {self.use(a)} into {into}{where} : "
                           f"{self.type(a.shape)} into {self.type(shape)}", max(a.scale, scale))

    def turned_join(self, a, d):
        parts = [a, a if self.rng.random() < 0.3 else self.another(a.shape, d)]
        self.rng.shuffle(parts)
        shape = [2 * m if e == d else m for e, m in enumerate(a.shape)]
        if not self.is_small(shape):
            return a
        return self.define(shape, f"tensor.concat dim({d}) {self.joined(parts, d)} -> "
                           f"{self.type(shape)}", max(v.scale for v in parts))

    def turned_row(self, a, d):
        """With a row that is the same along the dimension."""
        own = [f"d{i}" for i in range(len(a.shape))]
        shape = [m for e, m in enumerate(a.shape) if e != d]
        b, op = self.find(shape), self.binary(a.shape)
        return self.mapped([own, own[:d] + own[d + 1:], own], ["parallel"] * len(own),
                           [(self.use(a), a.shape), (self.use(b), shape)], self.empty(a.shape),
                           a.shape, [f"%r = {op} %x0, %x1 : {self.element}"],
                           self.scale(op, a.scale, b.scale))

    def turned_written(self, a, d):
        """Where the dimension is written to backwards."""
        own = [f"d{i}" for i in range(len(a.shape))]
        writes = [f"-d{d} + {a.shape[d] - 1}" if i == d else name for i, name in enumerate(own)]
        b, op = self.find(a.shape), self.binary(a.shape)
        return self.mapped([own, writes], ["parallel"] * len(own), [(self.use(b), b.shape)],
                           self.use(a), a.shape, [f"%r = {op} %x0, %o0 : {self.element}"],
                           self.scale(op, b.scale, a.scale))

    def turned_beside(self, a, d):
        """With the first result of an op on a row, which also reads what its second one starts with."""
        own = list(range(len(a.shape)))
        shape = [m for e, m in enumerate(a.shape) if e != d]
        b, c, op = self.find(shape), self.find(a.shape), self.binary(a.shape)
        self.generic([own[:d] + own[d + 1:], own, own], ["parallel"] * len(own),
                     [(self.use(b), shape)], [(self.empty(a.shape), a.shape), (self.use(c), a.shape)],
                     [f"%r = {op} %x0, %o1 : {self.element}"], ["%r", "%o1"],
                     [self.scale(op, b.scale, c.scale), c.scale])
        return self.combine(a, self.values[-2])

    def turned_scan(self, a, d):
        self.scan(a, d)
        return self.values[-1]

    def op_between_turns(self):
        """What has no direction of its own, between reversals: slices and insertions in steps, pads,
        joins, sums of what came before, rows; some of it is used in other ways besides."""
        a = self.pick(least=1, most=3)
        rank = len(a.shape)
        d = self.rng.randrange(rank)
        if not self.is_known(a.shape):
            return
        if rank > 1 and self.rng.random() < 0.15:
            d = min(d, rank - 2)
            a = self.collapse(self.reverse(self.reverse(a, d), d + 1), d, d + 1)
        else:
            a = self.another(a.shape, d) if self.rng.random() < 0.2 else self.reverse(a, d)
        forms = [self.turned_cut, self.turned_cut, self.turned_insert, self.turned_join,
                 self.turned_row, self.turned_scan, self.turned_written, self.turned_beside,
                 lambda v, d: self.padded(v), lambda v, d: self.combine(v, v if self.rng.random() < 0.2
                                           else self.another(v.shape, d))]
        for _ in range(self.rng.randint(1, 5)):
            if not self.is_small(a.shape):
                break
            a = self.rng.choice(forms)(a, d)
        if self.is_known(a.shape) and self.rng.random() < 0.85:
            self.reverse(a, d)

    def op_blocks(self):
        """A range of a dimension as blocks, computed with as such and as a dimension again, of which
        ranges are read, or which is written back."""
        a = self.pick(least=1, most=3)
        d = max(range(len(a.shape)), key=lambda i: (a.shape[i], self.rng.random()))
        n, size = a.shape[d], self.rng.choice([2, 2, 3, 4])
        if not self.is_known(a.shape) or n < 2 * size:
            return
        num = self.rng.choice([n // size, n // size, self.rng.randint(2, n // size)])
        start = self.rng.randint(0, n - num * size)
        offsets = [start if i == d else 0 for i in range(len(a.shape))]
        shape = [num * size if i == d else m for i, m in enumerate(a.shape)]
        if not self.is_known(shape):
            return
        blocks = self.expand(self.cut(a, offsets, shape), d, num)
        for _ in range(self.rng.randint(0, 2)):
            blocks = self.rng.choice([
                lambda v: self.reverse(v, d + 1), lambda v: self.combine(v, v),
                lambda v: self.combine(v, self.find(v.shape, 0.4)), self.annotate_some,
                lambda v: self.turned_cut(v, d)])(blocks)
        if not self.is_known([blocks.shape[d] * size]) or self.rng.random() < 0.2:
            return
        back = self.collapse(blocks, d, d + 1)
        if back.shape[d] <= n and self.rng.random() < 0.5:
            self.insert(back, a, [self.rng.randint(0, n - back.shape[d]) if i == d else 0
                                  for i in range(len(a.shape))])
        elif self.is_small(back.shape):
            self.rng.choice([self.turned_cut, self.turned_insert, self.turned_join,
                             lambda v, d: self.padded(v)])(back, d)

    def annotate_some(self, value):
        return self.annotate(value) if self.rng.random() < 0.5 else value

    def op_fused(self):
        """A product whose columns are parts of equal width, each for itself behind it."""
        a = self.pick(least=2, most=2)
        num, width = self.rng.choice([2, 3]), self.rng.choice([1, 2, 3, 4, 6])
        if not self.is_known(a.shape) or not self.is_known([width]):
            return
        rows, inner = a.shape
        w = self.find([inner, num * width], 0.7)
        shape = [rows, num * width]
        init, scale = self.start(shape, self.kit["zero"])
        ty = self.type(shape)
        if not self.is_known(shape):
            return
        whole = self.define(shape, f"linalg.matmul ins({self.use(a)}, {self.use(w)} : "
                            f"{self.type(a.shape)}, {self.type(w.shape)}) outs({init} : {ty}) "
                            f"-> {ty}", scale + inner * a.scale * w.scale)
        parts = [self.cut(whole, [0, i * width], [rows, width]) for i in range(num)]
        result = parts[0]
        for part in parts[1:]:
            op = self.rng.choice(self.kit["binary"])
            result = self.define(result.shape, f"{op} {self.use(result)}, {self.use(part)} : "
                                 f"{self.type(result.shape)}",
                                 self.scale(op, result.scale, part.scale))

    def op_window_paired(self):
        """A reduction of what two slices along one dimension give together: of one value or two, as
        far aside as it comes, some with the index of the dimension, some used otherwise as well."""
        a = self.pick(least=1, most=3)
        rank, d = len(a.shape), self.rng.randrange(len(a.shape))
        n = a.shape[d]
        if n < 2 or 0 in a.shape:
            return
        size = n - self.rng.randint(1, min(n - 1, 4))
        if not self.is_known(a.shape) or not self.is_known([size]):
            return
        row = self.rng.random() < 0.5
        b = self.find([n], 0.5) if row else self.find(a.shape, 0.3)
        shape = [size if e == d else extent for e, extent in enumerate(a.shape)]
        parts = []
        for value, along in ((a, d), (b, 0 if row else d)):
            offsets = [0] * len(value.shape)
            offsets[along] = self.rng.randint(0, n - size)
            part = self.cut(value, offsets, [size] if value is b and row else shape)
            parts.append((part.name, part.shape))
        op = self.rng.choice([self.kit["mul"], self.kit["add"]])
        body, scale = [f"%m = {op} %x0, %x1 : {self.element}"], self.scale(op, a.scale, b.scale)
        if self.rng.random() < 0.3:
            cast = ["%k = arith.index_cast %i : index to i64",
                    f"%n = arith.sitofp %k : i64 to {self.element}"] if "." in self.kit["zero"] \
                else [f"%n = arith.index_cast %i : index to {self.element}"]
            body += [f"%i = linalg.index {d} : index", *cast,
                     f"%r = {self.kit['add']} %m, %n : {self.element}"]
            scale += n
        else:
            body.append(f"%r = {self.kit['add']} %m, %m : {self.element}")
            scale *= 2
        every = [f"d{e}" for e in range(rank)]
        self.mapped([every, [f"d{d}"] if row else every, every], ["parallel"] * rank, parts,
                    self.constant(shape, self.kit["zero"]), shape, body, scale)
        made = self.values[-1] if self.rng.random() < 0.3 else self.values.pop()
        gone = sorted({d} | {e for e in range(rank) if self.rng.random() < 0.3})
        left, count = [shape[e] for e in range(rank) if e not in gone], 1
        for e in gone:
            count *= shape[e]
        kind, neutral, total = self.reduction(made, count)
        init, start = self.start(left, neutral)
        self.define(left, f"linalg.reduce {{ {kind} }} ins({self.use(made)} : {self.type(shape)}) "
                    f"outs({init} : {self.type(left)}) dimensions = {gone}",
                    self.scale(kind, total, start))

    def op_window_scan(self):
        """A cumulative reduction along a dimension; some have an operand that is read through a
        window of the same loop as well, or of the result's."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape:
            return
        rank, d = len(a.shape), self.rng.randrange(len(a.shape))
        n, over = a.shape[d], rank
        reads = [f"d{over if e == d else e}" for e in range(rank)]
        out = list(range(rank))
        self.rng.shuffle(out)
        shape = [a.shape[e] for e in out]
        maps, inputs, grown = [reads], [(self.use(a), a.shape)], a.scale
        kind, neutral, _ = self.reduction(a, 100)
        body, term = [], "%x0"
        if self.rng.random() < 0.35:
            loops, stride = self.rng.choice([[over], [over, d], [over, self.rng.randrange(rank)]]), \
                self.rng.choice([1, 1, 2])
            loops = sorted(set(loops), reverse=True)
            offset = self.rng.choice([0, 1, 2])
            needs = offset + 1 + sum((stride if l == over else 1) *
                                     ((n if l == over else a.shape[l]) - 1) for l in loops)
            other = self.find([needs], 0.5)
            inputs.append((self.use(other), other.shape))
            maps.append([affine([(l, stride if l == over else 1) for l in loops], offset)])
            op = self.rng.choice([self.kit["mul"], self.kit["add"]])
            body, term = [f"%m = {op} %x0, %x1 : {self.element}"], "%m"
            grown = max(a.scale * other.scale, a.scale + other.scale)
        init, scale = self.start(shape, neutral)
        predicate = self.rng.choice(["ule", "slt", "uge", "sgt"])
        body += [f"%p = linalg.index {d} : index", f"%q = linalg.index {over} : index",
                 f"%b = arith.cmpi {predicate}, %q, %p : index",
                 f"%c = {kind} %o0, {term} : {self.element}",
                 f"%r = arith.select %b, %c, %o0 : {self.element}"]
        self.mapped(maps + [[f"d{e}" for e in out]], ["parallel"] * rank + ["reduction"], inputs,
                    init, shape, body, self.scale(kind, grown * n, scale))

    def op_window_choice(self):
        """The largest or smallest element of a row, or of each window of it, and its index, as a
        number of the same type."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape:
            return
        rank, d, over = len(a.shape), self.rng.randrange(len(a.shape)), len(a.shape)
        slides = self.rng.random() < 0.4
        size, k, stride, dilation, offset = self.window(a.shape[d])
        reads = [f"d{e}" for e in range(rank)]
        loops = list(a.shape)
        if slides:
            reads[d], loops[d] = affine([(d, stride), (over, dilation)], offset), size
        kept = [e for e in range(rank) if e != d or slides]
        shape = [loops[e] for e in kept]
        kinds = ["reduction" if e == d and not slides else "parallel" for e in range(rank)]
        maps, inputs, along = [reads], [(self.use(a), a.shape)], d
        if slides:
            w = self.find([k], 0.5)
            inputs.append((self.use(w), w.shape))
            maps.append([f"d{over}"])
            kinds.append("reduction")
            along = over
        # Floats are rounded alike everywhere only if nothing that varies decides between them.
        floats = "." in self.kit["zero"]
        if floats and not any(a.name == name for name, _, _ in self.arguments):
            return
        more = self.rng.random() < 0.5
        compare = f"arith.cmpf {'ogt' if more else 'olt'}" if floats else \
            f"arith.cmpi {'sgt' if more else 'slt'}"
        number = ("-1.0e30" if more else "1.0e30") if floats else \
            ("-2147483648" if more else "2147483647")
        cast = ["%k = arith.index_cast %i : index to i64",
                f"%n = arith.sitofp %k : i64 to {self.element}"] if floats else \
            [f"%n = arith.index_cast %i : index to {self.element}"]
        names = ", ".join(f"d{i}" for i in range(len(kinds)))
        ends = [f"d{e}" for e in kept]
        texts = ", ".join(f"affine_map<({names}) -> ({', '.join(m)})>"
                          for m in maps + [ends, ends])
        ty, name = self.type(shape), self.fresh()
        first, place = self.constant(shape, number), self.constant(shape, self.kit["zero"])
        self.emit(f"{name}:2 = linalg.generic {{indexing_maps = [{texts}], iterator_types = ["
                  + ", ".join(f'"{t}"' for t in kinds) + "]} ins("
                  + ", ".join(n for n, _ in inputs) + " : "
                  + ", ".join(self.type(s) for _, s in inputs)
                  + f") outs({first}, {place} : {ty}, {ty}) {{")
        arguments = [f"%x{i}: {self.element}" for i in range(len(inputs))]
        self.emit(f"^bb0({', '.join(arguments)}, %o0: {self.element}, %o1: {self.element}):")
        for line in [f"%i = linalg.index {along} : index", *cast,
                     f"%b = {compare}, %x0, %o0 : {self.element}",
                     f"%r = arith.select %b, %x0, %o0 : {self.element}",
                     f"%s = arith.select %b, %n, %o1 : {self.element}",
                     f"linalg.yield %r, %s : {self.element}, {self.element}"]:
            self.emit("  " + line)
        self.emit(f"}} -> ({ty}, {ty})")
        self.keep_small(self.new_value(f"{name}#0", shape, a.scale))
        self.keep_small(self.new_value(f"{name}#1", shape, a.shape[d]))
