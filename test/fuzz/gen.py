#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Writes a random annotated program: small graphs side by side in one function, on a random grid.
# The same options always give the same text. It knows what programs mean, not how they compile.
"""usage: gen.py --seed N [--graphs K] [--ops M] [--only I[,J...]] [--keep T] [--grid SHAPE]

--graphs K  independent graphs in the function (default 3)
--ops M     ops of a graph at most (default 9)
--only I    only these graphs, which stay as they are
--keep T    only the first T ops of each graph, which stay as they are
--grid G    another shape of the grid; the rest stays as it is if it has as many axes

The second line of the text has the arguments that tessera-check needs for it: in some graphs the
extents of certain sizes are known only at run time.
"""

import argparse
import random
import re

from forms import Forms
from singles import Singles
from windows import Windows

GRIDS = ["1", "2", "3", "4", "5", "6", "7", "8", "2x1", "1x2", "2x2", "2x3", "3x2", "2x4", "4x2",
         "2x2", "2x4", "2x2x2", "1x2x2", "2x1x3", "2x2x1"]
SIZES = [1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 10, 12, 16]
MOST_ELEMENTS = 3000

# Element types, and what may be done with them. Sums of f64 and integers agree to the last digits,
# so that almost every difference is a mistake; f32 is here for its code.
FLOAT = {
    "binary": ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minnumf"],
    "unary": ["math.absf", "arith.negf"],
    "reduce": {"arith.addf": "0.0", "arith.mulf": "1.0", "arith.maximumf": "-1.0e30",
               "arith.minimumf": "1.0e30", "arith.maxnumf": "-1.0e30",
               "arith.minnumf": "1.0e30"},
    "add": "arith.addf", "mul": "arith.mulf", "zero": "0.0",
}
INTEGER = {
    "binary": ["arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minui",
               "arith.xori", "arith.andi", "arith.ori"],
    "unary": ["math.absi"],
    "reduce": {"arith.addi": "0", "arith.muli": "1", "arith.maxsi": "-2147483648",
               "arith.minsi": "2147483647", "arith.maxui": "0", "arith.minui": "-1",
               "arith.andi": "-1", "arith.ori": "0", "arith.xori": "0"},
    "add": "arith.addi", "mul": "arith.muli", "zero": "0",
}
LARGEST = {"f64": 1e5, "f32": 1e2}
TYPES = {"f64": FLOAT, "f32": FLOAT, "i32": INTEGER, "i64": INTEGER}


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def tensor(shape, element, unknown=()):
    return "tensor<" + "".join(f"{'?' if n in unknown else n}x" for n in shape) + element + ">"


def mapping(loops, results):
    names = ", ".join(f"d{i}" for i in range(loops))
    ends = ", ".join("0" if r is None else f"d{r}" for r in results)
    return f"affine_map<({names}) -> ({ends})>"


class Value:
    """`scale` bounds the magnitude of the elements. Floats are scaled down where it becomes large:
    a rounding error of a large value must not become a visible part of a small one."""

    def __init__(self, name, shape, scale):
        self.name, self.shape, self.scale, self.uses = name, tuple(shape), scale, 0
        self.annotated = False


class Graph(Forms, Windows, Singles):
    """One graph: its arguments, its lines, its values. All names carry the graph's number."""

    def __init__(self, rng, extras, number, grid, shardings, keep):
        self.rng, self.extras, self.number, self.shardings = rng, extras, number, shardings
        self.grid, self.axes = grid, len(grid)
        self.element = rng.choice(["f64", "f64", "f64", "i32", "i32", "i64", "f32"])
        self.kit = TYPES[self.element]
        self.keep = keep
        # Dimensions of these extents are `?` in every type.
        self.unknown = set()
        if rng.random() < 0.4:
            self.unknown = {n for n in sorted(set(SIZES)) if rng.random() < 0.45}
            self.unknown |= {0} if extras.random() < 0.45 else set()
        self.arguments, self.lines, self.values, self.functions = [], [], [], []
        self.count, self.depth, self.last_dims = 0, 0, []
        # In some graphs hardly anything says a layout: all of it is the compiler's choice.
        self.annotates = extras.choice([0.5, 0.5, 0.5, 0.1])
        self.tells = False  # some annotation has numbers that only the run knows

    # Names and text.
    def fresh(self, what="v"):
        self.count += 1
        return f"%{what}{self.number}_{self.count}"

    def type(self, shape):
        return tensor(shape, self.element, self.unknown)

    def raw(self, shape, unknown):
        """The type that an op gives to a result, dimension by dimension `?` or not."""
        return "tensor<" + "".join(f"{'?' if u else n}x" for n, u in zip(shape, unknown)) \
            + self.element + ">"

    def is_unknown(self, shape):
        return [n in self.unknown for n in shape]

    def sizes(self, shape):
        """Index values, one for each `?`: what some tensor has there, or a constant."""
        names = []
        for n in shape:
            if n not in self.unknown:
                continue
            name, like = self.fresh("n"), [v for v in self.values if n in v.shape]
            if like and self.rng.random() < 0.8:
                value, d = self.rng.choice(like), self.fresh("d")
                self.emit(f"{d} = arith.constant {value.shape.index(n)} : index")
                self.emit(f"{name} = tensor.dim {value.name}, {d} : {self.type(value.shape)}")
            else:
                self.emit(f"{name} = arith.constant {n} : index")
            names.append(name)
        return ", ".join(names)

    def define_as(self, shape, raw, text, scale):
        """The result of an op that gives the type `raw`, as a value of the graph's type."""
        if raw == self.type(shape):
            return self.define(shape, text, scale)
        name = self.fresh("r")
        self.emit(f"{name} = {text}")
        return self.define(shape, f"tensor.cast {name} : {raw} to {self.type(shape)}", scale)

    def joined(self, parts, d):
        """The operands of a join of these along `d`, and their types: all as they are, or all casts that
        forget what they have there."""
        names, types = list(map(self.use, parts)), [self.type(v.shape) for v in parts]
        if self.extras.random() < 0.25:
            for i, value in enumerate(parts):
                unknown = [u or e == d for e, u in enumerate(self.is_unknown(value.shape))]
                raw, name = self.raw(value.shape, unknown), self.fresh("f")
                if raw != types[i]:
                    self.emit(f"{name} = tensor.cast {names[i]} : {types[i]} to {raw}")
                    names[i], types[i] = name, raw
        return f"{', '.join(names)} : ({', '.join(types)})"

    def new_value(self, name, shape, scale):
        return Value(name, shape, scale)

    def emit(self, text):
        # Upstream folds x ^ x and x - x to a constant, which it then finds annotated in several blocks.
        self.lines.append("  " + re.sub(r"arith\.(?:xori|subi) (%\S+), \1 ", r"arith.andi \1, \1 ", text))

    def define(self, shape, text, scale):
        value = Value(self.fresh(), shape, scale)
        self.emit(f"{value.name} = {text}")
        return self.keep_small(value)

    def keep_small(self, value):
        if self.kit is FLOAT and value.scale > LARGEST[self.element]:
            factor = 0.5
            while factor * value.scale > 1:
                factor /= 2
            constant = self.constant(value.shape, f"{factor:e}", kind=0)
            result, ty = Value(self.fresh(), value.shape, 1), self.type(value.shape)
            self.emit(f"{result.name} = arith.mulf {value.name}, {constant} : {ty}")
            value = result
        self.values.append(value)
        return value

    def use(self, value):
        value.uses += 1
        return value.name

    # Values to work on.
    def shape(self, rank):
        shape = [self.rng.choice(SIZES) for _ in range(rank)]
        while product(shape) > MOST_ELEMENTS:
            shape[shape.index(max(shape))] = self.rng.choice([1, 2, 3, 4])
        return shape

    def argument(self, shape):
        value = Value(self.fresh("a"), shape, 5)
        self.arguments.append((value.name, self.type(shape), shape))
        self.values.append(value)
        if self.rng.random() < self.annotates:
            return self.annotate(value)
        return value

    def constant(self, shape, number, kind=None):
        """An initial value: a constant, a fill, a tensor.splat, or a dense constant."""
        kind = self.rng.randrange(4) if kind is None else kind
        ty = self.type(shape)
        if kind == 0 and "?" in ty:
            kind = 1
        if kind == 0:
            name = self.fresh("c")
            self.emit(f"{name} = arith.constant dense<{number}> : {ty}")
            return name
        scalar = self.fresh("s")
        self.emit(f"{scalar} = arith.constant {number} : {self.element}")
        name = self.fresh("c")
        if kind == 1 and shape:
            sizes = self.sizes(shape)
            self.emit(f"{name} = tensor.splat {scalar}{f'[{sizes}]' if sizes else ''} : {ty}")
            return name
        empty = self.empty(shape)
        self.emit(f"{name} = linalg.fill ins({scalar} : {self.element}) outs({empty} : {ty})"
                  f" -> {ty}")
        return name

    def dense(self, shape):
        def numbers(dims):
            if not dims:
                n = self.rng.randrange(-9, 10)
                return f"{n}.0" if self.kit is FLOAT else str(n)
            return "[" + ", ".join(numbers(dims[1:]) for _ in range(dims[0])) + "]"
        name, ty = self.fresh("c"), tensor(shape, self.element)
        self.emit(f"{name} = arith.constant dense<{numbers(shape)}> : {ty}")
        if ty == self.type(shape):
            return name
        cast = self.fresh("c")
        self.emit(f"{cast} = tensor.cast {name} : {ty} to {self.type(shape)}")
        return cast

    def empty(self, shape):
        sizes, name = self.sizes(shape), self.fresh("e")
        self.emit(f"{name} = tensor.empty({sizes}) : {self.type(shape)}")
        return name

    def start(self, shape, neutral):
        """The initial value of a reduction, and its scale: neutral, another number, or a value."""
        roll = self.rng.random()
        if roll < 0.5:
            return self.constant(shape, neutral), 1
        if roll < 0.65:
            return self.constant(shape, "3.0" if self.kit is FLOAT else "3"), 3
        if roll < 0.75 and product(shape) <= 40:
            return self.dense(shape), 9
        value = self.find(shape)
        return self.use(value), value.scale

    def pick(self, least=0, most=4):
        fitting = [v for v in self.values if least <= len(v.shape) <= most]
        if not fitting:
            return self.argument(self.shape(self.rng.randint(max(least, 1), max(most, 1))))
        # Recent values first, so that graphs grow deep.
        return fitting[max(self.rng.randrange(len(fitting)), self.rng.randrange(len(fitting)))]

    def find(self, shape, new=0.2):
        fitting = [v for v in self.values if v.shape == tuple(shape)]
        if fitting and self.rng.random() >= new:
            return self.rng.choice(fitting)
        return self.argument(shape)

    # Annotations.
    def halos(self, dims):
        """Two sizes for each split dimension; some are told by the launch, as %small."""
        sizes = [self.extras.choice([0, 1, 2, 5, "%small"]) for d in dims if d for _ in range(2)]
        return f" halo_sizes = [{', '.join(map(str, sizes))}]"

    def counts_alike(self, dims):
        """Upstream's verifier adds the extents of axes up where it should multiply them."""
        return all(sum(self.grid[a] for a in axes) == product(self.grid[a] for a in axes)
                   for axes in dims if axes)

    def offsets(self, dims, shape):
        """Of each split dimension, ascending; %small is at most 3, what is behind it at least."""
        starts = []
        for axes, size in zip(dims, shape):
            if not axes:
                continue
            inner = [self.extras.randint(0, size) for _ in range(product(self.grid[a] for a in axes) - 1)]
            inner.sort()
            told = [i for i, n in enumerate(inner) if n >= 3]
            if told and self.extras.random() < 0.6:
                inner[:told[0]] = [0] * told[0]
                inner[told[0]] = "%small"
            starts += [0, *inner, size]
        return f" sharded_dims_offsets = [{', '.join(map(str, starts))}]"

    def sharding(self, shape):
        rank = len(shape)
        axes = list(range(self.axes))
        self.rng.shuffle(axes)
        dims = [[] for _ in range(max(rank, 1))]
        for axis in axes:
            if rank and self.rng.random() < 0.75:
                dims[self.rng.randrange(rank)].append(axis)
        text = "[" + ", ".join(str(d) for d in dims) + "]"
        self.last_dims, chance = dims, self.extras.random()
        if any(dims) and chance < 0.1:
            text += self.halos(dims)
        elif chance < 0.25 and any(dims) and self.counts_alike(dims):
            text += self.offsets(dims, shape)
        return self.shardings.setdefault(text, f"%sharding{len(self.shardings)}")

    def index_of(self, value, d):
        """The extent of dimension d as an i64."""
        names = [self.fresh(what) for what in "dnm"]
        self.emit(f"{names[0]} = arith.constant {d} : index")
        self.emit(f"{names[1]} = tensor.dim {value.name}, {names[0]} : {self.type(value.shape)}")
        self.emit(f"{names[2]} = arith.index_cast {names[1]} : index to i64")
        return names[2]

    def ascending(self, end, count):
        """0, then numbers that the run computes and that do not pass `end`, then `end`."""
        starts = ["0"]
        for _ in range(count - 1):
            step, last = self.fresh("k"), starts[-1]
            self.emit(f"{step} = arith.constant {self.extras.choice([0, 1, 2, 3])} : i64")
            if last != "0":
                last, step = self.fresh("k"), f"{last}, {step}"
                self.emit(f"{last} = arith.addi {step} : i64")
                step = last
            starts.append(self.fresh("k"))
            self.emit(f"{starts[-1]} = arith.minsi {step}, {end} : i64")
        return starts + [end]

    def told_by_extents(self, value):
        """For an argument of `?` extents: offsets that end with its own extent, or halos from the
        extent of another one. The numbers are not shared: they are known here only."""
        dims = [d for d, n in enumerate(value.shape) if n in self.unknown]
        is_new = any(value.name == name for name, _, _ in self.arguments) and value.uses == 0
        if not dims or not is_new or self.depth or self.extras.random() > 0.35:
            return None
        d, axis = self.extras.choice(dims), self.extras.randrange(self.axes)
        axes = [[axis] if i == d else [] for i in range(len(value.shape))]
        others = [Value(name, shape, 1) for name, _, shape in self.arguments
                  if name != value.name and shape]
        if others and self.extras.random() < 0.4:
            size, two, halo = self.index_of(self.extras.choice(others), 0), *map(self.fresh, "kh")
            self.emit(f"{two} = arith.constant 2 : i64")
            self.emit(f"{halo} = arith.remsi {size}, {two} : i64")
            numbers = f"halo_sizes = [{halo}, {self.extras.choice([0, 1])}]"
        else:
            starts = self.ascending(self.index_of(value, d), self.grid[axis])
            numbers = f"sharded_dims_offsets = [{', '.join(starts)}]"
        name = self.fresh("g")
        self.emit(f"{name} = shard.sharding @grid split_axes = {axes} {numbers} : !shard.sharding")
        return name

    def annotate(self, value, sharding=None):
        growth = ""
        if not sharding:
            shared = self.sharding(value.shape)
            sharding = self.told_by_extents(value)
            self.tells = self.tells or sharding is not None
            growth = "" if sharding else self.growth(value.shape, self.last_dims)
            sharding = sharding or shared
        flag = " annotate_for_users" if value.annotated else ""
        result = self.define(value.shape, f"shard.shard {self.use(value)} to "
                             f"{sharding}{flag}{growth} : {self.type(value.shape)}",
                             value.scale)
        result.annotated = True
        # The plain value is not used any more: a value has one definition.
        if not value.annotated:
            self.values.remove(value)
        return result

    # Ops.
    def generic(self, maps, kinds, inputs, outputs, body, yields, scales):
        """inputs and outputs: (name, shape); body: lines over %x0, %x1, … and %o0, %o1, …"""
        loops = ", ".join(f'"{k}"' for k in kinds)
        texts = ", ".join(mapping(len(kinds), m) for m in maps)

        def group(word, operands):
            if not operands:
                return ""
            names = ", ".join(n for n, _ in operands)
            types = ", ".join(self.type(s) for _, s in operands)
            return f" {word}({names} : {types})"
        shapes = [s for _, s in outputs]
        types = ", ".join(self.type(s) for s in shapes)
        many = len(outputs) > 1
        name = self.fresh()
        self.emit(f"{name}{f':{len(outputs)}' if many else ''} = linalg.generic "
                  f"{{indexing_maps = [{texts}], iterator_types = [{loops}]}}"
                  f"{group('ins', inputs)}{group('outs', outputs)} {{")
        arguments = [f"%x{i}: {self.element}" for i in range(len(inputs))]
        arguments += [f"%o{i}: {self.element}" for i in range(len(outputs))]
        self.emit(f"^bb0({', '.join(arguments)}):")
        for line in body:
            self.emit("  " + line)
        self.emit(f"  linalg.yield {', '.join(yields)} : "
                  f"{', '.join([self.element] * len(yields))}")
        self.emit(f"}} -> {f'({types})' if many else types}")
        for i, shape in enumerate(shapes):
            self.keep_small(Value(f"{name}#{i}" if many else name, shape, scales[i]))

    def binary(self, shape):
        op = self.rng.choice(self.kit["binary"])
        # Upstream folds x ^ x to a constant, which there is none of a run-time shape.
        return "arith.ori" if op == "arith.xori" and any(self.is_unknown(shape)) else op

    def op_binary(self):
        a = self.pick()
        b = self.find(a.shape, 0.3)
        op = self.binary(a.shape)
        self.define(a.shape, f"{op} {self.use(a)}, {self.use(b)} : {self.type(a.shape)}",
                    self.scale(op, a.scale, b.scale))

    def op_unary(self):
        a = self.pick()
        op = self.rng.choice(self.kit["unary"])
        scale = a.scale
        if self.kit is FLOAT and a.scale <= LARGEST[self.element] / 20:
            op, scale = "math.tanh", 1
        self.define(a.shape, f"{op} {self.use(a)} : {self.type(a.shape)}", scale)

    def op_scale(self):
        a = self.pick()
        c = self.constant(a.shape, "0.5" if self.kit is FLOAT else "-3")
        op = self.rng.choice([self.kit["mul"], self.kit["add"]])
        self.define(a.shape, f"{op} {self.use(a)}, {c} : {self.type(a.shape)}", a.scale + 1)

    def op_dense(self):
        a = self.pick()
        if product(a.shape) > 40:
            return
        c = self.dense(a.shape)
        self.define(a.shape, f"{self.kit['mul']} {self.use(a)}, {c} : {self.type(a.shape)}",
                    9 * a.scale)

    def op_broadcasting(self):
        """An element-wise generic whose second operand lacks, permutes or has size-1 dimensions."""
        a = self.pick(least=1)
        rank = len(a.shape)
        dims = [d for d in range(rank) if self.rng.random() < 0.6]
        self.rng.shuffle(dims)
        shape, ends = [], []
        for d in dims:
            one = self.rng.random() < 0.25
            shape.append(1 if one else a.shape[d])
            ends.append(None if one else d)
        b = self.find(shape)
        out = list(range(rank))
        self.rng.shuffle(out)
        result = [a.shape[d] for d in out]
        op = self.rng.choice(self.kit["binary"])
        self.generic([list(range(rank)), ends, out], ["parallel"] * rank,
                     [(self.use(a), a.shape), (self.use(b), shape)],
                     [(self.empty(result), result)],
                     [f"%r = {op} %x0, %x1 : {self.element}"], ["%r"],
                     [self.scale(op, a.scale, b.scale)])

    def op_two_results(self):
        a = self.pick(least=1)
        rank = len(a.shape)
        out = list(range(rank))
        self.rng.shuffle(out)
        turned = [a.shape[d] for d in out]
        b = self.find(a.shape)
        self.generic([list(range(rank)), out, list(range(rank))], ["parallel"] * rank,
                     [(self.use(a), a.shape)],
                     [(self.empty(turned), turned), (self.use(b), a.shape)],
                     [f"%r = {self.kit['add']} %x0, %x0 : {self.element}",
                      f"%s = {self.kit['mul']} %x0, %o1 : {self.element}"], ["%r", "%s"],
                     [2 * a.scale, a.scale * b.scale])

    def op_index(self):
        a = self.pick(least=1)
        rank = len(a.shape)
        d = self.rng.randrange(rank)
        e = self.rng.randrange(rank)
        cast = ["%k = arith.index_cast %h : index to i64"]
        if self.kit is FLOAT:
            cast.append(f"%n = arith.sitofp %k : i64 to {self.element}")
        elif self.element == "i64":
            cast = ["%n = arith.index_cast %h : index to i64"]
        else:
            cast = ["%n = arith.index_cast %h : index to i32"]
        self.generic([list(range(rank))] * 2, ["parallel"] * rank, [(self.use(a), a.shape)],
                     [(self.empty(a.shape), a.shape)],
                     [f"%i = linalg.index {d} : index", f"%j = linalg.index {e} : index",
                      "%g = arith.muli %i, %i : index", "%h = arith.addi %g, %j : index"] + cast
                     + [f"%r = {self.kit['add']} %x0, %n : {self.element}"], ["%r"],
                     [a.scale + a.shape[d] ** 2 + a.shape[e]])

    def scaled_place(self, name, loop, num, extent):
        """Lines that compute %name below `extent`, rising or falling with the index of a loop of
        `num`: where an image is read that is resized; in integers or in floats, cut at the end."""
        by, shift = self.rng.choice([(extent, num), (1, 2), (2, 3), (1, 1)]), self.rng.choice([0, 0, 1, 2])
        falls = self.rng.random() < 0.2
        lines = [f"%{name}i = linalg.index {loop} : index",
                 f"%{name}z = arith.constant 0 : index",
                 f"%{name}m = arith.constant {num - 1} : index",
                 f"%{name}l = arith.constant {extent - 1} : index",
                 f"%{name}c = arith.constant {shift} : index",
                 f"%{name}j = arith.{'subi %' + name + 'm, ' if falls else 'maxsi %' + name + 'z, '}"
                 f"%{name}i : index"]
        if self.rng.random() < 0.5:
            lines += [f"%{name}f = arith.constant {by[0]} : index",
                      f"%{name}g = arith.constant {by[1]} : index",
                      f"%{name}p = arith.muli %{name}j, %{name}f : index",
                      f"%{name}o = arith.{self.rng.choice(['floordivsi', 'divui', 'ceildivsi'])} "
                      f"%{name}p, %{name}g : index"]
        else:
            lines += [f"%{name}k = arith.index_cast %{name}j : index to i32",
                      f"%{name}x = arith.sitofp %{name}k : i32 to f32",
                      f"%{name}f = arith.constant {float(by[0])} : f32",
                      f"%{name}g = arith.constant {float(by[1])} : f32",
                      f"%{name}y = arith.mulf %{name}x, %{name}f : f32",
                      f"%{name}p = arith.divf %{name}y, %{name}g : f32",
                      f"%{name}q = math.floor %{name}p : f32",
                      f"%{name}r = arith.fptosi %{name}q : f32 to i32",
                      f"%{name}o = arith.index_cast %{name}r : i32 to index"]
        return lines + [f"%{name}s = arith.addi %{name}o, %{name}c : index",
                        f"%{name} = arith.minsi %{name}s, %{name}l : index"]

    def place(self, name, loops, extent):
        """Lines that compute %name, a place below `extent` that depends on a loop in a way that
        nobody sees through, one that rises with it, or the index of the loop itself where that has
        the extent."""
        same = [l for l, n in enumerate(loops) if n == extent]
        if same and self.rng.random() < 0.5:
            return [f"%{name} = linalg.index {self.rng.choice(same)} : index"]
        if self.rng.random() < 0.5:
            loop = self.rng.randrange(len(loops))
            return self.scaled_place(name, loop, loops[loop], extent)
        loop, factor, shift = self.rng.randrange(len(loops)), self.rng.choice([1, 3, 5]), \
            self.rng.randrange(extent)
        return [f"%{name}i = linalg.index {loop} : index",
                f"%{name}f = arith.constant {factor} : index",
                f"%{name}c = arith.constant {shift} : index",
                f"%{name}n = arith.constant {extent} : index",
                f"%{name}p = arith.muli %{name}i, %{name}f : index",
                f"%{name}q = arith.addi %{name}p, %{name}c : index",
                f"%{name} = arith.remui %{name}q, %{name}n : index"]

    def op_lookup(self):
        """A body that reads a tensor of its own accord, elementwise or in a sum."""
        table, a = self.pick(least=1, most=3), self.pick(least=1)
        if 0 in table.shape + a.shape:
            return
        rank, body = len(a.shape), []
        for d, n in enumerate(table.shape):
            body += self.place(f"t{d}", a.shape, n)
        places = ", ".join(f"%t{d}" for d in range(len(table.shape)))
        body.append(f"%v = tensor.extract {self.use(table)}[{places}] : {self.type(table.shape)}")
        if self.rng.random() < 0.6:
            self.generic([list(range(rank))] * 2, ["parallel"] * rank, [(self.use(a), a.shape)],
                         [(self.empty(a.shape), a.shape)],
                         body + [f"%r = {self.kit['add']} %x0, %v : {self.element}"], ["%r"],
                         [a.scale + table.scale])
            if self.rng.random() < 0.4:
                self.fill_found(self.values[-1])
            return
        gone = self.rng.randrange(rank)
        out = [d for d in range(rank) if d != gone]
        shape = [a.shape[d] for d in out]
        init, scale = self.start(shape, self.kit["zero"])
        self.generic([list(range(rank)), out],
                     ["reduction" if d == gone else "parallel" for d in range(rank)],
                     [(self.use(a), a.shape)], [(init, shape)],
                     body + [f"%s = {self.kit['add']} %x0, %v : {self.element}",
                             f"%r = {self.kit['add']} %s, %o0 : {self.element}"], ["%r"],
                     [scale + a.shape[gone] * (a.scale + table.scale)])

    def fill_found(self, found):
        """A number in place of some of what was looked up, and sums of that."""
        rank, d = len(found.shape), self.rng.randrange(len(found.shape))
        number = "2.0" if self.kit is FLOAT else "2"
        sides = ["%x0", "%k"] if self.rng.random() < 0.5 else ["%k", "%x0"]
        self.generic([list(range(rank))] * 2, ["parallel"] * rank, [(self.use(found), found.shape)],
                     [(self.empty(found.shape), found.shape)],
                     [f"%w = linalg.index {d} : index", "%l = arith.constant 2 : index",
                      f"%k = arith.constant {number} : {self.element}", "%c = arith.cmpi ult, %w, %l : index",
                      f"%r = arith.select %c, {', '.join(sides)} : {self.element}"], ["%r"],
                     [max(found.scale, 2)])
        filled = self.values[-1]
        shape = [n for e, n in enumerate(filled.shape) if e != d]
        init = self.constant(shape, self.kit["zero"])
        self.define(shape, f"linalg.reduce {{ {self.kit['add']} }} ins({self.use(filled)} : "
                    f"{self.type(filled.shape)}) outs({init} : {self.type(shape)}) dimensions = [{d}]",
                    filled.scale * filled.shape[d])

    def found(self, loop):
        """Lines that compare the index of `loop` with %t, as importers do, and in other words: %h
        holds where they are equal, %n where they differ."""
        rng, kind = self.rng, self.rng.choice(["index", "index", "i64", "i32", "i8"])
        cast = "" if kind == "index" else "_cast"
        body = [f"%w = linalg.index {loop} : index"]
        if cast:
            body += [f"%{x}{cast} = arith.index_cast %{x} : index to {kind}" for x in "wt"]
        sides = [f"%w{cast}", f"%t{cast}"]
        if rng.random() < 0.4:
            body += [f"%k = arith.constant {rng.randrange(1, 9)} : {kind}"]
            body += [f"%k{i} = arith.{rng.choice(['addi', 'subi'])} {side}, %k : {kind}"
                     for i, side in enumerate(sides)]
            sides = ["%k0", "%k1"]
        rng.shuffle(sides)
        return body + [f"%h = arith.cmpi eq, {sides[0]}, {sides[1]} : {kind}",
                       f"%n = arith.cmpi ne, {sides[1]}, {sides[0]} : {kind}"]

    def where_found(self):
        """Lines that add %x0 to %o0 where %h holds, as %r; or 1."""
        rng, element = self.rng, self.element
        add, form = f"{self.kit['add']} %o0, ", rng.choice(["after", "before", "differ", "count"])
        if form == "after":
            return [f"%s = {add}%x0 : {element}", f"%r = arith.select %h, %s, %o0 : {element}"]
        if form == "count":
            to = "uitofp" if self.kit is FLOAT else "extui"
            return [f"%m = arith.{to} %h : i1 to {element}", f"%r = {add}%m : {element}"]
        chosen = "%h, %x0, %z" if form == "before" else "%n, %z, %x0"
        return [f"%z = arith.constant {self.kit['zero']} : {element}",
                f"%m = arith.select {chosen} : {element}", f"%r = {add}%m : {element}"]

    def op_scatter(self):
        """Rows added to those of another tensor that a comparison finds."""
        rows = self.pick(least=1, most=3)
        if 0 in rows.shape:
            return
        rank = len(rows.shape)
        shape = [self.rng.choice(SIZES)] + list(rows.shape[1:])
        init, scale = self.start(shape, self.kit["zero"])
        body = self.place("t", rows.shape, shape[0] + self.rng.choice([0, 0, 3]))
        body = [line.replace("linalg.index 0 ", f"linalg.index {rank} ") for line in body]
        inner = list(range(1, rank))
        self.generic([[rank] + inner, list(range(rank))], ["parallel"] * rank + ["reduction"],
                     [(self.use(rows), rows.shape)], [(init, shape)],
                     body + self.found(0) + self.where_found(), ["%r"],
                     [scale + rows.shape[0] * max(1, rows.scale)])

    def op_one_hot(self):
        """Rows of a tensor that a comparison finds, as a sum over all of them, or over several."""
        table = self.pick(least=1, most=3)
        if 0 in table.shape:
            return
        rank, bag = len(table.shape), self.rng.random() < 0.3
        shape = [self.rng.choice(SIZES)] + list(table.shape[1:])
        init, scale = self.start(shape, self.kit["zero"])
        # Loops: the result's, perhaps one of several rows, the table's rows.
        loops = shape + [4] * bag
        body = self.place("t", loops, table.shape[0] + self.rng.choice([0, 0, 3]))
        results = list(range(rank))
        # No operand has the extent of the loop of several rows, but one whose elements are added.
        several = [(self.use(value), value.shape) for value in [self.find([4])] * bag]
        self.generic([[len(loops)] + results[1:]] + [[rank]] * bag + [results],
                     ["parallel"] * rank + ["reduction"] * (1 + bag),
                     [(self.use(table), table.shape)] + several, [(init, shape)],
                     body + self.found(len(loops)) + self.where_found(), ["%r"],
                     [scale + 4 * table.shape[0] * max(1, table.scale)])

    def op_matmul(self):
        a = self.pick(least=2, most=2)
        m, k = a.shape
        n = self.rng.choice(SIZES)
        others = [v for v in self.values if len(v.shape) == 2 and v.shape[0] == k]
        b = self.rng.choice(others) if others and self.rng.random() < 0.5 else None
        b = b or self.argument([k, n])
        shape = [m, b.shape[1]]
        init, scale = self.start(shape, self.kit["zero"])
        self.define(shape, f"linalg.matmul ins({self.use(a)}, {self.use(b)} : "
                    f"{self.type(a.shape)}, {self.type(b.shape)}) outs({init} : "
                    f"{self.type(shape)}) -> {self.type(shape)}",
                    scale + a.shape[-1] * a.scale * b.scale)

    def op_batch_matmul(self):
        a = self.pick(least=3, most=3)
        b = self.find([a.shape[0], a.shape[2], self.rng.choice(SIZES[:8])])
        shape = [a.shape[0], a.shape[1], b.shape[2]]
        init, scale = self.start(shape, self.kit["zero"])
        self.define(shape, f"linalg.batch_matmul ins({self.use(a)}, {self.use(b)} : "
                    f"{self.type(a.shape)}, {self.type(b.shape)}) outs({init} : "
                    f"{self.type(shape)}) -> {self.type(shape)}",
                    scale + a.shape[-1] * a.scale * b.scale)

    def op_contract(self):
        """A random einsum of two operands: shared, summed and own dimensions in any order."""
        a = self.pick(least=1, most=3)
        loops = list(a.shape)
        own_a = list(range(len(loops)))
        b_dims = [d for d in own_a if self.rng.random() < 0.6]
        if self.rng.random() < 0.7:
            b_dims.append(len(loops))
            loops.append(self.rng.choice(SIZES[:10]))
        self.rng.shuffle(b_dims)
        out = [d for d in range(len(loops))
               if d not in b_dims or d not in own_a or self.rng.random() < 0.5]
        self.rng.shuffle(out)
        shape = [loops[d] for d in out]
        if product(shape) > MOST_ELEMENTS:
            return
        b = self.find([loops[d] for d in b_dims])
        kinds = ["parallel" if d in out else "reduction" for d in range(len(loops))]
        init, scale = self.start(shape, self.kit["zero"])
        summed = product(n for d, n in enumerate(loops) if d not in out)
        self.generic([own_a, b_dims, out], kinds, [(self.use(a), a.shape), (self.use(b), b.shape)],
                     [(init, shape)],
                     [f"%p = {self.kit['mul']} %x0, %x1 : {self.element}",
                      f"%r = {self.kit['add']} %o0, %p : {self.element}"], ["%r"],
                     [scale + summed * a.scale * b.scale])

    def reduction(self, value, count):
        """A kind, its neutral element, and the scale of `count` elements reduced by it."""
        kind, neutral = self.rng.choice(sorted(self.kit["reduce"].items()))
        if kind == "arith.mulf" and (count > 12 or value.scale > 20):
            kind, neutral = "arith.addf", "0.0"
        scale = value.scale
        if kind == "arith.mulf":
            scale = scale ** count
        elif kind == "arith.addf":
            scale *= count
        return kind, neutral, scale

    def scale(self, op, a, b):
        if op == "arith.mulf":
            return a * b
        return a + b if op in ("arith.addf", "arith.subf") else max(a, b)

    def op_reduce(self):
        a = self.pick(least=1)
        rank = len(a.shape)
        dims = sorted(self.rng.sample(range(rank), self.rng.randint(1, rank)))
        shape = [n for d, n in enumerate(a.shape) if d not in dims]
        summed = product(a.shape[d] for d in dims)
        kind, neutral, result = self.reduction(a, summed)
        init, scale = self.start(shape, neutral)
        self.define(shape, f"linalg.reduce {{ {kind} }} ins({self.use(a)} : {self.type(a.shape)})"
                    f" outs({init} : {self.type(shape)}) dimensions = {dims}",
                    self.scale(kind, result, scale))

    def op_reduce_two(self):
        a = self.pick(least=1)
        rank = len(a.shape)
        gone = set(self.rng.sample(range(rank), self.rng.randint(1, rank)))
        out = [d for d in range(rank) if d not in gone]
        shape = [a.shape[d] for d in out]
        summed = product(a.shape[d] for d in gone)
        kinds = [self.reduction(a, summed) for _ in range(2)]
        inits = [self.start(shape, neutral) for _, neutral, _ in kinds]
        self.generic([list(range(rank)), out, out],
                     ["reduction" if d in gone else "parallel" for d in range(rank)],
                     [(self.use(a), a.shape)], [(i, shape) for i, _ in inits],
                     [f"%r = {kinds[0][0]} %x0, %o0 : {self.element}",
                      f"%s = {kinds[1][0]} %o1, %x0 : {self.element}"], ["%r", "%s"],
                     [self.scale(k[0], k[2], i[1]) for k, i in zip(kinds, inits)])

    def op_reduce_in_order(self):
        """A running mean: the order matters, so the loop cannot be cut."""
        a = self.pick(least=1)
        rank = len(a.shape)
        gone = self.rng.randrange(rank)
        out = [d for d in range(rank) if d != gone]
        shape = [a.shape[d] for d in out]
        init, scale = self.start(shape, self.kit["zero"])
        half = "0.5" if self.kit is FLOAT else "3"
        self.generic([list(range(rank)), out],
                     ["reduction" if d == gone else "parallel" for d in range(rank)],
                     [(self.use(a), a.shape)], [(init, shape)],
                     [f"%c = arith.constant {half} : {self.element}",
                      f"%h = {self.kit['mul']} %o0, %c : {self.element}",
                      f"%r = {self.kit['add']} %h, %x0 : {self.element}"], ["%r"],
                     [scale + 2 * a.scale])

    def op_rows(self):
        """As softmax does: a row is reduced, combined with what came of it, and reduced again; now
        and then what it becomes is written across."""
        a = self.pick(least=2)
        rank = len(a.shape)
        gone = self.rng.randrange(rank)
        kept = [d for d in range(rank) if d != gone]
        shape = [a.shape[d] for d in kept]
        for last in (False, True):
            kind, neutral, result = self.reduction(a, a.shape[gone])
            init, scale = self.start(shape, neutral)
            row = self.define(shape, f"linalg.reduce {{ {kind} }} ins({self.use(a)} : "
                              f"{self.type(a.shape)}) outs({init} : {self.type(shape)}) "
                              f"dimensions = [{gone}]", self.scale(kind, result, scale))
            out = list(range(rank))
            if last and self.rng.random() < 0.4:
                self.rng.shuffle(out)
            op = self.rng.choice(self.kit["binary"])
            whole = [a.shape[d] for d in out]
            self.generic([list(range(rank)), kept, out], ["parallel"] * rank,
                         [(self.use(a), a.shape), (self.use(row), shape)],
                         [(self.empty(whole), whole)],
                         [f"%r = {op} %x0, %x1 : {self.element}"], ["%r"],
                         [self.scale(op, a.scale, row.scale)])
            a = self.values[-1]

    def op_transpose(self):
        a = self.pick(least=2)
        order = list(range(len(a.shape)))
        self.rng.shuffle(order)
        shape = [a.shape[d] for d in order]
        self.define(shape, f"linalg.transpose ins({self.use(a)} : {self.type(a.shape)}) outs("
                    f"{self.empty(shape)} : {self.type(shape)}) permutation = {order}", a.scale)

    def op_broadcast(self):
        a = self.pick(most=2)
        at = self.rng.randint(0, len(a.shape))
        shape = list(a.shape[:at]) + [self.rng.choice(SIZES[:8])] + list(a.shape[at:])
        if product(shape) > MOST_ELEMENTS:
            return
        self.define(shape, f"linalg.broadcast ins({self.use(a)} : {self.type(a.shape)}) outs("
                    f"{self.empty(shape)} : {self.type(shape)}) dimensions = [{at}]", a.scale)

    def op_collapse(self):
        a = self.pick(least=2)
        rank = len(a.shape)
        first = self.rng.randrange(rank - 1)
        self.collapse(a, first, self.rng.randint(first + 1, rank - 1))

    def collapse(self, a, first, last):
        """`a` with dimensions first to last as one."""
        rank = len(a.shape)
        groups = [[d] for d in range(first)] + [list(range(first, last + 1))]
        groups += [[d] for d in range(last + 1, rank)]
        shape = [product(a.shape[d] for d in g) for g in groups]
        raw = self.raw(shape, [any(self.is_unknown(a.shape[d] for d in g)) for g in groups])
        return self.define_as(shape, raw, f"tensor.collapse_shape {self.use(a)} {groups} : "
                              f"{self.type(a.shape)} into {raw}", a.scale)

    def op_expand(self):
        a = self.pick(least=1, most=3)
        d = max(range(len(a.shape)), key=lambda i: (a.shape[i], self.rng.random()))
        n = a.shape[d]
        self.expand(a, d, self.rng.choice([f for f in range(1, n + 1) if n % f == 0]))

    def expand(self, a, d, outer):
        """`a` with dimension `d` as `outer` times so many."""
        n = a.shape[d]
        shape = list(a.shape[:d]) + [outer, n // outer] + list(a.shape[d + 1:])
        groups, at = [], 0
        for i in range(len(a.shape)):
            width = 2 if i == d else 1
            groups.append(list(range(at, at + width)))
            at += width
        # The two parts of an unknown extent may be unknown both, one at least.
        unknown = self.is_unknown(shape)
        if n not in self.unknown:
            unknown[d] = unknown[d + 1] = False
        elif not unknown[d] and not unknown[d + 1]:
            unknown[d + self.rng.randrange(2)] = True
        raw, names = self.raw(shape, unknown), []
        for size, is_unknown in zip(shape, unknown):
            names.append(str(size))
            if is_unknown:
                names[-1] = self.sizes([size]) or self.fresh("n")
                if size not in self.unknown:
                    self.emit(f"{names[-1]} = arith.constant {size} : index")
        return self.define_as(shape, raw, f"tensor.expand_shape {self.use(a)} {groups} output_shape "
                              f"[{', '.join(names)}] : {self.type(a.shape)} into {raw}", a.scale)

    def op_loop(self):
        """A loop that carries a value through an element-wise op or a product."""
        a = self.pick(least=1)
        ty = self.type(a.shape)
        square = len(a.shape) == 2 and self.rng.random() < 0.5
        w = self.find([a.shape[1], a.shape[1]]) if square else self.find(a.shape)
        names = [self.fresh("k") for _ in range(3)]
        trips = self.rng.randint(0, 3)
        for name, n in zip(names, [0, trips, 1]):
            self.emit(f"{name} = arith.constant {n} : index")
        carried, inner = self.fresh("u"), self.fresh("w")
        init = self.constant(a.shape, self.kit["zero"]) if square else None
        op = "linalg.matmul" if square else self.rng.choice(self.kit["binary"])
        scale = a.scale
        for _ in range(trips):
            scale = (a.shape[1] * scale * w.scale if square else self.scale(op, scale, w.scale))
        result = Value(self.fresh(), a.shape, scale)
        self.emit(f"{result.name} = scf.for {self.fresh('i')} = {names[0]} to {names[1]} step "
                  f"{names[2]} iter_args({carried} = {self.use(a)}) -> ({ty}) {{")
        if square:
            self.emit(f"  {inner} = linalg.matmul ins({carried}, {self.use(w)} : {ty}, "
                      f"{self.type(w.shape)}) outs({init} : {ty}) -> {ty}")
        else:
            self.emit(f"  {inner} = {op} {carried}, {self.use(w)} : {ty}")
        self.emit(f"  scf.yield {inner} : {ty}")
        self.emit("}")
        self.keep_small(result)

    def op_while(self):
        """A loop with a condition: it counts, and what its first region passes on is not what that
        got, but is of the same shape or, transposed, of another."""
        a = self.pick(least=1)
        ty, trips = self.type(a.shape), self.rng.randint(0, 2)
        w, op, other = self.find(a.shape), self.binary(a.shape), self.binary(a.shape)
        turned = len(a.shape) == 2 and self.rng.random() < 0.4
        shape = a.shape[::-1] if turned else a.shape
        passed, scale = self.type(shape), a.scale
        for _ in range(trips):
            scale = self.scale(other, self.scale(op, scale, w.scale), w.scale)
        scale = self.scale(op, scale, w.scale)
        names = [self.fresh("k") for _ in range(3)]
        for name, n in zip(names, [0, trips, 1]):
            self.emit(f"{name} = arith.constant {n} : index")
        empty, back = (self.empty(shape), self.empty(a.shape)) if turned else (None, None)
        result = Value(self.fresh(), shape, scale)
        self.emit(f"{result.name}_i, {result.name} = scf.while (%i = {names[0]}, %u = {self.use(a)})"
                  f" : (index, {ty}) -> (index, {passed}) {{")
        self.emit(f"  %t = {op} %u, {self.use(w)} : {ty}")
        if turned:
            self.emit(f"  %p = linalg.transpose ins(%t : {ty}) outs({empty} : {passed})"
                      " permutation = [1, 0]")
        self.emit(f"  %more = arith.cmpi ult, %i, {names[1]} : index")
        self.emit(f"  scf.condition(%more) %i, {'%p' if turned else '%t'} : index, {passed}")
        self.emit("} do {")
        self.emit(f"^bb0(%i: index, %v: {passed}):")
        if turned:
            self.emit(f"  %q = linalg.transpose ins(%v : {passed}) outs({back} : {ty})"
                      " permutation = [1, 0]")
        self.emit(f"  %r = {other} {'%q' if turned else '%v'}, {w.name} : {ty}")
        self.emit(f"  %n = arith.addi %i, {names[2]} : index")
        self.emit(f"  scf.yield %n, %r : index, {ty}")
        self.emit("}")
        self.keep_small(result)

    def condition(self):
        """An i1: a constant, or what an element of a tensor says. Floats are not asked: what is
        rounded otherwise must not decide."""
        name = self.fresh("b")
        asked = [v for v in self.values if 0 not in v.shape]
        if self.kit is FLOAT or not asked or self.rng.random() < 0.4:
            self.emit(f"{name} = arith.constant {self.rng.choice(['true', 'false'])}")
            return name
        value, indices = self.rng.choice(asked), []
        for n in value.shape:
            indices.append(self.fresh("o"))
            self.emit(f"{indices[-1]} = arith.constant {self.rng.randrange(n)} : index")
        element, zero = self.fresh("x"), self.fresh("s")
        self.emit(f"{element} = tensor.extract {self.use(value)}[{', '.join(indices)}] : "
                  f"{self.type(value.shape)}")
        self.emit(f"{zero} = arith.constant 0 : {self.element}")
        self.emit(f"{name} = arith.cmpi sgt, {element}, {zero} : {self.element}")
        return name

    def op_branch(self):
        """One of two values, or one of two ops: by scf.if, by scf.index_switch, or by blocks in an
        scf.execute_region."""
        a = self.pick(least=0)
        ty, b, op = self.type(a.shape), self.find(a.shape), self.binary(a.shape)
        kind, condition = self.rng.randrange(3), self.condition()
        result = Value(self.fresh(), a.shape, max(self.scale(op, a.scale, b.scale), a.scale))
        made = f"    %t = {op} {self.use(a)}, {self.use(b)} : {ty}"
        if kind == 0:
            lines = [f"scf.if {condition} -> {ty} {{", made, f"    scf.yield %t : {ty}",
                     "  } else {", f"    scf.yield {a.name} : {ty}", "  }"]
        elif kind == 1:
            which = self.fresh("k")
            self.emit(f"{which} = arith.index_castui {condition} : i1 to index")
            lines = [f"scf.index_switch {which} -> {ty}", "  case 0 {", made,
                     f"    scf.yield %t : {ty}", "  }", "  default {",
                     f"    scf.yield {a.name} : {ty}", "  }"]
        else:
            lines = [f"scf.execute_region -> {ty} {{",
                     f"    cf.cond_br {condition}, ^one({b.name} : {ty}), ^two",
                     f"  ^one(%u: {ty}):", f"    %t = {op} {self.use(a)}, %u : {ty}",
                     f"    cf.br ^end(%t : {ty})", "  ^two:", f"    cf.br ^end({a.name} : {ty})",
                     f"  ^end(%e: {ty}):", f"    scf.yield %e : {ty}", "  }"]
        self.emit(f"{result.name} = " + "\n".join(lines))
        self.keep_small(result)

    def index(self, number):
        """An index of this value as text: a number, a constant, or one that only the run knows."""
        roll = self.rng.random()
        if roll < 0.7:
            return str(number)
        name = self.fresh("o")
        self.emit(f"{name} = arith.constant {number} : index")
        if roll > 0.85:
            known, name = name, self.fresh("o")
            self.emit(f"{name} = arith.maxui {known}, {known} : index")
        return name

    def part(self, shape):
        """A slice of a tensor: its shape, and its offsets, sizes and strides as text. Most often it
        is all of a dimension. Some of its sizes 1 may be dropped; the first ones where a number is an
        operand: upstream's canonicalize takes any for the first ones where it folds one, and every
        fifth program is canonicalized before it is partitioned."""
        sizes, lists = [], ([], [], [])
        for n in shape:
            offset, size, stride = 0, n, 1
            if self.rng.random() < 0.4:
                stride = self.rng.choice([1, 1, 2, 3])
                size = self.rng.choice([1, self.rng.randint(1, (n - 1) // stride + 1)])
                offset = self.rng.randint(0, n - 1 - (size - 1) * stride)
            numbers = (self.index(offset), self.sizes([size]) or str(size), str(stride))
            for texts, text in zip(lists, numbers):
                texts.append(text)
            sizes.append(size)
        ones = [d for d, text in enumerate(lists[1]) if text == "1"]
        if not all(text.isdigit() for texts in lists for text in texts):
            dropped = ones[:self.rng.choice([0, 0, 1, 1, 2])]
        else:
            dropped = [d for d in ones if self.rng.random() < 0.5]
        small = [size for d, size in enumerate(sizes) if d not in dropped]
        return small, "".join(f"[{', '.join(texts)}]" for texts in lists)

    def op_moved_slice(self):
        """A slice at a place that an element of a tensor says, or an insertion there; some are rolls."""
        a = self.pick(least=1, most=3)
        if 0 in a.shape or any(n in self.unknown for n in a.shape):
            return
        d = self.rng.randrange(len(a.shape))
        size = self.rng.randint(1, a.shape[d])
        if self.rng.random() < 0.3:
            size = a.shape[d]
            shape = [2 * n if e == d else n for e, n in enumerate(a.shape)]
            a = self.define(shape, f"tensor.concat dim({d}) {self.joined([a, a], d)} -> "
                            f"{self.type(shape)}", a.scale)
        kind, start, at = self.fresh("k"), self.fresh("k"), self.fresh("k")
        place = self.extras.randint(0, a.shape[d] - size)
        # An element of a tensor is a number that the passes do not know.
        self.emit(f"{kind} = arith.constant dense<{place}> : tensor<1xindex>")
        self.emit(f"{start} = arith.constant 0 : index")
        self.emit(f"{at} = tensor.extract {kind}[{start}] : tensor<1xindex>")
        places = ", ".join(at if e == d else "0" for e in range(len(a.shape)))
        shape = [size if e == d else n for e, n in enumerate(a.shape)]
        if any(n in self.unknown for n in shape):
            return
        numbers = f"[{places}] {shape} {[1] * len(shape)}"
        if self.rng.random() < 0.5:
            self.define(shape, f"tensor.extract_slice {self.use(a)}{numbers} : {self.type(a.shape)}"
                        f" to {self.type(shape)}", a.scale)
            return
        b = self.find(shape)
        self.define(a.shape, f"tensor.insert_slice {self.use(b)} into {self.use(a)}{numbers}"
                    f" : {self.type(shape)} into {self.type(a.shape)}", max(a.scale, b.scale))

    def op_slice(self):
        a = self.pick(least=1)
        shape, where = self.part(a.shape)
        self.define(shape, f"tensor.extract_slice {self.use(a)}{where} : {self.type(a.shape)} to "
                    f"{self.type(shape)}", a.scale)

    def op_insert(self):
        """Into a value, or into a constant."""
        a = self.pick(least=1)
        shape, where = self.part(a.shape)
        b, into, scale = self.find(shape), a.name, a.scale
        if self.rng.random() < 0.3:
            into, scale = self.constant(a.shape, self.kit["zero"]), 0
        else:
            self.use(a)
        self.define(a.shape, f"tensor.insert_slice {self.use(b)} into {into}{where} : "
                    f"{self.type(shape)} into {self.type(a.shape)}", max(scale, b.scale))

    def without_elements(self, shape, d):
        """An argument like this of extent 0 in dimension d. No other op gets it: upstream refuses to
        cut it."""
        value = self.argument([0 if i == d else n for i, n in enumerate(shape)])
        self.values.remove(value)
        return value

    def op_concat(self):
        a = self.pick(least=1)
        d, parts = self.rng.randrange(len(a.shape)), [a]
        for _ in range(self.rng.choice([0, 1, 1, 1, 2, 2])):
            other = list(a.shape)
            if self.rng.random() < 0.5:
                other[d] = self.rng.choice(SIZES[:8])
            parts.append(self.find(other))
        if self.extras.random() < 0.2:
            parts.insert(self.extras.randint(0, len(parts)), self.without_elements(a.shape, d))
        shape = list(a.shape)
        shape[d] = sum(v.shape[d] for v in parts)
        if product(shape) > MOST_ELEMENTS:
            return
        unknown = self.is_unknown(a.shape)
        unknown[d] = any(v.shape[d] in self.unknown for v in parts)
        raw = self.raw(shape, unknown)
        self.define_as(shape, raw, f"tensor.concat dim({d}) {self.joined(parts, d)} -> {raw}",
                       max(v.scale for v in parts))

    def pad_body(self, rank):
        """Lines that compute what a pad adds, and its scale: one number, or one that depends on where
        it is, or an element of a tensor, with which the pad runs whole."""
        roll = self.rng.random()
        if roll < 0.6:
            number = self.rng.choice(["0", "2", "-3"])
            return [f"%n = arith.constant {number}{'.0' if self.kit is FLOAT else ''} : "
                    f"{self.element}"], 3
        if roll < 0.7:
            other = self.pick(least=1, most=1)
            return ["%c = arith.constant 0 : index",
                    f"%n = tensor.extract {self.use(other)}[%c] : {self.type(other.shape)}"], \
                other.scale
        lines = ["%t = arith.constant 3 : index", "%f = arith.muli %p0, %t : index",
                 f"%s = arith.addi %f, %p{rank - 1} : index"]
        if self.kit is INTEGER:
            return lines + [f"%n = arith.index_cast %s : index to {self.element}"], 100
        return lines + ["%k = arith.index_cast %s : index to i64",
                        f"%n = arith.sitofp %k : i64 to {self.element}"], 100

    def op_pad(self):
        a = self.pick(least=1, most=3)
        rank, widths, texts, least = len(a.shape), [], [], [0] * len(a.shape)
        if self.extras.random() < 0.2:
            hole = self.extras.randrange(rank)
            a, least[hole] = self.without_elements(a.shape, hole), 1
        unknown, shape = self.is_unknown(a.shape), list(a.shape)
        for _ in range(2):
            widths.append([max(n, self.rng.choice([0, 0, 0, 1, 2])) for n in least])
            texts.append([self.index(n) for n in widths[-1]])
            unknown = [u or "%" in text for u, text in zip(unknown, texts[-1])]
            shape = [n + p for n, p in zip(shape, widths[-1])]
        body, scale = self.pad_body(rank)
        indices = ", ".join(f"%p{i}: index" for i in range(rank))
        lines = "".join(f"    {line}\n" for line in body)
        raw = self.raw(shape, unknown)
        self.define_as(shape, raw, f"tensor.pad {self.use(a)} low[{', '.join(texts[0])}] "
                       f"high[{', '.join(texts[1])}] {{\n  ^bb0({indices}):\n{lines}"
                       f"    tensor.yield %n : {self.element}\n"
                       f"  }} : {self.type(a.shape)} to {raw}", max(a.scale, scale))

    def op_annotate(self):
        self.annotate(self.pick(least=0))

    def op_annotate_like(self):
        """An annotation that takes the sharding that another value of the shape has."""
        a = self.pick(least=0)
        b = self.find(a.shape, new=0.5)
        # What cuts an argument has to know run-time numbers before it is used.
        if self.tells and b.uses and any(b.name == name for name, _, _ in self.arguments):
            return
        sharding = self.fresh("q")
        self.emit(f"{sharding} = shard.get_sharding {a.name} : {self.type(a.shape)} -> !shard.sharding")
        self.annotate(b, sharding)

    def function(self, shape, op):
        """A function of one op, or of a call of another one, which gives back what it gets, and an op;
        with or without an annotation of its argument."""
        name, ty = self.fresh("part").replace("%", "@"), self.type(shape)
        lines, x = [f"func.func private {name}(%x: {ty}) -> {ty} {{"], "%x"
        if self.rng.random() < 0.7:
            axis = self.rng.randrange(self.axes)
            dims = [[] for _ in shape]
            dims[self.rng.randrange(len(shape))].append(axis)
            lines += [f"  %s = shard.sharding @grid split_axes = {dims} : !shard.sharding",
                      f"  %y = shard.shard %x to %s : {ty}"]
            x = "%y"
        if self.rng.random() < 0.3:
            inner = self.function(shape, "arith.maximumf" if self.kit is FLOAT else "arith.maxsi")
            lines += [f"  %c = func.call {inner}({x}) : ({ty}) -> {ty}"]
            x = "%c"
        self.functions += lines + [f"  %r = {op} {x}, {x} : {ty}", f"  return %r : {ty}", "}"]
        return name

    def op_call(self):
        """A call of a function, alone or in a branch."""
        a = self.pick(least=1)
        ty, op = self.type(a.shape), self.binary(a.shape)
        callee = self.function(a.shape, op)
        call = f"func.call {callee}({self.use(a)}) : ({ty}) -> {ty}"
        scale = self.scale(op, a.scale, a.scale)
        if self.rng.random() < 0.4:
            self.define(a.shape, call, scale)
            return
        condition, inner = self.fresh("b"), self.fresh("w")
        self.emit(f"{condition} = arith.constant {self.rng.choice(['true', 'false'])}")
        result = Value(self.fresh(), a.shape, max(scale, a.scale))
        self.emit(f"{result.name} = scf.if {condition} -> {ty} {{")
        self.emit(f"  {inner} = {call}")
        self.emit(f"  scf.yield {inner} : {ty}")
        self.emit("} else {")
        self.emit(f"  scf.yield {a.name} : {ty}")
        self.emit("}")
        self.keep_small(result)

    def chances(self):
        """How often there is which op."""
        return {
            self.op_binary: 3, self.op_unary: 1, self.op_scale: 2, self.op_dense: 1,
            self.op_broadcasting: 3, self.op_two_results: 1, self.op_index: 1.5, self.op_matmul: 4,
            self.op_lookup: 1.5, self.op_scatter: 0.9, self.op_one_hot: 0.7,
            self.op_batch_matmul: 1.5, self.op_contract: 3, self.op_reduce: 3,
            self.op_reduce_two: 1, self.op_reduce_in_order: 0.5, self.op_rows: 2,
            self.op_transpose: 2,
            self.op_broadcast: 1, self.op_collapse: 2, self.op_expand: 2.5, self.op_loop: 0.7,
            self.op_while: 0.7, self.op_branch: 1,
            self.op_slice: 2, self.op_insert: 1.5, self.op_moved_slice: 1.2, self.op_concat: 1.5, self.op_pad: 1.2,
            self.op_annotate: 10 * self.annotates, self.op_annotate_like: 1, self.op_call: 1,
            self.op_group: 0.5, self.op_scan: 1, self.op_choose: 0.7, self.op_gather: 0.9,
            self.op_put: 0.7, self.op_softmax: 0.4, self.op_reshape: 0.9, self.op_generate: 0.7,
            self.op_element: 0.5, self.op_diagonal: 0.6, self.op_call_two: 0.4, self.op_negative_pad: 0.6, self.op_loop_rows: 0.8, self.op_loop_parts: 1, self.op_rows_at_once: 0.6, self.op_loop_sums: 0.8, self.op_reshaped_sums: 0.8, self.op_sorted: 0.4, self.op_region: 2,
            self.op_window: 1.5, self.op_window_read: 0.8, self.op_convolution: 1.2, self.op_stencil: 1, self.op_roll: 0.7,
            self.op_flux: 0.8, self.op_norm: 0.6, self.op_ravel: 0.6,
            self.op_turn: 0.8, self.op_between_turns: 0.8, self.op_fused: 0.6,
            self.op_blocks: 0.8,
            self.op_window_scan: 0.7, self.op_window_choice: 0.6, self.op_window_paired: 0.8,
            self.op_compare: 1, self.op_convert: 0.7, self.op_divide: 1, self.op_fused_add: 0.4,
            self.op_iota: 0.7, self.op_named: 1, self.op_vector_product: 1, self.op_elements: 0.4,
            self.op_tosa: 2, self.op_activated: 1,
        }

    def some_op(self):
        chances = self.chances()
        self.rng.choices(list(chances), list(chances.values()))[0]()

    def grow(self, ops):
        for _ in range(self.rng.randint(1, 2)):
            value = self.argument(self.shape(self.rng.choice([1, 2, 2, 2, 3, 3, 4])))
            if not value.annotated:
                self.annotate(value)
        count = self.rng.randint(2, ops)
        if self.keep is not None:
            count = min(count, self.keep)
        for _ in range(count):
            self.some_op()

    def results(self):
        """What nobody uses, and now and then what somebody does."""
        chosen = [v for v in self.values if v.uses == 0 or self.rng.random() < 0.15]
        return [(v.name, self.type(v.shape)) for v in chosen]


def program(options):
    rng = random.Random(options.seed)
    grid = rng.choice(GRIDS)
    grid = options.grid or grid
    shardings, graphs = {}, []
    wanted = None if options.only is None else {int(n) for n in options.only.split(",")}
    for number in range(options.graphs):
        # A random stream of its own for each graph: it does not depend on the others.
        stream = random.Random(f"{options.seed}/{number}")
        extras = random.Random(f"{options.seed}/{number}/extras")
        extents = [int(extent) for extent in grid.split("x")]
        graph = Graph(stream, extras, number, extents, shardings, options.keep)
        if wanted is None or number in wanted:
            graph.grow(options.ops)
            graphs.append(graph)
    arguments = [a for g in graphs for a in g.arguments]
    if any("%small" in text for text in shardings):
        arguments.append(("%small", "i64 {tessera.range = [0, 4]}", ()))
    results = [r for g in graphs for r in g.results()]
    shapes = [f" --shape {i}={'x'.join(str(n) for n in shape)}"
              for i, (_, text, shape) in enumerate(arguments) if "?" in text]
    # What cancels is rounding, and no part of any result's magnitude.
    atol = "5e-7" if any(graph.element == "f32" for graph in graphs) else "1e-9"
    lines = [f"// gen.py --seed {options.seed}", f"// RUN-CHECK: --atol {atol}{''.join(shapes)}",
             f"shard.grid @grid(shape = {grid})"]
    for graph in graphs:
        lines += graph.functions
    lines += ["func.func @main(" + ",\n                ".join(f"{n}: {t}" for n, t, _ in arguments)
             + ")\n    -> (" + ", ".join(t for _, t in results) + ") {"]
    lines += [f"  {name} = shard.sharding @grid split_axes = {text} : !shard.sharding"
              for text, name in shardings.items()]
    for graph in graphs:
        lines += graph.lines
    lines.append("  return " + ", ".join(n for n, _ in results) + " : "
                 + ", ".join(t for _, t in results))
    lines.append("}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--graphs", type=int, default=3)
    parser.add_argument("--ops", type=int, default=9)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=int)
    parser.add_argument("--grid")
    print(program(parser.parse_args()))


if __name__ == "__main__":
    main()
