#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Random programs of one device with collectives, loops and branches, as they are and as
# tessera-optimize leaves them: every device's results have to be the same. It knows what collectives
# do to shapes; it must not know what is optimized.
"""usage: collectives.py BUILD [--seed FIRST] [--count N] [--minutes M] [--show SEED]

A line PASS or FAIL per seed. --minutes takes as many seeds as that allows; --show prints a program."""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

import numpy as np

GRIDS = [[2], [4], [2, 2], [2, 2], [2, 2], [2, 3], [2, 2, 2], [1, 2]]
OPTIONS = ["equal", "inverses", "carried", "reductions", "invariant", "combine", "unused"]
ELEMENTS = {"i32": np.int32, "i64": np.int64, "f64": np.float64}
MOST_ELEMENTS = 600
INVERSES = {"all_slice": "all_gather", "all_gather": "all_slice", "reduce_scatter": "all_gather"}


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


class Value:
    """`made`: the collective that gave it, its axes and its dimension."""

    def __init__(self, name, shape, made=None):
        self.name, self.shape, self.made = name, tuple(shape), made


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.grid = self.rng.choice(GRIDS)
        self.element = self.rng.choice(["i32", "i32", "i64", "f64"])
        self.suffix = "f" if self.element == "f64" else "i"
        self.count, self.depth = 0, 0
        self.lines, self.values, self.arguments, self.recent = [], [], [], []
        for _ in range(self.rng.randint(1, 3)):
            self.argument()
        for _ in range(self.rng.randint(4, 14)):
            self.op()

    # Text.
    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def type(self, shape):
        return "tensor<" + "".join(f"{n}x" for n in shape) + self.element + ">"

    def emit(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def define(self, shape, text, made=None):
        value = Value(self.fresh(), shape, made)
        self.emit(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def layout(self, shape, axes):
        """The attribute of a tensor whose first dimension is split over `axes`, and its shape."""
        whole = [shape[0] * product(self.grid[a] for a in axes), *shape[1:]]
        factors = [[[n, list(axes) if d == 0 else []]] for d, n in enumerate(whole)]
        return f"{{tessera.layout = {{grid = @g, global = {self.type(whole)}, factors = {factors}}}}}", whole

    def argument(self):
        """Another one on each device, on some, the same on all, or one of which nothing is said."""
        shape = [self.rng.choice([2, 4, 6, 8, 12, 16, 24]) for _ in range(self.rng.choice([1, 1, 2]))]
        axes = [a for a in range(len(self.grid)) if self.rng.random() < 0.45]
        text, whole = self.layout(shape, axes)
        if self.rng.random() < 0.2:
            text, whole = "", shape
        value = Value(f"%a{len(self.arguments)}", shape)
        self.arguments.append((f"{value.name}: {self.type(shape)} {text}", whole))
        self.values.append(value)

    # Collectives.
    def some_axes(self):
        axes = list(range(len(self.grid)))
        self.rng.shuffle(axes)
        return axes[:self.rng.randint(1, len(axes))]

    def collective(self, kind, value, axes, dim):
        devices, shape = product(self.grid[a] for a in axes), list(value.shape)
        words = {"all_slice": f"slice_axis = {dim}", "all_gather": f"gather_axis = {dim}",
                 "reduce_scatter": f"scatter_axis = {dim}", "all_reduce": ""}[kind]
        if kind in ("all_slice", "reduce_scatter"):
            if shape[dim] % devices:
                return None
            shape[dim] //= devices
        if kind == "all_gather":
            shape[dim] *= devices
        if product(shape) > MOST_ELEMENTS:
            return None
        reduction = self.rng.choice(["", "", "max", "min", "average"])
        if kind in ("all_reduce", "reduce_scatter") and reduction:
            words = f"reduction = {reduction} {words}"
        self.recent.append((axes, dim))
        return self.define(shape, f"shard.{kind} {value.name} on @g grid_axes = {axes} {words} : "
                           f"{self.type(value.shape)} -> {self.type(shape)}", (kind, axes, dim))

    def some_collective(self, value, kinds):
        axes, dim = self.some_axes(), self.rng.randrange(len(value.shape))
        if self.recent and self.rng.random() < 0.6:
            axes, dim = self.rng.choice(self.recent)
        self.collective(self.rng.choice(kinds), value, axes, min(dim, len(value.shape) - 1))

    def undo(self, value):
        """What takes back the collective that gave the value, if there is such."""
        if not value.made or value.made[0] not in INVERSES:
            return False
        kind, axes, dim = value.made
        return self.collective(INVERSES[kind], value, axes, dim) is not None

    def move(self, value):
        ty = self.type(value.shape)
        if self.rng.random() < 0.5:
            axis, offset = self.rng.randrange(len(self.grid)), self.rng.choice([1, -1])
            self.define(value.shape, f"shard.shift {value.name} on @g grid_axes = [{axis}] shift_axis = "
                        f"{axis} offset = {offset} rotate : {ty} -> {ty}")
            return
        axes = self.some_axes()
        root = [self.rng.randrange(self.grid[a]) for a in axes]
        self.define(value.shape, f"shard.broadcast {value.name} on @g grid_axes = {axes} root = {root} : "
                    f"({ty}) -> {ty}")

    def tell_apart(self, value):
        """Adds a coordinate of the device."""
        index, number, splat = self.fresh(), self.fresh(), self.fresh()
        self.emit(f"{index} = shard.process_multi_index on @g axes = "
                  f"[{self.rng.randrange(len(self.grid))}] : index")
        if self.element == "f64":
            integer = self.fresh()
            self.emit(f"{integer} = arith.index_cast {index} : index to i64")
            self.emit(f"{number} = arith.sitofp {integer} : i64 to f64")
        else:
            self.emit(f"{number} = arith.index_cast {index} : index to {self.element}")
        ty = self.type(value.shape)
        self.emit(f"{splat} = tensor.splat {number} : {ty}")
        self.define(value.shape, f"arith.add{self.suffix} {value.name}, {splat} : {ty}")

    def compute(self, value):
        other = self.rng.choice([v for v in self.values if v.shape == value.shape])
        names = ["addf", "subf", "maximumf"] if self.element == "f64" else \
            ["addi", "subi", "maxsi", "xori", "muli"]
        self.define(value.shape, f"arith.{self.rng.choice(names)} {value.name}, {other.name} : "
                    f"{self.type(value.shape)}")

    # Control flow.
    def bound(self):
        return "%n" if self.rng.random() < 0.3 else f"%c{self.rng.randint(0, 3)}"

    def inside(self, arguments):
        """Ops of a region that takes `arguments`, and a value for each of their shapes."""
        outer = list(self.values)
        self.values = outer + arguments
        self.depth += 1
        for value in arguments:
            if self.rng.random() < 0.7:
                self.some_collective(value, ["all_slice", "all_gather"])
        for _ in range(self.rng.randint(1, 5)):
            self.op()
        given = [self.like(value, outer) for value in arguments]
        self.depth -= 1
        self.values = outer
        return given

    def like(self, value, outer):
        """A value of the shape: the newest one, cut or gathered, or one that is there."""
        newest = self.values[-1]
        for axes, dim in self.recent[-4:] if newest not in outer and self.rng.random() < 0.6 else []:
            devices = product(self.grid[a] for a in axes)
            for kind, by in (("all_gather", devices), ("all_slice", 1 / devices)):
                shape = [n * by if d == dim else n for d, n in enumerate(newest.shape)]
                fits = dim < len(newest.shape) and shape == list(value.shape)
                made = self.collective(kind, newest, axes, dim) if fits else None
                if made:
                    return made
        fitting = [v for v in self.values if v.shape == value.shape]
        return self.rng.choice([v for v in fitting if v not in outer] or fitting)

    def loop(self):
        first = [self.pick() for _ in range(self.rng.randint(1, 3))]
        carried = [Value(self.fresh(), v.shape) for v in first]
        name, types = self.fresh(), ", ".join(self.type(v.shape) for v in first)
        starts = ", ".join(f"{c.name} = {v.name}" for c, v in zip(carried, first))
        self.emit(f"{name}:{len(first)} = scf.for {self.fresh()} = %c0 to {self.bound()} step %c1 "
                  f"iter_args({starts}) -> ({types}) {{")
        given = self.inside(carried)
        self.emit(f"  scf.yield {', '.join(v.name for v in given)} : {types}")
        self.emit("}")
        self.values += [Value(f"{name}#{i}", v.shape) for i, v in enumerate(first)]

    def loop_while(self):
        """What is done in each trip is before the condition, behind it, or both."""
        first, name, i, j, more, next_i = self.pick(), *(self.fresh() for _ in range(5))
        before, after = Value(self.fresh(), first.shape), Value(self.fresh(), first.shape)
        ty = self.type(first.shape)
        self.emit(f"{name}:2 = scf.while ({i} = %c0, {before.name} = {first.name}) : (index, {ty}) -> "
                  f"(index, {ty}) {{")
        trips = self.rng.choice(["before", "behind", "both"])
        given = [before] if trips == "behind" else self.inside([before])
        self.emit(f"  {more} = arith.cmpi ult, {i}, {self.bound()} : index")
        self.emit(f"  scf.condition({more}) {i}, {given[0].name} : index, {ty}")
        self.emit("} do {")
        self.emit(f"^bb0({j}: index, {after.name}: {ty}):")
        given = [after] if trips == "before" else self.inside([after])
        self.emit(f"  {next_i} = arith.addi {j}, %c1 : index")
        self.emit(f"  scf.yield {next_i}, {given[0].name} : index, {ty}")
        self.emit("}")
        self.values.append(Value(f"{name}#1", first.shape))

    def branch(self):
        value, name, condition = self.pick(), self.fresh(), self.fresh()
        ty = self.type(value.shape)
        self.emit(f"{condition} = arith.cmpi ugt, %n, %c{self.rng.randint(0, 2)} : index")
        self.emit(f"{name} = scf.if {condition} -> {ty} {{")
        for end in ("} else {", "}"):
            given = self.inside([Value(value.name, value.shape)])
            self.emit(f"  scf.yield {given[0].name} : {ty}")
            self.emit(end)
        self.values.append(Value(name, value.shape))

    # Ops.
    def pick(self):
        """Recent values first, so that programs grow deep."""
        last = len(self.values)
        return self.values[max(self.rng.randrange(last), self.rng.randrange(last))]

    def op(self):
        value, roll = self.pick(), self.rng.random()
        if roll < 0.2 and self.undo(value):
            return
        if roll < 0.55:
            self.some_collective(value, ["all_slice", "all_slice", "all_gather", "all_gather",
                                         "all_reduce", "reduce_scatter"])
        elif roll < 0.61:
            self.move(value)
        elif roll < 0.64:
            self.tell_apart(value)
        elif roll < 0.78 and self.depth < 2:
            self.rng.choice([self.loop, self.loop, self.loop_while, self.branch])()
        else:
            self.compute(value)

    def text(self):
        made = [v for v in self.values if v.name.startswith("%v")]
        results = self.rng.sample(made, min(len(made), self.rng.randint(1, 5))) or self.values[:1]
        everywhere = list(range(len(self.grid)))
        types = [f"{self.type(v.shape)} {self.layout(v.shape, everywhere)[0]}" for v in results]
        return "\n".join(
            [f"shard.grid @g(shape = {'x'.join(map(str, self.grid))})",
             f"func.func @main({', '.join(text for text, _ in self.arguments)}, %n: index) -> "
             f"({', '.join(types)}) {{"]
            + [f"  %c{i} = arith.constant {i} : index" for i in range(4)] + self.lines
            + [f"  return {', '.join(v.name for v in results)} : "
               f"{', '.join(self.type(v.shape) for v in results)}", "}", ""])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=90)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode} of {command[0]}: {done.stderr[-300:]}")


def differ(found, wanted):
    if found.dtype.kind != "f":
        return not np.array_equal(found, wanted)
    largest = np.abs(wanted[np.isfinite(wanted)]).max(initial=1)
    return not np.allclose(found, wanted, rtol=1e-9, atol=1e-9 * largest, equal_nan=True)


def check(build, folder, seed):
    """None, or what is wrong."""
    program = Program(seed)
    source, numbers = f"{folder}/program.mlir", np.random.default_rng(seed)
    with open(source, "w", encoding="utf-8") as file:
        file.write(program.text())
    inputs = []
    for i, (_, shape) in enumerate(program.arguments):
        inputs.append(f"{folder}/{i}.npy")
        values = numbers.standard_normal(shape) if program.element == "f64" else \
            numbers.integers(-50, 50, shape)
        np.save(inputs[-1], values.astype(ELEMENTS[program.element]))
    off = [f"--pass-option=tessera-optimize.{name}=false" for name in OPTIONS]
    for form, options in (("optimized", []), ("as it is", off)):
        run([f"{build}/bin/tesserac", source, "-o", f"{folder}/{form}.so", "--no-cache", *options])
    for n in (0, 2):
        np.save(f"{folder}/n.npy", np.array(n, np.int64))
        results = {}
        for form in ("optimized", "as it is"):
            output = f"{folder}/{form}.npz"
            run([f"{build}/bin/tessera-run", f"{folder}/{form}.so", "--input", *inputs,
                 f"{folder}/n.npy", "--output", output])
            with np.load(output) as arrays:
                results[form] = dict(arrays)
        for name, wanted in results["as it is"].items():
            if differ(results["optimized"][name], wanted):
                return f"result {name} differs where %n is {n}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        print(Program(options.show).text(), end="")
        return 0
    build, end = os.path.abspath(options.build), time.time() + 60 * (options.minutes or 0)
    seed, failed = options.seed, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.time() < end if options.minutes else seed < options.seed + options.count:
            try:
                wrong = check(build, folder, seed)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                wrong = str(error)
            failed += wrong is not None
            print(f"FAIL seed {seed}: {wrong}" if wrong else f"PASS seed {seed}", flush=True)
            seed += 1
    print(f"{seed - options.seed - failed} seeds passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
