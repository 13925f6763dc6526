#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Imports the models, compiles and runs them, and times them beside JAX in turn; run by models.sh.
# It knows tools and sides, and leaves numbers to them.

import argparse
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

HEAD = (f"{'model':<20}{'ranks':>6}{'compile s':>11}{'XLA s':>9}{'step ms':>12}{'JAX ms':>12}"
        f"{'ours/JAX':>10}{'MiB':>10}{'calls':>7}{'peak MiB':>10}{'JAX MiB':>9}"
        f"{'differs by':>12}")


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
    """Writes the annotated program and its inputs; their places and the number of ranks."""
    from common.annotate import annotate
    from common.importer import import_jax
    from leaves import Leaves
    from table import MODELS
    model, leaves = MODELS[name], Leaves(MODELS[name], size)
    options.keep.mkdir(parents=True, exist_ok=True)
    source, inputs = options.keep / f"{name}-{size}.mlir", options.folder / f"{name}.npz"
    text = annotate(import_jax(leaves.function, leaves.shapes()),
                    "x".join(map(str, model.grid)), leaves.splits, leaves.result_splits)
    source.write_text(text, encoding="utf-8")
    np.savez(inputs, *leaves.values())
    return source, inputs, prod(model.grid), leaves.changes


def load(path):
    """The arrays of an archive, by their numbers."""
    with np.load(path) as archive:
        return [archive[name] for name in
                sorted(archive.files, key=lambda name: int(re.sub(r"\D", "", name)))]


def difference(ours, theirs, inputs, changes):
    """The largest distance between results, as a part of their norm, or of what a step changed. What
    changes by less than rounding (a bias of keys has no slope at all) counts as if by that."""
    if len(ours) != len(theirs):
        raise Failed(f"{len(ours)} results, and {len(theirs)} of JAX")
    worst = 0.0
    for i, (one, other, change) in enumerate(zip(ours, theirs, changes)):
        other = other.astype(np.float64)
        size = np.linalg.norm(other - (0.0 if change is None else inputs[change]))
        size = max(size, 1e-6 * np.linalg.norm(other), np.finfo(np.float32).tiny)
        distance = np.linalg.norm(one - other) / size
        if not distance < 0.02:
            raise Failed(f"result {i} differs from JAX's by {distance:.1e}")
        worst = max(worst, distance)
    return worst


def row(name, ranks, ours, times, moved, jax=None, theirs=None, differs=None):
    """A line of the table."""
    step = statistics.median(times)
    other = statistics.median(theirs) if theirs else None
    cells = [f"{name:<20}{ranks:>6}{ours.compile:>11.1f}",
             f"{jax.compile:>9.1f}" if jax else f"{'-':>9}", f"{step:>12.1f}",
             f"{other:>12.1f}{step / other:>10.2f}" if other else f"{'-':>12}{'-':>10}",
             f"{moved[1] / 2 ** 20:>10.2f}{moved[0]:>7}{ours.peak:>10.0f}",
             f"{jax.peak:>9.0f}" if jax else f"{'-':>9}",
             f"{differs:>12.1e}" if differs is not None else f"{'-':>12}"]
    print("".join(cells), flush=True)


def run_model(options, name):
    """A model of the table, beside JAX."""
    size = "small" if options.small else "full"
    source, inputs, ranks, changes = import_model(options, name, size)
    ours = Ours(options, source, ranks, inputs)
    results, theirs = options.folder / f"{name}-ours.npz", options.folder / f"{name}-jax.npz"
    moved = ours.first(results)
    jax = Side([sys.executable, str(HERE / "jax_side.py"), name, size, str(inputs), str(theirs)])
    try:
        differs = difference(load(results), load(theirs), load(inputs), changes)
        times, other = [], []
        for i in range(options.rounds):
            turns = [lambda: times.append(ours.run()), lambda: other.append(jax.run(2)[-1][0])]
            for turn in turns if i % 2 else reversed(turns):
                turn()
    finally:
        jax.close()
        for path in (inputs, results, theirs):
            path.unlink(missing_ok=True)
    row(name, ranks, ours, times, moved, jax, other, differs)


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
    """An annotated program by itself: there is no JAX function to compare it with."""
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
    parser.add_argument("--small", action="store_true", help="the same models in small sizes")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--from", dest="source", type=Path,
                        help="a folder of annotated programs to run by themselves, without JAX")
    options = parser.parse_args()
    options.keep = options.build / "models"
    return options


def main():
    options, status = read_options(), 0
    if options.source:
        jobs = [(path.stem, run_file, path) for path in sorted(options.source.glob("*.mlir"))]
    else:
        from table import MODELS
        jobs = [(name, run_model, name) for name in MODELS]
    print(f"{os.cpu_count()} cores, {options.rounds} rounds, medians\n{HEAD}", flush=True)
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
