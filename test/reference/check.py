# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Programs through the compiler, partitioned and not, against the interpreter of this folder.
# Prints PASS, FAIL or SKIP (no meaning known for an operation) per program.
"""usage: check.py BUILD OUT [--jobs N] [--form 'one device'] FILE...

Programs are compiled with --oracle (one device), also for the oldest processor, and as annotated
(partitioned), or only as --form says. The entries, shapes and grids are those of the RUN-CHECK lines; without one, every public
function is called."""

import argparse
import concurrent.futures
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np

import generic_form
from generic_form import NoMeaning, element_of, rounded, shape_of, storage
from interpreter import Interpreter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What LLVM has no instruction for, it calls: the oldest processor of a kind calls most.
FORMS = ["one device", "partitioned"] + ["oldest processor"] * (platform.machine() == "x86_64")
RTOL = {"f64": 1e-10, "f32": 1e-4, "f16": 2e-2, "bf16": 2e-2}


def tool(name):
    return shutil.which(f"{name}-22") or f"/usr/lib/llvm-22/bin/{name}"


def run(command, text=""):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120)
    if done.returncode:
        lines = [l for l in done.stdout.splitlines() if " remark: " not in l][-6:]
        raise RuntimeError("\n".join([f"exit status {done.returncode}: {shlex.join(command)}"]
                                     + lines))
    return done.stdout


class Request:
    """What a RUN-CHECK line asks of tessera-check, as far as it matters here."""

    def __init__(self, line):
        parser = argparse.ArgumentParser()
        parser.add_argument("--entry")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--atol", type=float, default=0)
        parser.add_argument("--grid", default="")
        parser.add_argument("--ranks", default="")
        parser.add_argument("--shape", action="append", default=[])
        parser.add_argument("--range", action="append", default=[])
        options, unknown = parser.parse_known_args(shlex.split(line))
        if any(word.startswith("--input") for word in unknown):
            raise NoMeaning("inputs from files")
        self.entry, self.seed, self.atol = options.entry, options.seed, options.atol
        # The last one listed is the largest, as a rule.
        self.grid = options.grid.split(",")[-1]
        self.ranks = options.ranks.split(",")[-1]
        self.shapes = {int(k): [int(n) for n in v.split("x")]
                       for k, v in (pair.split("=") for pair in options.shape)}
        self.ranges = {int(k): [int(n) for n in v.split(":")]
                       for k, v in (pair.split("=") for pair in options.range)}


def entries_of(module, name):
    """The entry `name`, or without a name all that have arguments."""
    public = [op for op in module.regions[0][0].operations
              if op.name == "func.func" and op.regions[0] and not op.symbol("sym_visibility")]
    found = [op for op in public
             if (op.symbol("sym_name") == name if name else op.regions[0][0].arguments)]
    if not found:
        raise NoMeaning(f"a program without entries {name or 'that have arguments'}")
    return found


def result_types(function):
    reader = generic_form.Reader(function.attributes["function_type"])
    reader.types()
    reader.take("->")
    return reader.types()


def random_inputs(function, request):
    """As docs/tools.md says of tessera-check's, though not the same numbers."""
    generator = np.random.default_rng(request.seed)
    attributes = function.attributes.get("arg_attrs", "")
    # One dictionary an argument; none of those that we read holds another.
    each = re.findall(r"\{[^{}]*\}", attributes)
    inputs = []
    for i, (_, kind) in enumerate(function.regions[0][0].arguments):
        element, shape = element_of(kind), request.shapes.get(i, shape_of(kind) or [])
        if None in shape:
            raise NoMeaning("an argument of unknown shape")
        bounds = re.search(r"tessera\.range = \[(-?\d+)(?: : \w+)?, (-?\d+)", each[i] if each else "")
        low, high = request.ranges.get(i, map(int, bounds.groups()) if bounds else (-100, 100))
        if storage(element) is np.bool_:
            values = generator.integers(0, 2, shape)
        elif np.issubdtype(storage(element), np.integer):
            values = generator.integers(low, high, shape)
        else:
            values = generator.standard_normal(shape)
        inputs.append(rounded(values, element))
    return inputs


def to_file(path, values, element):
    if element == "bf16":
        values = (values.view(np.uint32) >> 16).astype(np.uint16)
    np.save(path, values)


def from_file(path, element):
    values = np.load(path)
    if element == "bf16":
        return (values.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return values


def difference(found, wanted, element, computed_in, atol):
    """None, or what is different. A result is as precise as what the program computes in; where all
    of it cancels, nothing but what was asked of tessera-check says how precise that is."""
    if found.shape != wanted.shape:
        return f"shape {found.shape}, the reference has {wanted.shape}"
    if element in RTOL:
        found, wanted = found.astype(np.float64), wanted.astype(np.float64)
        finite = np.abs(wanted[np.isfinite(wanted)])
        tolerance = max(RTOL.get(each, 0) for each in {element, *computed_in})
        allowed = tolerance * (finite.max() if finite.size else 0) + atol + np.finfo(np.float32).tiny
        with np.errstate(invalid="ignore"):
            same = (found == wanted) | (np.isnan(found) & np.isnan(wanted)) | (
                np.abs(found - wanted) <= allowed)
    else:
        same = found == wanted
    if np.all(same):
        return None
    place = tuple(int(i) for i in np.argwhere(~same)[0]) if found.ndim else ()
    return (f"{np.size(same) - np.count_nonzero(same)} of {np.size(same)} elements, first at "
            f"{list(place)}: {found[place]}, the reference has {wanted[place]}")


def read(path):
    # Where the widths of a pad come to nothing, a pass of mlir-opt takes it for its source.
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\btensor\.pad (%\S+) low", r"tensor.pad \1 nofold low", file.read())
    return generic_form.Reader(
        run([tool("mlir-opt"), "--linalg-generalize-named-ops", "--mlir-print-op-generic",
             "--mlir-print-local-scope"], text)).operation()


def compiled(build, path, stem, options, ranks, entry, inputs, results):
    """Differences of one compiled form of the program, as text."""
    program = stem + ".so"
    run([f"{build}/bin/tesserac", path, "-o", program] + options)
    command = [f"{build}/bin/tessera-run", program, "--entry", entry.symbol("sym_name")]
    if ranks:
        command += ["--ranks", ranks]
    arguments, kinds = entry.regions[0][0].arguments, results[1]
    for i, (value, (_, kind)) in enumerate(zip(inputs, arguments)):
        to_file(f"{stem}.in{i}.npy", value, element_of(kind))
        command += ["--input", f"{stem}.in{i}.npy"]
    for i in range(len(kinds)):
        command += ["--output", f"{stem}.out{i}.npy"]
    run(command)
    found = []
    for i, (wanted, kind) in enumerate(zip(*results[:2])):
        text = difference(from_file(f"{stem}.out{i}.npy", element_of(kind)), wanted,
                          element_of(kind), *results[2:])
        found += [f"result {i}: {text}"] if text else []
    return found


def check_entry(build, path, stem, request, module, entry, forms):
    inputs = random_inputs(entry, request)
    interpreter = Interpreter(module)
    results = (interpreter.call(entry.symbol("sym_name"), inputs), result_types(entry),
               interpreter.computed_in, request.atol)
    options = {"one device": ["--oracle"], "oldest processor": ["--oracle", "--march=x86-64"],
               "partitioned": ["--grid", request.grid] if request.grid else []}
    for form in forms:
        ranks = request.ranks if form == "partitioned" else ""
        for text in compiled(build, path, stem, options[form], ranks, entry, inputs, results):
            yield f"@{entry.symbol('sym_name')}, {form} {request.grid}: {text}"


def check(build, out, path, forms):
    """One line for the program, and more after a FAIL."""
    name = os.path.relpath(path, ROOT)[:-len(".mlir")]
    stem = os.path.join(out, name.replace("/", "-"))
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^// RUN-CHECK:(.*)$", file.read(), re.MULTILINE) or [""]
    failures = []
    try:
        module = read(path)
        for line in lines:
            request = Request(line)
            for entry in entries_of(module, request.entry):
                failures += check_entry(build, path, stem, request, module, entry, forms)
    except NoMeaning as reason:
        return f"SKIP {name} (no meaning here for {reason})"
    except Exception as error:  # Whatever it is, it is told with the program's name.
        failures.append(f"{type(error).__name__}: {error}")
    return "\n     ".join([f"FAIL {name}"] + failures) if failures else f"PASS {name}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    lines = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(check, options.build, options.out, path,
                               options.form or FORMS)
                   for path in options.files]
        for future in waiting:
            lines.append(future.result())
            print(lines[-1], flush=True)
    return 1 if any(line.startswith("FAIL") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
