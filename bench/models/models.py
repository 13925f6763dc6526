#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Imports the models of a framework, compiles and runs them, and times them beside it in turn; run by
# models.sh.
# It knows tools and sides, and leaves numbers to them.

import argparse
import importlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from math import prod
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from common.sides import Failed, Side  # noqa: E402

# What each framework is timed as: a column's name, and what its side (FRAMEWORK_side.py) is told.
SIDES = {"jax": {"JAX": ()}, "torch": {"torch": ("eager",), "compiled": ("compiled",)}, None: {}}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command[:4]))}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def memory(pid):
    """MiB that a process and those that it started have for themselves or share: no mapped files."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has ended
        return 0.0
    kib = sum(int(size) for size in re.findall(r"Rss(?:Anon|Shmem):\s*(\d+) kB", status))
    return kib / 1024 + sum(map(memory, started))


def run_for_memory(*command):
    """What the command prints, and the most MiB that was seen in looks 20 ms apart."""
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen([str(word) for word in command], stdout=out,
                              stderr=subprocess.STDOUT) as process:
            peak = 0.0
            while process.poll() is None:
                peak = max(peak, memory(process.pid))
                time.sleep(0.02)
        out.seek(0)
        text = out.read()
    if process.returncode:
        raise Failed(f"{' '.join(map(str, command[:4]))}: {text[-2000:]}")
    return text, peak


class Ours:
    """A compiled program and how it is launched; `run` is a process of its own each time."""

    def __init__(self, options, source, ranks, inputs):
        self.so = options.folder / f"{source.stem}.so"
        start = time.perf_counter()
        run(options.build / "bin/tesserac", source, "-o", self.so)
        self.compile = time.perf_counter() - start
        self.peak = 0.0
        self.command = [f"mpirun.{options.mpi}", "-n", ranks, options.build / "bin/tessera-run",
                        self.so, "--input", inputs]

    def first(self, results):
        """Writes the results; calls of collectives and bytes of the busiest device."""
        text = run(*self.command, "--output", results, "--traffic")
        total = re.search(r"total: (\d+) calls?, (\d+) bytes", text)
        return (int(total[1]), int(total[2])) if total else (0, 0)

    def run(self):
        """Milliseconds of a call, after one that is not timed. Notes the ranks' memory."""
        text, peak = run_for_memory(*self.command, "--repeat", 1)
        self.peak = max(self.peak, peak)
        return float(re.search(r"median ([\d.e+]+) ms", text)[1])


def import_model(options, name, size):
    """Writes the annotated program and its inputs; their places, the number of ranks, and what each
    result is compared without."""
    from common.annotate import annotate
    grid, leaves = options.models.MODELS[name].grid, options.models.model_leaves(name, size)
    options.keep.mkdir(parents=True, exist_ok=True)
    source = options.keep / f"{options.framework}-{name}-{size}.mlir"
    inputs = options.folder / f"{name}.npz"
    text = annotate(options.models.import_model(leaves), "x".join(map(str, grid)), leaves.splits,
                    leaves.result_splits)
    source.write_text(text, encoding="utf-8")
    np.savez(inputs, *leaves.values())
    return source, inputs, prod(grid), leaves.changes


def load(path):
    """The arrays of an archive, by their numbers."""
    with np.load(path) as archive:
        return [archive[name] for name in
                sorted(archive.files, key=lambda name: int(re.sub(r"\D", "", name)))]


def difference(ours, theirs, inputs, changes):
    """The largest distance between results, as a part of their norm, or of what a step changed. What
    changes by less than rounding (a bias of keys has no slope at all) counts as if by that."""
    if len(ours) != len(theirs):
        raise Failed(f"{len(ours)} results, and {len(theirs)} beside it")
    worst = 0.0
    for i, (one, other, change) in enumerate(zip(ours, theirs, changes)):
        other = other.astype(np.float64)
        size = np.linalg.norm(other - (0.0 if change is None else inputs[change]))
        size = max(size, 1e-6 * np.linalg.norm(other), np.finfo(np.float32).tiny)
        distance = np.linalg.norm(one - other) / size
        if not distance < 0.02:
            raise Failed(f"result {i} differs by {distance:.1e}")
        worst = max(worst, distance)
    return worst


def head(labels):
    """The line above the table: ours, then four columns for each side."""
    cells = [f"{'model':<20}{'ranks':>6}{'compile s':>11}{'step ms':>11}{'MiB':>10}{'calls':>7}"
             f"{'peak MiB':>10}{'differs by':>12}"]
    cells += [f"{label + ' s':>12}{'ms':>10}{'ours/':>7}{'MiB':>8}" for label in labels]
    return "".join(cells)


def row(name, ranks, ours, times, moved, sides=(), others=(), differs=None):
    """A line of the table; `others` has times of each side."""
    step = statistics.median(times)
    cells = [f"{name:<20}{ranks:>6}{ours.compile:>11.1f}{step:>11.1f}"
             f"{moved[1] / 2 ** 20:>10.2f}{moved[0]:>7}{ours.peak:>10.0f}",
             f"{differs:>12.1e}" if differs is not None else f"{'-':>12}"]
    for side, other in zip(sides, map(statistics.median, others)):
        compiled = f"{side.compile:.1f}" if side.compile else "-"
        cells.append(f"{compiled:>12}{other:>10.1f}{step / other:>7.2f}{side.peak:>8.0f}")
    print("".join(cells), flush=True)


def run_model(options, name):
    """A model of the table, beside its framework."""
    size = "small" if options.small else "full"
    source, inputs, ranks, changes = import_model(options, name, size)
    ours = Ours(options, source, ranks, inputs)
    results, theirs = options.folder / f"{name}-ours.npz", options.folder / f"{name}-theirs.npz"
    moved = ours.first(results)
    sides, differs, times = [], [], []
    try:
        for words in options.sides.values():
            sides.append(Side([sys.executable, str(HERE / f"{options.framework}_side.py"), name, size,
                               str(inputs), str(theirs), *words]))
            differs.append(difference(load(results), load(theirs), load(inputs), changes))
        others = [[] for _ in sides]
        for i in range(options.rounds):
            turns = [lambda: times.append(ours.run())]
            turns += [lambda side=side, other=other: other.append(side.run(2)[-1][0])
                      for side, other in zip(sides, others)]
            for turn in turns if i % 2 else reversed(turns):
                turn()
    finally:
        for side in sides:
            side.close()
        for path in (inputs, results, theirs):
            path.unlink(missing_ok=True)
    row(name, ranks, ours, times, moved, sides, others, max(differs))


# ---- programs from elsewhere ---------------------------------------------------------------------

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i1": np.bool_}


def make_inputs(text, path):
    """Normal floats, integers below 100, of the shapes that @main takes; whole if it has others."""
    head = re.search(r"func\.func (?:public )?@main\((.*?)\)(?: ->| \{)", text, re.DOTALL)
    random, arrays = np.random.default_rng(1), []
    for shape, element in re.findall(r"%\w+: tensor<((?:\d+x)*)(\w+)>", head[1] if head else ""):
        dims = [int(dim) for dim in shape.split("x")[:-1]]
        if element not in TYPES:
            raise Failed(f"an argument of element type {element}")
        if element[0] == "f":
            arrays.append((0.02 * random.standard_normal(dims)).astype(TYPES[element]))
        else:
            arrays.append(random.integers(0, 100, dims).astype(TYPES[element]))
    np.savez(path, *arrays)


def run_file(options, source):
    """An annotated program by itself: there is nothing to compare it with."""
    text, inputs = source.read_text(encoding="utf-8"), options.folder / "inputs.npz"
    grid = re.search(r"shard\.grid @\w+\(shape = ([\dx]+)\)", text)
    if not grid:
        raise Failed("no shard.grid of known shape")
    make_inputs(text, inputs)
    ranks = prod(map(int, grid[1].split("x")))
    ours = Ours(options, source, ranks, inputs)
    moved = ours.first(options.folder / "results.npz")
    row(source.stem, ranks, ours, [ours.run() for _ in range(options.rounds)], moved)


def read_options():
    parser = argparse.ArgumentParser(prog="bench/models/models.sh")
    parser.add_argument("build", type=Path)
    parser.add_argument("--folder", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="models whose name has this text")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true",
                        help="the same models in small sizes, beside nothing that torch compiles")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--from", dest="source", type=Path,
                        help="a folder of annotated programs to run by themselves")
    parser.add_argument("--framework", choices=["jax", "torch"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.keep, options.sides = options.build / "models", dict(SIDES[options.framework])
    if options.small:  # a C++ compiler's time
        options.sides.pop("compiled", None)
    return options


def main():
    options, status = read_options(), 0
    if options.source:
        jobs = [(path.stem, run_file, path) for path in sorted(options.source.glob("*.mlir"))]
    else:
        options.models = importlib.import_module(f"{options.framework}_models")
        jobs = [(name, run_model, name) for name in options.models.MODELS]
    print(f"{os.cpu_count()} cores, {options.rounds} rounds, medians\n{head(options.sides)}",
          flush=True)
    for name, job, what in jobs:
        if options.only not in name:
            continue
        try:
            job(options, what)
        except Failed as failed:
            print(f"FAIL {name}: {failed}", flush=True)
            status = 1
    return status


sys.exit(main())
