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
import edges
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
    "run-time-2x2": ["all_to_all of 3 ?"],
    "own-sizes-2x2": ["all_to_all over [1, 0]", "scatter scatter_axis = 0 root = [1, 1] over [0, 1]"],
    "roots-2x2": ["reduce root ?"],
    "halos-2x2": ["update_halo with corners", "update_halo of memory",
                  "update_halo of memory with gaps, two axes on a dimension"],
    "gaps-2x2": ["all_to_all over [0, 1] in memory with gaps",
                 "reduce over [1] in memory with gaps"],
    "nothing-2x2": ["gather over [1] of 0x3 elements"],
    "data-2x2": ["scatter of i4"],
    "accumulators-4": ["reduce_scatter sum of [256, 1, 1, 2] bf16 to bf16",
                       "all_reduce average of [100, 100, 100, 103] i8 to i8"],
    "launched-?x4": ["all_gather", "process_multi_index"],
}


def said_once(log, text, mpi):
    """One message, which has the text. Where ranks are processes, those that fail take turns, and
    on a busy machine a second one may have its say before the first one's abort ends it."""
    lines = [line for line in log.split("\n") if "error:" in line]
    return lines and all(re.search(text, line) for line in lines) and (mpi or len(lines) == 1)


def misfit(runner):
    """A grid of ?x4 on six ranks, and one of 2x2 on three: an error, and no numbers."""
    tried = [([None, 4], 6, False), ([None, 4], 2, False), ([2, 2], 3, False)]
    for grid, ranks, mpi in tried + [([None, 4], 6, True)] * has_mpi:
        shape = "x".join("?" if n is None else str(n) for n in grid)
        case = next(iter(statements.launched()))
        module = Module("misfit", grid, [case])
        error = runner.compile(module)
        got = None
        if not error:
            got, error = runner.call(module, case, 0, ranks, mpi)
        good = got is None and said_once(error, rf"{re.escape(shape)}.*\b{ranks}\b", mpi)
        runner.report(f"{'mpi ' * mpi}misfit: {shape} on {ranks} ranks",
                      [] if good else [error or "no error"])


def outside(runner):
    """Devices outside of the group, told by the run: one message with the op's place."""
    module = Module("outside", [2, 2], list(statements.devices_of_the_run()), "mesh")
    if error := runner.compile(module):
        runner.report("outside compiles", [error])
        return
    for case in module.cases:
        for value, mpi in [(-1, False), (2, False)] + [(2, True)] * has_mpi:
            case.arguments = [("index", value)]
            got, error = runner.call(module, case, 0, 4, mpi)
            error = error or "no error"
            text = rf"outside.mlir:\d+:\d+: error: .*there is no coordinate {value} on axis 1 of ex"
            good = got is None and said_once(error, text, mpi)
            runner.report(f"{'mpi ' * mpi}outside: {case.name} {value}", [] if good else [error])


def tessera_check(name, words):
    source = os.path.join(here, "Inputs", name)
    # What MPI keeps until the end of a process is no leak of ours.
    asan = os.environ.get("ASAN_OPTIONS", "")
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:" + asan) \
        if "--mpi" in words else None
    return subprocess.run([build + "/bin/tessera-check", source] + words, capture_output=True,
                          text=True, timeout=120, env=environment)


def annotations(runner, name):
    """The documents' annotations in whole programs, against one device: each entry on the file's
    own mesh, or as the RUN-CHECK lines say."""
    with open(os.path.join(here, "Inputs", name)) as file:
        text = file.read()
    lines = re.findall(r"^// RUN-CHECK: (.*)$", text, re.MULTILINE) or \
        ["--entry " + entry for entry in re.findall(r"func.func @(\w+)", text)]
    for line in lines:
        if "--mpi" in line and not has_mpi:
            continue
        done = tessera_check(name, line.split())
        log = (done.stdout + done.stderr).strip().split("\n") if done.returncode else []
        runner.report("annotations: " + line.removeprefix("--entry "), log)


# File, arguments, and what the one message says; of intermediate values it has their place.
MIDDLE = r"run-time-{}s.mlir:31:8: error: 'tessera.exchange' on rank .*{}s? of dimension 0 "
RISE = "expected numbers that rise from 0 to 14"
REFUSED = [
    ("halos", "halos --range 1=-1:0", "argument 0: the halo of dimension 0 is -1 rows before each"),
    ("halos", "halos --range 2=-1:0", "argument 0: the halo of dimension 1 is -1 rows after each"),
    ("halos", "halo_in_the_middle --range 1=-1:0",
     MIDDLE.format("halo", "halo") + "is -1 rows after"),
    ("halos", "halo_in_the_middle --range 1=-5000000000:-4999999999", "is -5000000000 rows after"),
    ("halos", "halo_in_the_middle --range 1=9000000000:9000000001", "no memory for a tensor of"),
    ("offsets", "offsets --range 1=15:16", "argument 0: the shard offsets of .* are 0, 15, 14, "),
    ("offsets", "offsets --range 1=-1:0", "argument 0: the shard offsets of .* are 0, -1, 14, "),
    ("offsets", "offsets_in_the_middle --range 1=15:16",
     MIDDLE.format("offset", "offset") + "are 0, 15, 14, " + RISE),
    ("offsets", "offsets_in_the_middle --range 1=-1:0", "are 0, -1, 14, " + RISE),
    ("offsets", "offsets_in_the_middle --range 2=13:14", ", 13, " + RISE),
    ("offsets", "offsets_in_the_middle --range 2=15:16", ", 15, " + RISE),
]


def refused(runner):
    """Numbers of the run that do not fit: one message, and all ranks end with it."""
    for file, words, text in REFUSED:
        for how in [[]] + [["--mpi"]] * has_mpi:
            done = tessera_check(f"run-time-{file}.mlir", ["--entry"] + words.split() + how)
            good = done.returncode == 1 and not done.stdout and said_once(done.stderr, text, how)
            runner.report(" ".join(["refused:", words] + how),
                          [] if good else [f"exit status {done.returncode}", done.stderr])


def everything():
    yield from examples.modules()
    yield from statements.modules()
    yield from edges.modules()
    yield from collectives.modules()
    yield from collectives.every_reduction()


has_mpi = shutil.which("mpirun") is not None
with tempfile.TemporaryDirectory() as folder:
    runner = Runner(build, folder)
    for module in everything():
        if re.search(wanted, module.name):
            runner.check_all(module, ON_MPI.get(module.name, []) if has_mpi else [])
    if re.search(wanted, "annotations"):
        annotations(runner, "annotations.mlir")
        annotations(runner, "get-sharding.mlir")
        annotations(runner, "any-elements.mlir")
        annotations(runner, "run-time-halos.mlir")
        annotations(runner, "run-time-offsets.mlir")
    if re.search(wanted, "refused"):
        refused(runner)
    if re.search(wanted, "misfit"):
        misfit(runner)
    if re.search(wanted, "outside"):
        outside(runner)
sys.exit(runner.failures > 0)
