# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The suite behind docs/coverage.md: the documents' examples, then what their text states. Knows the
# lists of cases and nothing of what is in them. usage: check.py BUILD [REGEX of module names]
import os
import re
import shutil
import subprocess
import sys
import tempfile

import collectives
import examples
import statements
from programs import Module, Runner

build, wanted = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
here = os.path.dirname(os.path.abspath(__file__))

# Also run by real ranks, which take a second each to start.
ON_MPI = {
    "drawn-2x2": ["gather", "reduce_scatter as drawn"],
    "drawn-3": ["all_to_all"],
    "drawn-2x4": ["shift"],
    "points-4": ["ring of 1048576", "send and recv on different devices"],
    "run-time-2x2": ["all_to_all of 3 ?", "reduce root ?"],
    "halos-2x2": ["update_halo with corners", "update_halo of memory"],
    "launched-?x4": ["all_gather", "process_multi_index"],
}


def misfit(runner, folder):
    """A grid of ?x4 on six ranks, and one of 2x2 on three: an error, and no numbers."""
    for grid, ranks in (([None, 4], 6), ([2, 2], 3)):
        shape = "x".join("?" if n is None else str(n) for n in grid)
        case = next(iter(statements.launched()))
        module = Module("misfit", grid, [case])
        error = runner.compile(module)
        got = None
        if not error:
            got, error = runner.call(module, case, 0, ranks, mpi=False)
        good = got is None and f"{shape}" in error and str(ranks) in error
        runner.report(f"misfit: {shape} on {ranks} ranks", [] if good else [error or "no error"])


def annotations(runner, name):
    """The documents' annotations in whole programs, against one device."""
    source = os.path.join(here, "Inputs", name)
    with open(source) as file:
        entries = re.findall(r"func.func @(\w+)", file.read())
    for entry in entries:
        done = subprocess.run([build + "/bin/tessera-check", source, "--entry", entry],
                              capture_output=True, text=True, timeout=120)
        log = (done.stdout + done.stderr).strip().split("\n")
        runner.report("annotations: " + entry, log if done.returncode else [])


def everything():
    yield from examples.modules()
    yield from statements.modules()
    yield from collectives.modules()
    yield collectives.every_reduction()


with tempfile.TemporaryDirectory() as folder:
    runner = Runner(build, folder)
    has_mpi = shutil.which("mpirun") is not None
    for module in everything():
        if re.search(wanted, module.name):
            runner.check_all(module, ON_MPI.get(module.name, []) if has_mpi else [])
    if re.search(wanted, "annotations"):
        annotations(runner, "annotations.mlir")
        annotations(runner, "get-sharding.mlir")
        annotations(runner, "any-elements.mlir")
    if re.search(wanted, "misfit"):
        misfit(runner, folder)
sys.exit(runner.failures > 0)
