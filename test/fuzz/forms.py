# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Ops of the random programs that are more than one op: scans, choices, gathers, loops and branches
# around other ops, and annotations that leave layouts open. It knows what programs mean, not how they
# compile, and of a graph what gen.py's Graph has.


class Forms:
    """What gen.py's Graph can write besides single ops."""

    def is_float(self):
        return self.element.startswith("f")

    def is_static(self, *shapes):
        return not any(n in self.unknown for shape in shapes for n in shape)

    # Annotations that leave something open.
    def growth(self, shape, dims):
        """Attributes of a shard.shard that say how far its layout may grow, as text, or nothing."""
        rng, rank, used = self.extras, len(shape), {a for axes in dims for a in axes}
        if rng.random() > 0.3:
            return ""
        words = []
        if rng.random() < 0.7:
            some = [d for d in range(rank) if rng.random() < 0.5]
            words.append(rng.choice(["tessera.open", "tessera.open", f"tessera.open = {some}"]))
            free = [a for a in range(self.axes) if a not in used and rng.random() < 0.3]
            if free:
                words.append(f"tessera.replicated = {free}")
        if rng.random() < 0.4:
            rounds = [rng.randrange(3) for _ in range(rank)]
            words.append(f"tessera.priority = {rng.choice([rng.randrange(3), rounds])}")
        if rng.random() < 0.3:
            words.append(f'tessera.flow = "{rng.choice(["none", "forward", "backward", "both"])}"')
        return f" {{{', '.join(words)}}}" if words else ""

    def op_group(self):
        """Two tensors of one shape whose layouts are the same, whatever they are."""
        a = self.pick(least=1)
        b = self.find(a.shape, new=0.5)
        if a is b or a.annotated or b.annotated:
            return
        axes = [[] for _ in a.shape]
        axes[self.rng.randrange(len(axes))].append(self.rng.randrange(self.axes))
        chosen = self.shardings.setdefault(str(axes), f"%sharding{len(self.shardings)}")
        group = 1000 * self.number + self.count
        for value in (a, b):
            result = self.define(value.shape, f"shard.shard {self.use(value)} to {chosen} "
                                 f"{{tessera.open, tessera.group = {group}}} : "
                                 f"{self.type(value.shape)}", value.scale)
            result.annotated = True
            self.values.remove(value)

    def op_diagonal(self):
        """The diagonal of a square one or of several, read, summed up, or written."""
        n = self.pick(least=1, most=3).shape[-1]
        batch = self.rng.choice([[], [], [2], [3]])
        rank, loops = len(batch) + 2, list(range(len(batch) + 1))
        square, row = batch + [n, n], batch + [n]
        if batch and batch[0] in self.unknown or product_of(square) > 3000:
            return
        a, diagonal = self.find(square), loops + loops[-1:]
        turned = self.rng.sample(range(rank), rank)
        if self.rng.random() < 0.5 and self.is_static(square):
            a = self.find([square[d] for d in turned])
            diagonal = [diagonal[d] for d in turned]
        kinds = ["parallel"] * len(loops)
        way = self.rng.choice(["read", "sum", "write", "copy"])
        if way == "read":
            self.generic([diagonal, loops], kinds, [(self.use(a), a.shape)],
                         [(self.constant(row, self.kit["zero"]), row)], [], ["%x0"], [a.scale])
        elif way == "sum":
            kind, neutral, result = self.reduction(a, n)
            init, scale = self.start(batch, neutral)
            self.generic([diagonal, loops[:-1]], kinds[:-1] + ["reduction"], [(self.use(a), a.shape)],
                         [(init, batch)], [f"%r = {kind} %o0, %x0 : {self.element}"], ["%r"],
                         [self.scale(kind, result, scale)])
        else:
            b = self.find(row if way == "write" else a.shape)
            op = self.binary(a.shape)
            body = [f"%r = {op} %x0, %o0 : {self.element}"] if self.rng.random() < 0.6 else []
            self.generic([loops if way == "write" else diagonal, diagonal], kinds,
                         [(self.use(b), b.shape)], [(self.use(a), a.shape)], body,
                         ["%r" if body else "%x0"], [max(self.scale(op, a.scale, b.scale), a.scale, b.scale)])

    # Ops that look along a dimension.
    def op_scan(self):
        """What the elements before each one, with it or without, come to, from either end."""
        a = self.pick(least=1, most=3)
        self.scan(a, self.rng.randrange(len(a.shape)))

    def scan(self, a, d):
        rank = len(a.shape)
        kind, neutral, result = self.reduction(a, a.shape[d])
        init, scale = self.start(a.shape, neutral)
        order = self.rng.choice(["ule", "ult", "uge", "ugt", "sle"])
        body = [f"%p = linalg.index {d} : index", f"%q = linalg.index {rank} : index",
                f"%c = arith.cmpi {order}, %q, %p : index"]
        if self.rng.random() < 0.5:
            body += [f"%z = arith.constant {neutral} : {self.element}",
                     f"%m = arith.select %c, %x0, %z : {self.element}",
                     f"%r = {kind} %m, %o0 : {self.element}"]
        else:
            body += [f"%s = {kind} %o0, %x0 : {self.element}",
                     f"%r = arith.select %c, %s, %o0 : {self.element}"]
        ends = list(range(rank))
        ends[d] = rank
        self.generic([ends, list(range(rank))], ["parallel"] * rank + ["reduction"],
                     [(self.use(a), a.shape)], [(init, a.shape)], body, ["%r"],
                     [self.scale(kind, result, scale)])

    def op_choose(self):
        """The largest element of a row, and where it is. Floats are arguments: of what is computed,
        two might be equal but for rounding."""
        a = self.pick(least=1, most=3)
        if self.is_float():
            a = self.argument(a.shape)
        if self.is_static(a.shape) and self.rng.random() < 0.4:
            shape, where = self.part(a.shape)
            a = self.define(shape, f"tensor.extract_slice {self.use(a)}{where} : {self.type(a.shape)} to "
                            f"{self.type(shape)}", a.scale)
            if not a.shape:
                return
        if not self.is_float() and self.rng.random() < 0.5:  # of which many are equal
            few = self.constant(a.shape, 3, kind=0)
            a = self.define(a.shape, f"arith.andi {self.use(a)}, {few} : {self.type(a.shape)}", 3)
        if len(a.shape) > 1 and self.is_static(a.shape) and self.rng.random() < 0.4:
            d = self.rng.randrange(len(a.shape) - 1)
            a = self.collapse(self.annotate(a) if self.rng.random() < 0.3 else a, d, d + 1)
        rank, gone = len(a.shape), self.rng.randrange(len(a.shape))
        kept = [d for d in range(rank) if d != gone]
        shape = [a.shape[d] for d in kept]
        least = "-1.0e30" if self.is_float() else "-2147483648"
        inits = [self.constant(shape, least), self.constant(shape, self.kit["zero"])]
        more = "arith.cmpf ogt" if self.is_float() else "arith.cmpi sgt"
        place = ["%k = arith.index_cast %i : index to i64", f"%n = arith.sitofp %k : i64 to {self.element}"]
        if not self.is_float():
            place = [f"%n = arith.index_cast %i : index to {self.element}"]
        stops = self.is_float() and self.rng.random() < 0.4
        x, largest = "%x0", f"%r = arith.select %c, %x0, %o0 : {self.element}"
        if stops:
            x, largest = "%v", f"%r = arith.maximumf %v, %o0 : {self.element}"
            place += [f"%z = arith.constant 0.0 : {self.element}",
                      f"%nan = arith.divf %z, %z : {self.element}",
                      f"%most = arith.constant {self.rng.choice([0.5, 1.2, 1.7, 9.0])} : {self.element}",
                      f"%no = arith.cmpf ogt, %x0, %most : {self.element}",
                      f"%v = arith.select %no, %nan, %x0 : {self.element}"]
        # The place, or the largest once more.
        before, inputs = len(self.values), [(self.use(a), a.shape)]
        chosen = [x if self.rng.random() < 0.15 else "%n"]
        if not stops and self.rng.random() < 0.3:
            # What stands beside it, which depends on the order of equal ones, as the place does not.
            beside = self.find(a.shape, 0.3)
            inputs.append((self.use(beside), beside.shape))
            chosen = self.rng.choice([["%x1"], ["%n", "%x1"], ["%x1", "%n"]])
        for other in chosen:
            self.generic([list(range(rank))] * len(inputs) + [kept, kept],
                         ["reduction" if d == gone else "parallel" for d in range(rank)],
                         inputs, [(init, shape) for init in inits],
                         [f"%i = linalg.index {gone} : index"] + place +
                         [f"%c = {more}, {x}, %o0 : {self.element}", largest,
                          f"%s = arith.select %c, {other}, %o1 : {self.element}"], ["%r", "%s"],
                         [1e2, max(a.shape[gone], beside.scale if len(inputs) > 1 else 0)])
        if stops:
            self.without_nan(self.values[before])

    def without_nan(self, value):
        """The value, which may be a NaN and is not used otherwise, with a number for that."""
        self.values.remove(value)
        init, out = self.empty(value.shape), list(range(len(value.shape)))
        self.generic([out, out], ["parallel"] * len(out), [(value.name, value.shape)],
                     [(init, value.shape)],
                     [f"%c = arith.cmpf uno, %x0, %x0 : {self.element}",
                      f"%n = arith.constant 3.0 : {self.element}",
                      f"%r = arith.select %c, %n, %x0 : {self.element}"], ["%r"], [1e2])

    def places(self, shape, d, count):
        """A constant of places along dimension d, each of them once."""
        name, kind = self.fresh("c"), self.rng.choice(["i32", "index", "i64"])
        numbers = [[n] for n in self.rng.sample(range(shape[d]), count)]
        self.emit(f"{name} = arith.constant dense<{numbers}> : tensor<{count}x1x{kind}>")
        return name, f"tensor<{count}x1x{kind}>"

    def op_gather(self):
        a = self.pick(least=1, most=3)
        if not self.is_static(a.shape):
            return
        d = self.rng.randrange(len(a.shape))
        count = self.rng.randint(1, a.shape[d])
        rest = [1 if e == d else n for e, n in enumerate(a.shape)]
        if self.rng.random() < 0.5:
            rest.pop(d)
        shape = [count] + rest
        if not self.is_static(shape):
            return
        name, kind = self.places(a.shape, d, count)
        self.define(shape, f"tensor.gather {self.use(a)}[{name}] gather_dims([{d}]) : "
                    f"({self.type(a.shape)}, {kind}) -> {self.type(shape)}", a.scale)

    def op_put(self):
        """Slices written at listed places."""
        a = self.pick(least=1, most=3)
        d = self.rng.randrange(len(a.shape))
        count = self.rng.randint(1, a.shape[d])
        shape = [count] + [1 if e == d else n for e, n in enumerate(a.shape)]
        if not self.is_static(a.shape, shape):
            return
        b = self.find(shape)
        name, kind = self.places(a.shape, d, count)
        self.define(a.shape, f"tensor.scatter {self.use(b)} into {self.use(a)}[{name}] "
                    f"scatter_dims([{d}]) unique : ({self.type(shape)}, {self.type(a.shape)}, {kind})"
                    f" -> {self.type(a.shape)}", max(a.scale, b.scale))

    # Ops that others say.
    def op_softmax(self):
        a = self.pick(least=1, most=3)
        if not self.is_float() or 0 in a.shape:
            return
        d, ty = self.rng.randrange(len(a.shape)), self.type(a.shape)
        small = self.define(a.shape, f"math.tanh {self.use(a)} : {ty}", 1)
        self.define(a.shape, f"linalg.softmax dimension({d}) ins({self.use(small)} : {ty}) "
                    f"outs({self.empty(a.shape)} : {ty}) -> {ty}", 1)

    def op_norm(self):
        """Sums of all squares of several tensors, or their maxima, put together; each tensor and what
        came of that, which is one tensor for those of a shape."""
        kind, neutral = self.rng.choice([(self.kit["add"], self.kit["zero"])] * 2
                                        + sorted(self.kit["reduce"].items()))
        tensors, total = [self.pick(least=1, most=3) for _ in range(self.rng.randint(2, 3))], None
        for a in tensors:
            if kind == "arith.mulf" and (product_of(a.shape) > 12 or a.scale > 20):
                return
            ty, rank = self.type(a.shape), len(a.shape)
            square = self.define(a.shape, f"{self.kit['mul']} {self.use(a)}, {self.use(a)} : {ty}", a.scale ** 2)
            init = self.constant([], neutral)
            scale = square.scale * product_of(a.shape) if kind == self.kit["add"] else square.scale
            if kind == self.kit["mul"]:
                scale = square.scale ** product_of(a.shape)
            one = self.define([], f"linalg.reduce {{ {kind} }} ins({self.use(square)} : {self.type(a.shape)}) "
                              f"outs({init} : {self.type([])}) dimensions = {list(range(rank))}", scale)
            total = one if total is None else self.define(
                [], f"{kind} {self.use(total)}, {self.use(one)} : {self.type([])}",
                self.scale(kind, total.scale, one.scale))
        wide = {}
        for a in tensors:
            dims = list(range(len(a.shape)))
            if a.shape not in wide:
                wide[a.shape] = self.define(
                    a.shape, f"linalg.broadcast ins({self.use(total)} : {self.type([])}) outs("
                    f"{self.empty(a.shape)} : {self.type(a.shape)}) dimensions = {dims}", total.scale)
            op, by = self.rng.choice(self.kit["binary"]), wide[a.shape]
            self.define(a.shape, f"{op} {self.use(a)}, {self.use(by)} : {self.type(a.shape)}",
                        self.scale(op, a.scale, by.scale))

    def op_ravel(self):
        """Several tensors as one vector, what is computed of that and of all its elements, taken apart
        again at the same places or at others."""
        tensors = [self.pick(least=1, most=3) for _ in range(self.rng.randint(2, 3))]
        sizes = [product_of(a.shape) for a in tensors]
        n = sum(sizes)
        if n > 200 or 0 in sizes or not self.is_static([n], sizes, *[a.shape for a in tensors]):
            return
        flat = [self.collapse(a, 0, len(a.shape) - 1) if len(a.shape) > 1 else a for a in tensors]
        scale, ty, first = max(a.scale for a in tensors), self.type([n]), len(self.values)
        if self.rng.random() < 0.5:
            vectors = [self.define([n], f"tensor.concat dim(0) {self.joined(flat, 0)} -> {ty}", scale)]
        else:
            joined, at = self.new_value(self.empty([n]), [n], scale), 0
            for part in flat:
                joined = self.insert(part, joined, [at])
                self.values.remove(joined)  # some of it is not written yet
                at += part.shape[0]
            self.values.append(joined)
            vectors = [joined]
        for _ in range(self.rng.randint(1, 3)):
            a, kind = self.rng.choice(vectors), self.kit["add"]
            other, roll = self.rng.choice(vectors), self.rng.random()
            if roll < 0.5:
                init = self.constant([], self.kit["zero"])
                total = self.define([], f"linalg.reduce {{ {kind} }} ins({self.use(a)} : {ty}) outs({init} : "
                                    f"{self.type([])}) dimensions = [0]", a.scale * n)
                other = self.define([n], f"linalg.broadcast ins({self.use(total)} : {self.type([])}) outs("
                                    f"{self.empty([n])} : {ty}) dimensions = [0]", total.scale)
            elif roll < 0.7:
                other = self.find([n])
            op = self.rng.choice(self.kit["binary"])
            vectors.append(self.define([n], f"{op} {self.use(a)}, {self.use(other)} : {ty}",
                                       self.scale(op, a.scale, other.scale)))
        last, at = vectors[-1], 0
        if self.rng.random() < 0.8:  # nobody else takes the vectors whole
            self.values = [v for i, v in enumerate(self.values) if i < first or v.shape != (n,)]
        for a, part in zip(tensors, sizes):
            place, size = at, part
            if self.rng.random() < 0.2:
                size = self.rng.choice([m for m in range(1, part + 1) if self.is_static([m])])
                place = self.rng.randint(0, n - size)
            at += part
            taken = self.cut(last, [place], [size])
            if size == part and len(a.shape) > 1:
                self.define(a.shape, f"tensor.expand_shape {self.use(taken)} [{list(range(len(a.shape)))}] "
                            f"output_shape {list(a.shape)} : {self.type([size])} into {self.type(a.shape)}",
                            last.scale)

    def activation(self, x):
        """Lines that make %r of `x`: relu, or the gelu by tanh, grouped one way or another."""
        ty = self.element
        if self.rng.random() < 0.4:
            zero = [f"%zero = arith.constant 0.0 : {ty}"]
            return zero + self.rng.choice([
                [f"%r = arith.maximumf {x}, %zero : {ty}"], [f"%r = arith.maxnumf %zero, {x} : {ty}"],
                [f"%q = arith.cmpf ugt, {x}, %zero : {ty}", f"%r = arith.select %q, {x}, %zero : {ty}"],
                [f"%q = arith.cmpf olt, {x}, %zero : {ty}", f"%r = arith.select %q, %zero, {x} : {ty}"]])
        numbers = {"half": 0.5, "one": 1.0, "root": 0.7978845608028654, "cubic": 0.044715,
                   "both": 0.7978845608028654 * 0.044715}
        lines = [f"%{name} = arith.constant {number!r} : {ty}" for name, number in numbers.items()]
        square = f"%square = arith.mulf {x}, {x} : {ty}"
        lines += self.rng.choice([
            [square, f"%cube = arith.mulf %square, {x} : {ty}", f"%part = arith.mulf %cubic, %cube : {ty}",
             f"%sum = arith.addf {x}, %part : {ty}", f"%u = arith.mulf %root, %sum : {ty}"],
            [square, f"%part = arith.mulf %square, %both : {ty}", f"%sum = arith.addf %part, %root : {ty}",
             f"%u = arith.mulf %sum, {x} : {ty}"]])
        lines += [f"%t = math.tanh %u : {ty}"]
        return lines + self.rng.choice([
            [f"%more = arith.addf %t, %one : {ty}", f"%less = arith.mulf {x}, %half : {ty}",
             f"%r = arith.mulf %less, %more : {ty}"],
            [f"%less = arith.mulf %half, {x} : {ty}", f"%more = arith.mulf %less, %t : {ty}",
             f"%r = arith.addf %more, %less : {ty}"]])

    def op_activated(self):
        """A product that is large enough for a library, and an activation of it or of a sum with it."""
        if self.element not in ("f32", "f64"):
            return
        m, k, n = self.rng.choice([35, 48]), self.rng.choice([16, 33]), self.rng.choice([24, 48])
        a, w = self.find([m, k], 0.7), self.argument([k, n])
        b = self.define([k, n], f"arith.mulf {self.use(w)}, {self.constant([k, n], 2 ** -10)} : "
                        f"{self.type([k, n])}", w.scale * 2 ** -10)  # nothing brings the result down
        shape, zero = [m, n], self.constant([m, n], "0.0")
        made = self.fresh()  # which nothing else reads
        self.emit(f"{made} = linalg.matmul ins({self.use(a)}, {self.use(b)} : {self.type(a.shape)}, "
                  f"{self.type(b.shape)}) outs({zero} : {self.type(shape)}) -> {self.type(shape)}")
        inputs, maps, body, x = [(made, shape)], [[0, 1]], [], "%x0"
        scale = k * a.scale * b.scale
        for value, along in ((self.find([n]), [1]), (self.find(shape), [0, 1])):
            if self.rng.random() < 0.4:
                body.append(f"%y{len(inputs)} = arith.addf {x}, %x{len(inputs)} : {self.element}")
                x = f"%y{len(inputs)}"
                inputs, maps = inputs + [(self.use(value), value.shape)], maps + [along]
                scale += value.scale
        self.generic(maps + [[0, 1]], ["parallel"] * 2, inputs, [(self.empty(shape), shape)],
                     body + self.activation(x), ["%r"], [scale])

    def op_reshape(self):
        """Some of the dimensions merged, and the merged ones cut elsewhere."""
        a = self.pick(least=1, most=4)
        if 0 in a.shape:
            return
        first = self.rng.randrange(len(a.shape))
        end = self.rng.randint(first + 1, len(a.shape))
        merged = product_of(a.shape[first:end])
        cut = self.rng.choice([n for n in range(1, merged + 1) if merged % n == 0])
        shape = list(a.shape[:first]) + self.rng.choice([[merged], [cut, merged // cut], [1, merged]]) \
            + list(a.shape[end:])
        if not shape or product_of(shape) != product_of(a.shape):
            return
        # Of a dimension that is neither merged nor cut, the operand has to say what the tensor has.
        to, kind = self.fresh("c"), self.rng.choice(["index", "i32", "i64"])
        self.emit(f"{to} = arith.constant dense<{shape}> : tensor<{len(shape)}x{kind}>")
        self.define(shape, f"tensor.reshape {self.use(a)}({to}) : ({self.type(a.shape)}, "
                    f"tensor<{len(shape)}x{kind}>) -> {self.type(shape)}", a.scale)

    def op_generate(self):
        """A tensor that reads another: backwards, at clamped places, or at one place."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape or not self.is_static(a.shape):
            return
        lines, places = [], []
        for d, n in enumerate(a.shape):
            place, k, p, c = f"%p{d}", f"%k{d}", f"%g{d}", f"%c{d}"
            way = self.rng.choice(["same", "same", "back", "clamp", "one"])
            if way != "same":
                number = {"back": n - 1, "clamp": self.rng.choice([-2, 1, 3]),
                          "one": self.rng.randrange(n)}[way]
                lines.append(f"{c} = arith.constant {number} : index")
            if way == "back":
                lines.append(f"{p} = arith.subi {c}, {place} : index")
            if way == "clamp":
                lines += [f"{k} = arith.addi {place}, {c} : index",
                          f"{c}z = arith.constant 0 : index", f"{c}n = arith.constant {n - 1} : index",
                          f"{k}l = arith.maxsi {k}, {c}z : index",
                          f"{p} = arith.minsi {k}l, {c}n : index"]
            places.append({"same": place, "one": c}.get(way, p))
        indices = ", ".join(f"%p{d}: index" for d in range(len(a.shape)))
        body = "".join(f"    {line}\n" for line in lines)
        ty = self.type(a.shape)
        self.define(a.shape, f"tensor.generate {{\n  ^bb0({indices}):\n{body}"
                    f"    %v = tensor.extract {self.use(a)}[{', '.join(places)}] : {ty}\n"
                    f"    tensor.yield %v : {self.element}\n  }} : {ty}", a.scale)

    def op_element(self):
        """One element of a tensor written to a place of another."""
        a, b = self.pick(least=1, most=3), self.pick(least=1, most=3)
        if 0 in a.shape + b.shape:
            return
        at = ", ".join(self.place_of(n) for n in a.shape)
        to = ", ".join(self.place_of(n) for n in b.shape)
        element = self.fresh("s")
        self.emit(f"{element} = tensor.extract {self.use(a)}[{at}] : {self.type(a.shape)}")
        self.define(b.shape, f"tensor.insert {element} into {self.use(b)}[{to}] : "
                    f"{self.type(b.shape)}", max(a.scale, b.scale))

    def place_of(self, n):
        name = self.fresh("k")
        self.emit(f"{name} = arith.constant {self.rng.randrange(n)} : index")
        return name

    def op_negative_pad(self):
        """A pad that cuts on some sides. What it adds is a number."""
        a = self.pick(least=1, most=3)
        rank, shape = len(a.shape), []
        low, high = [], []
        for n in a.shape:
            low.append(self.rng.choice([0, 0, 1, 2, -1, -2, -n - 1]))
            high.append(max(self.rng.choice([0, 0, 1, 2, -1, -3]), 1 - n - low[-1]))
            shape.append(low[-1] + n + high[-1])
        if not self.is_static(a.shape, shape) or product_of(shape) > 3000 or 0 in a.shape:
            return
        indices = ", ".join(f"%p{d}: index" for d in range(rank))
        number = "2.0" if self.is_float() else "2"
        self.define(shape, f"tensor.pad {self.use(a)} low{low} high{high} {{\n  ^bb0({indices}):\n"
                    f"    %n = arith.constant {number} : {self.element}\n"
                    f"    tensor.yield %n : {self.element}\n"
                    f"  }} : {self.type(a.shape)} to {self.type(shape)}", max(a.scale, 2))

    # Loops.
    def counter(self, trips):
        """The bounds of an scf.for as text. Those that the run tells are known to nobody."""
        names = [self.fresh("k") for _ in range(3)]
        for name, n in zip(names, [0, trips, 1]):
            self.emit(f"{name} = arith.constant {n} : index")
        if self.rng.random() < 0.3:
            told, at, end = self.fresh("c"), self.fresh("k"), self.fresh("k")
            self.emit(f"{told} = arith.constant dense<{trips}> : tensor<1xindex>")
            self.emit(f"{at} = arith.constant 0 : index")
            self.emit(f"{end} = tensor.extract {told}[{at}] : tensor<1xindex>")
            names[1] = end
        return f"{names[0]} to {names[1]} step {names[2]}"

    def loop(self, name, index, bounds, starts, types, lines, yields):
        """A loop that begins as what `starts` has (what it carries, and from where) and whose body is
        `lines`; the names of its results. Some go on while the index is below the bound, and their
        condition passes on what is carried in any order."""
        many = ":" + str(len(types)) if len(types) > 1 else ""
        first = ", ".join(f"{u} = {a}" for u, a in starts)
        if self.rng.random() < 0.7:
            self.emit(f"{name}{many} = scf.for {index} = {bounds} iter_args({first}) -> "
                      f"({', '.join(types)}) {{")
            self.lines += ["  " + line for line in lines]
            self.emit(f"  scf.yield {', '.join(yields)} : {', '.join(types)}")
            self.emit("}")
            return [f"{name}#{k}" if many else name for k in range(len(types))]
        begin, rest = bounds.split(" to ")
        end, step = rest.split(" step ")
        order = self.rng.sample(range(len(types)), len(types))
        more, after = self.fresh("b"), self.fresh("i")
        passed = ", ".join(["index"] + [types[k] for k in order])
        given = ", ".join([index] + [starts[k][0] for k in order])
        self.emit(f"{name}:{len(types) + 1} = scf.while ({index} = {begin}, {first}) : "
                  f"({', '.join(['index'] + types)}) -> ({passed}) {{")
        self.emit(f"  {more} = arith.cmpi slt, {index}, {end} : index")
        self.emit(f"  scf.condition({more}) {given} : {passed}")
        self.emit("} do {")
        inner = [f"{index}: index"] + [f"{starts[k][0]}: {types[k]}" for k in order]
        self.emit(f"^bb0({', '.join(inner)}):")
        self.lines += ["  " + line for line in lines]
        self.emit(f"  {after} = arith.addi {index}, {step} : index")
        self.emit(f"  scf.yield {', '.join([after] + yields)} : {', '.join(['index'] + types)}")
        self.emit("}")
        return [f"{name}#{1 + order.index(k)}" for k in range(len(types))]

    def op_loop_rows(self):
        """Each trip reads a row of one tensor and writes one of another, and carries a row on."""
        a = self.pick(least=1, most=3)
        row = list(a.shape[1:])
        if not self.is_static(a.shape) or product_of(a.shape) == 0:
            return
        b, w = self.find(a.shape), self.find(row)
        op, bounds = self.binary(row), self.counter(a.shape[0])
        whole, part = self.type(a.shape), self.type(row)
        i, u, v, x, y, z = (self.fresh(what) for what in "iuvxyz")
        place = f"[{', '.join([i] + ['0'] * len(row))}] {[1] + row} {[1] * len(a.shape)}"
        result = self.fresh()
        lines = [f"{x} = tensor.extract_slice {self.use(a)}{place} : {whole} to {part}",
                 f"{y} = {op} {x}, {self.rng.choice([v, x])} : {part}",
                 f"{z} = tensor.insert_slice {y} into {u}{place} : {part} into {whole}"]
        kept = self.rng.choice([x, y if op != "arith.mulf" and op != "arith.muli" else x])
        starts = [(u, self.use(b)), (v, self.use(w))]
        rows, last = self.loop(result, i, bounds, starts, [whole, part], lines, [z, kept])
        scale = (a.shape[0] + 1) * self.scale(op, a.scale, max(w.scale, a.scale))
        self.keep_small(type(a)(rows, a.shape, max(scale, b.scale)))
        self.keep_small(type(a)(last, row, max(scale, w.scale)))

    def op_rows_at_once(self):
        """Each trip reads a row of one tensor, or one of what it writes, as it was before all trips: its
        own, or another trip's."""
        a = self.pick(least=1, most=3)
        row = list(a.shape[1:])
        if not self.is_static(a.shape) or product_of(a.shape) == 0:
            return
        b, op = self.find(a.shape), self.binary(row)
        whole, part, n = self.type(a.shape), self.type(row), a.shape[0]
        i, u, x, y, z, result = (self.fresh(what) for what in "iuxyzr")
        place = f"[{', '.join([i] + ['0'] * len(row))}] {[1] + row} {[1] * len(a.shape)}"
        step = self.rng.choice([s for s in (1, 2, 3) if s <= n])
        own = self.rng.random() < 0.5
        self.emit(f"{result} = scf.forall ({i}) = (0) to ({n}) step ({step}) "
                  f"shared_outs({u} = {self.use(b)}) -> ({whole}) {{")
        self.emit(f"  {x} = tensor.extract_slice {self.use(a)}{place} : {whole} to {part}")
        read = place
        if own and self.rng.random() < 0.5:
            last, other = self.fresh("n"), self.fresh("j")
            self.emit(f"  {last} = arith.constant {n - 1} : index")
            self.emit(f"  {other} = arith.subi {last}, {i} : index")
            read = place.replace(i, other, 1)
        self.emit(f"  {y} = tensor.extract_slice {u if own else self.use(a)}{read} : {whole} to {part}")
        self.emit(f"  {z} = {op} {x}, {y} : {part}")
        self.emit("  scf.forall.in_parallel {")
        self.emit(f"    tensor.parallel_insert_slice {z} into {u}{place} : {part} into {whole}")
        self.emit("  }")
        self.emit("}")
        scale = max(b.scale, self.scale(op, a.scale, b.scale if own else a.scale))
        self.keep_small(type(a)(result, a.shape, scale))

    def op_loop_parts(self):
        """Each trip reads its own part of tensors, along any dimension, builds its part of another, and adds
        to a sum, of the part itself or of what it is along one dimension. In some loops a trip depends on
        another after all: on the sum so far, on what another has built, or on how often the sum was halved."""
        rng = self.rng
        a = self.pick(least=1, most=3)
        if not self.is_static(a.shape) or product_of(a.shape) == 0:
            return
        d = rng.randrange(len(a.shape))
        n = a.shape[d]
        step = rng.choice([1, 1, 1] + [s for s in range(2, n) if n % s == 0])
        # Upstream's canonicalize takes another dimension of one element for the one that a slice drops.
        drops = step == 1 and rng.random() < 0.5 and all(m != 1 for i, m in enumerate(a.shape) if i != d)
        part = [m for i, m in enumerate(a.shape) if i != d] if drops else (
            list(a.shape[:d]) + [step] + list(a.shape[d + 1:]))
        if not self.is_static(part):
            return
        b, w, built = self.find(a.shape), self.find(part), self.find(a.shape)
        two, own = rng.random() < 0.5, rng.random() < 0.3
        spoilt = rng.choice(["sum", "place", "halved"]) if rng.random() < 0.25 else ""
        op, last, adds = self.binary(part), self.binary(part), rng.choice([self.kit["binary"][0], self.kit["binary"][3]])
        along = rng.randrange(len(part)) if part and not spoilt and rng.random() < 0.5 else None
        summed = [m for k, m in enumerate(part) if k != along]
        reduces = rng.choice([adds, adds, self.kit["binary"][0], self.kit["binary"][3]])
        init, scale = self.start(summed, self.kit["zero"])
        none = self.constant(summed, self.kit["zero"])
        ty, small, sum_type = self.type(a.shape), self.type(part), self.type(summed)
        i, u, v, x, y, z, s, r = (self.fresh(what) for what in "iuvxyzsr")
        bounds = [self.fresh("k") for _ in range(3)]
        for name, number in zip(bounds, [0, n, step]):
            self.emit(f"{name} = arith.constant {number} : index")

        def place(at):
            offsets = [at if k == d else "0" for k in range(len(a.shape))]
            sizes = [step if k == d else m for k, m in enumerate(a.shape)]
            return f"[{', '.join(offsets)}] {sizes} {[1] * len(a.shape)}"

        def body(name, text, ty=small):
            lines.append(f"{name} = {text} : {ty}")
            return name

        lines = []
        body(x, f"tensor.extract_slice {self.use(a)}{place(i)}", f"{ty} to {small}")
        other = self.use(w)
        if two:
            other = body(self.fresh("x"), f"tensor.extract_slice {self.use(b)}{place(i)}", f"{ty} to {small}")
        body(y, f"{op} {x}, {other}")
        level = self.scale(op, a.scale, b.scale if two else w.scale)
        if own or spoilt == "place":
            at = i
            if spoilt == "place":
                far, at = self.fresh("k"), self.fresh("j")
                self.emit(f"{far} = arith.constant {n - step} : index")
                body(at, f"arith.subi {far}, {i}", "index")
            old = body(self.fresh("x"), f"tensor.extract_slice {u}{place(at)}", f"{ty} to {small}")
            y = body(self.fresh("y"), f"{last} {y}, {old}")
            level = self.scale(last, level, max(level, built.scale)) * (n if spoilt else 1)
        if spoilt == "sum":
            y = body(self.fresh("y"), f"{self.kit['binary'][0]} {y}, {v}")
            level = 2 ** n * (level + scale)
        body(z, f"tensor.insert_slice {y} into {u}{place(i)}", f"{small} into {ty}")
        found = v
        if spoilt == "halved":
            half = self.constant(part, "0.5" if self.is_float() else "2")
            found = body(self.fresh("v"), f"{'arith.mulf' if self.is_float() else 'arith.andi'} {v}, {half}")
        if along is not None:
            g = self.fresh("g")
            lines.append(f"{g} = linalg.reduce {{ {reduces} }} ins({y} : {small}) outs({none} : {sum_type}) "
                         f"dimensions = [{along}]")
            y, level = g, part[along] * level
        body(s, f"{adds} {found}, {y}" if rng.random() < 0.7 else f"{adds} {y}, {found}", sum_type)
        self.emit(f"{r}:2 = scf.for {i} = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args("
                  f"{u} = {self.use(built)}, {v} = {init}) -> ({ty}, {sum_type}) {{")
        self.lines += ["  " + line for line in lines]
        self.emit(f"  scf.yield {z}, {s} : {ty}, {sum_type}")
        self.emit("}")
        self.keep_small(type(a)(f"{r}#0", a.shape, max(level, built.scale)))
        self.keep_small(type(a)(f"{r}#1", summed, n * level + scale))

    def op_loop_sums(self):
        """Products summed up over trips: into a sum that is carried, from it, or as its start; some
        loops carry two sums of them."""
        a = self.pick(least=2, most=2)
        w = self.find([a.shape[1], self.rng.choice([2, 3, 4, 6, 8])])
        shape = [a.shape[0], w.shape[1]]
        init, scale = self.start(shape, self.kit["zero"])
        zero = self.constant(shape, self.kit["zero"])
        trips = self.rng.randint(0, 3)
        bounds, ty = self.counter(trips), self.type(shape)
        result, u, p, n = (self.fresh(what) for what in "vupn")
        into = self.rng.random() < 0.3
        lines = [f"{p} = linalg.matmul ins({self.use(a)}, {self.use(w)} : {self.type(a.shape)}, "
                 f"{self.type(w.shape)}) outs({u if into else zero} : {ty}) -> {ty}"]
        if not into:
            add = self.rng.choice([self.kit["add"], self.kit["add"].replace("add", "sub")])
            lines.append(f"{n} = {add} {u}, {p} : {ty}")
        starts, yields, scales = [(u, init)], [p if into else n], [scale]
        if self.extras.random() < 0.4:
            other, more, next_one = self.fresh("u"), self.start(shape, self.kit["zero"]), self.fresh("n")
            lines.append(f"{next_one} = {self.kit['add']} {p}, {other} : {ty}")
            starts, yields = starts + [(other, more[0])], yields + [next_one]
            scales.append(more[1])
        names = self.loop(result, self.fresh("i"), bounds, starts, [ty] * len(starts), lines, yields)
        for name, begins in zip(names, scales):
            self.keep_small(type(a)(name, shape, begins + 3 * a.shape[1] * a.scale * w.scale))

    def op_reshaped_sums(self):
        """Sums of products that are reshaped in one way, perhaps with a tensor that is as they are then."""
        a = self.pick(least=2, most=2)
        m, k = a.shape
        outer = self.rng.choice([n for n in range(1, m + 1) if m % n == 0] or [1])
        if 0 in a.shape or not self.is_static([m, outer, m // outer]):
            return
        shape = [m, self.rng.choice([3, 4, 6, 8])]
        cut = [outer, m // outer, shape[1]]
        sizes = ", ".join(str(n) if n not in self.unknown else self.sizes([n]) for n in cut)
        sum_name, level = (self.use(self.find(cut)), 4) if self.rng.random() < 0.6 else (None, 0)
        for _ in range(self.rng.randint(2, 3)):
            w, product, turned = self.find([k, shape[1]]), self.fresh("p"), self.fresh("p")
            self.emit(f"{product} = linalg.matmul ins({self.use(a)}, {self.use(w)} : {self.type(a.shape)}, "
                      f"{self.type(w.shape)}) outs({self.constant(shape, self.kit['zero'])} : "
                      f"{self.type(shape)}) -> {self.type(shape)}")
            self.emit(f"{turned} = tensor.expand_shape {product} [[0, 1], [2]] output_shape [{sizes}] : "
                      f"{self.type(shape)} into {self.type(cut)}")
            level += k * a.scale * w.scale
            if sum_name:
                name, op = self.fresh("s"), self.rng.choice(["add", "add", "sub"])
                self.emit(f"{name} = {self.kit['add'].replace('add', op)} {sum_name}, {turned} : "
                          f"{self.type(cut)}")
                sum_name = name
            sum_name = sum_name or turned
        self.keep_small(type(a)(sum_name, cut, level))

    def op_sorted(self):
        """The elements along a dimension in order: how many are before each, and each at its place."""
        a = self.pick(least=1, most=3)
        rank = len(a.shape)
        along = self.rng.randrange(rank)
        if 0 in a.shape or not self.is_static(a.shape) or a.shape[along] > 60:
            return
        here = list(range(rank))
        other = [rank if d == along else d for d in here]
        kinds, zero = ["parallel"] * rank + ["reduction"], self.constant(a.shape, self.kit["zero"])
        compare = ["cmpf olt", "cmpf oeq"] if self.is_float() else ["cmpi slt", "cmpi eq"]
        one = [f"%one = arith.constant {'1.0' if self.is_float() else '1'} : {self.element}",
               f"%none = arith.constant {'0.0' if self.is_float() else '0'} : {self.element}"]
        self.generic([here, other, here], kinds, [(self.use(a), a.shape)] * 2, [(zero, a.shape)], one + [
            f"%i = linalg.index {along} : index", f"%j = linalg.index {rank} : index",
            f"%less = arith.{compare[0]}, %x1, %x0 : {self.element}",
            f"%same = arith.{compare[1]}, %x1, %x0 : {self.element}",
            "%first = arith.cmpi ult, %j, %i : index", "%tie = arith.andi %same, %first : i1",
            "%counts = arith.ori %less, %tie : i1",
            f"%v = arith.select %counts, %one, %none : {self.element}",
            f"%r = {self.kit['add']} %o0, %v : {self.element}"], ["%r"], [a.shape[along]])
        ranks = self.values[-1]
        if ranks.scale != a.shape[along]:
            return
        place = [f"%i = linalg.index {along} : index", f"%k = arith.index_cast %i : index to i64"]
        if self.is_float():
            place.append(f"%at = arith.sitofp %k : i64 to {self.element}")
        else:
            place.append("%at = arith.addi %k, %k0 : i64" if self.element == "i64"
                         else f"%at = arith.trunci %k : i64 to {self.element}")
            place.insert(1, "%k0 = arith.constant 0 : i64")
        self.generic([other, other, here], kinds, [(ranks.name, a.shape), (self.use(a), a.shape)],
                     [(zero, a.shape)], one + place + [
            f"%here = arith.{compare[1]}, %x0, %at : {self.element}",
            f"%v = arith.select %here, %x1, %none : {self.element}",
            f"%r = {self.kit['add']} %o0, %v : {self.element}"], ["%r"], [a.scale])

    def op_call_two(self):
        """A function that returns a tensor and another in the same memory; the caller writes one."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape or not self.is_static(a.shape, [1]):
            return
        name, ty = self.fresh("part").replace("%", "@"), self.type(a.shape)
        way = self.rng.choice(["twice", "first", "rest", "merged"])
        shape, text = list(a.shape), ""
        if way == "first" or way == "rest":
            shape[0] = self.rng.randint(1, a.shape[0])
            start = 0 if way == "first" else a.shape[0] - shape[0]
            offsets = [start] + [0] * (len(shape) - 1)
            text = f"tensor.extract_slice %r{offsets} {shape} {[1] * len(shape)} : {ty} to {self.type(shape)}"
        if way == "merged":
            shape = [product_of(a.shape)]
            text = f"tensor.collapse_shape %r [{list(range(len(a.shape)))}] : {ty} into {self.type(shape)}"
        if not self.is_static(shape):
            return
        op, other = self.binary(a.shape), self.type(shape)
        self.functions += [f"func.func private {name}(%x: {ty}) -> ({ty}, {other}) {{",
                           f"  %r = {op} %x, %x : {ty}"] + ([f"  %s = {text}"] if text else []) \
            + [f"  return %r, {'%s' if text else '%r'} : {ty}, {other}", "}"]
        result, scale = self.fresh(), self.scale(op, a.scale, a.scale)
        self.emit(f"{result}:2 = func.call {name}({self.use(a)}) : ({ty}) -> ({ty}, {other})")
        row = self.find([1] + list(a.shape[1:]))
        place = f"{[0] * len(a.shape)} {list(row.shape)} {[1] * len(a.shape)}"
        self.define(a.shape, f"tensor.insert_slice {self.use(row)} into {result}#0{place} : "
                    f"{self.type(row.shape)} into {ty}", max(scale, row.scale))
        self.keep_small(type(a)(f"{result}#1", shape, scale))

    # Ops inside ops.
    def inside(self, arguments, like):
        """Lines of a region of a few ops that sees `arguments` besides all there is, and a value in it
        of the shape of `like`, bounded where trips would let it grow."""
        outer_lines, outer_values = self.lines, self.values
        self.lines, self.values = [], list(self.values) + arguments
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.some_op()
        made = [v for v in self.values if v not in outer_values and v not in arguments
                and v.shape == like.shape]
        value = made[-1] if made and self.rng.random() < 0.6 else None
        if value is None or self.rng.random() < 0.5:
            other = value or self.find(like.shape, 0.1)
            value = self.define(like.shape, f"{self.kit['add']} {self.use(other)}, "
                                f"{self.use((arguments or [like])[0])}"
                                f" : {self.type(like.shape)}", other.scale + like.scale + 1)
        if self.is_float():
            value = self.define(like.shape, f"math.tanh {value.name} : {self.type(like.shape)}", 1)
        if self.rng.random() < 0.15:
            value = self.annotate(value)
        lines = self.lines
        self.lines, self.values = outer_lines, outer_values
        self.depth -= 1
        return lines, value

    def op_region(self):
        """A loop or a branch with a few ops in it, up to two deep."""
        if self.depth < 2:
            self.rng.choice([self.region_loop, self.region_loop, self.region_branch])()

    def region_loop(self):
        a, bounds = self.pick(least=1), self.counter(self.rng.randint(0, 3))
        pair = [a, self.find(a.shape)] if self.rng.random() < 0.4 else [a]
        ty, make = self.type(a.shape), type(a)
        inner = [make(self.fresh("u"), a.shape, max(v.scale, 1)) for v in pair]
        starts = [(u.name, self.use(v)) for u, v in zip(inner, pair)]
        lines, value = self.inside(inner, a)
        yields = [value.name]
        if len(pair) > 1:
            yields.append(self.rng.choice([inner[0].name, inner[1].name, value.name]))
            self.rng.shuffle(yields)
        names = self.loop(self.fresh(), self.fresh("i"), bounds, starts, [ty] * len(pair), lines, yields)
        scale = max([1] + [v.scale for v in pair])
        for name in names:
            self.keep_small(make(name, a.shape, scale))

    def region_branch(self):
        a, condition = self.pick(least=1), self.condition()
        ty, name = self.type(a.shape), self.fresh()
        taken, value = self.inside([], a)
        other, instead = self.inside([], a) if self.rng.random() < 0.5 else ([], a)
        self.emit(f"{name} = scf.if {condition} -> ({ty}) {{")
        self.lines += ["  " + line for line in taken]
        self.emit(f"  scf.yield {value.name} : {ty}")
        self.emit("} else {")
        self.lines += ["  " + line for line in other]
        self.emit(f"  scf.yield {self.use(instead) if instead is a else instead.name} : {ty}")
        self.emit("}")
        self.keep_small(type(a)(name, a.shape, max(value.scale, instead.scale)))


def product_of(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result
