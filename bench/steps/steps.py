#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Compiles the steps, and times them beside the same by hand and in JAX, round by round in turn; run
# by steps.sh. It knows sides and the table, and leaves numbers to them.

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from common.annotate import annotate  # noqa: E402
from common.sides import Failed, Side, same_norms  # noqa: E402
from table import STEPS  # noqa: E402

HEAD = (f"{'step':<12}{'ranks':>6}{'hand ms':>10}{'JAX ms':>10}{'ours ms':>10}{'ours/hand':>11}"
        f"{'ours/JAX':>10}{'hand MiB':>10}{'ours MiB':>10}")


def compile_step(options, name, ranks):
    """The shared object of a step for so many ranks."""
    step, so = STEPS[name], options.folder / f"{name}-{ranks}.so"
    source = options.folder / f"{name}-{ranks}.mlir"
    if options.source:
        source = options.source / f"{name}.mlir"
    else:
        text = (HERE / f"{step.program}.mlir").read_text(encoding="utf-8")
        source.write_text(annotate(text, ranks, step.splits, step.result_splits),
                          encoding="utf-8")
    done = subprocess.run([options.build / "bin/tesserac", source, "--grid", str(ranks), "-o", so],
                          capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stderr.strip())
    return so


def start_ours(options, name, ranks):
    """The program that runs a step by hand and compiled."""
    program = options.build / f"bench/bench-steps-{options.mpi}"
    so = compile_step(options, name, ranks)
    return Side([f"mpirun.{options.mpi}", "-n", str(ranks), str(program), name, str(so),
                 STEPS[name].recipes()])


def start_jax(options, name, ranks):
    return Side([options.jax, str(HERE / "jax_side.py"), name, str(ranks)]) if options.jax else None


def time_step(options, ours, jax):
    """Medians in milliseconds: by hand, compiled, and in JAX or None."""
    pairs, others = [], []
    for i in range(options.rounds + 1):  # the first one warms up
        turns = [(ours, pairs), (jax, others)]
        for side, times in turns if i % 2 else reversed(turns):
            if side:
                times += side.run()
    hand, compiled = zip(*pairs[1:])
    return (statistics.median(hand), statistics.median(compiled),
            statistics.median(time for time, in others[1:]) if jax else None)


def row(name, ranks, times, moved):
    """A line of the table."""
    hand, compiled, jax = times
    cells = [f"{name:<12}{ranks:>6}{hand:>10.2f}", f"{jax:>10.2f}" if jax else f"{'-':>10}",
             f"{compiled:>10.2f}{compiled / hand:>11.2f}",
             f"{compiled / jax:>10.2f}" if jax else f"{'-':>10}",
             *(f"{number / 2 ** 20:>10.2f}" for number in moved)]
    return "".join(cells)


def run_step(options, name, ranks):
    """One row; the norms of all sides agree, or it fails."""
    ours = start_ours(options, name, ranks)
    jax = None
    try:
        jax = start_jax(options, name, ranks)
        if jax and not same_norms(ours, jax):
            raise Failed(f"JAX has other results: {ours.results} {jax.results}")
        if not options.rounds:
            worst = max(result["difference"] for result in ours.results)
            print(f"PASS {name}, {ranks} ranks, {options.mpi}: as by hand, to {worst:.1e}",
                  flush=True)
            return
        print(row(name, ranks, time_step(options, ours, jax), ours.bytes), flush=True)
    finally:
        ours.close()
        if jax:
            jax.close()


def read_options():
    parser = argparse.ArgumentParser(prog="bench/steps/steps.sh")
    parser.add_argument("build", type=Path)
    parser.add_argument("--folder", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="steps whose name has this text")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks, with commas")
    parser.add_argument("--rounds", type=int, default=21, help="0: compare results alone")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--jax", help="a python3 that has JAX, or none; "
                        "default: that of BUILD/jax, if it is there")
    parser.add_argument("--from", dest="source", type=Path,
                        help="a folder with annotated programs STEP.mlir to run instead of ours")
    options = parser.parse_args()
    ours = options.build / "jax/bin/python3"
    options.jax = {None: str(ours) if ours.exists() else None, "none": None}.get(options.jax,
                                                                                options.jax)
    return options


def main():
    options, status = read_options(), 0
    if options.rounds:
        print(f"{os.cpu_count()} cores, {options.rounds} rounds, medians\n{HEAD}", flush=True)
    for name in STEPS:
        for ranks in map(int, options.ranks.split(",")):
            if options.only not in name:
                continue
            try:
                run_step(options, name, ranks)
            except Failed as failed:
                print(f"FAIL {name}, {ranks} ranks, {options.mpi}: {failed}", flush=True)
                status = 1
    return status


sys.exit(main())
