# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Each layer and its gradient, compiled for several meshes, against NumPy and differences: the program of
one device and the partitioned ones, in f64. Usage: check.py BUILD FOLDER; prints PASS and FAIL lines."""
import os
import re
import shutil
import subprocess
import sys

import numpy as np

import reference

MESHES = ("1x1", "1x2", "2x1", "2x2", "1x4", "pipeline=2,tensor=2", "data=2", "tensor=2", "2x2x1", "2x1x2",
          "1x2x1x2")
# Ranks as processes, on meshes of one dimension, of three and of four: each case on one of them.
UNDER_MPI = {"openmpi": ("data=2", "2x2x1", "1x2x1x2"), "mpich": ("tensor=2", "2x2x1")}
RANGES = {"ids": (-1, 12), "many_ids": (-1, 102), "labels": (-1, 12)}  # both ends of the vocabulary, and beyond


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode or " warning: " in done.stderr:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr)
    return done.stdout


def parameters(text, case):
    """Names, shapes and element types of a function's arguments."""
    signature = re.search(r"func\.func @" + case + r"\((.*?)\) -> ", text).group(1)
    for kind, name in re.findall(r'%arg\d+: (\S+) \{tessera.name = "([^"]*)"', signature):
        words = re.sub(r"tensor<(.*)>", r"\1", kind).split("x")
        yield name, [int(word) for word in words[:-1]], words[-1]


def make_arrays(text, case):
    generator = np.random.default_rng(1)
    arrays = {}
    for name, shape, element in parameters(text, case):
        if element[0] == "i":
            low, high = RANGES[name]
            arrays[name] = generator.integers(low, high, shape).astype("i" + str(int(element[1:]) // 8))
        else:
            arrays[name] = np.asarray(generator.standard_normal(shape))
    return arrays


def difference(found, wanted):
    """Differences of functions are right to about 1e-9."""
    if sorted(found) != sorted(wanted):
        return "there are " + ", ".join(found) + ", expected " + ", ".join(wanted)
    for name, values in wanted.items():
        if found[name].shape != np.shape(values):
            return name + " has the shape " + str(found[name].shape)
        error = np.max(np.abs(found[name] - values), initial=0) / max(1, np.max(np.abs(values), initial=0))
        if not error < 1e-7:
            return f"{name} differs by {error:.1e}"
    return None


def has_mpi(build, mpi):
    return shutil.which("mpirun." + mpi) and os.path.exists(os.path.join(build, "lib", f"libtessera_mpi_{mpi}.so"))


def runs(build, mesh, cases):
    """Each case with what starts its ranks: nothing, for threads, and each MPI that is there, where it has its turn."""
    ranks = str(np.prod([int(extent) for extent in re.findall(r"\d+", mesh)]))
    for case in cases:
        yield case, "", []
    for mpi, meshes in UNDER_MPI.items():
        if mesh in meshes and has_mpi(build, mpi):
            for case in cases[meshes.index(mesh)::len(meshes)]:
                yield case, ", " + mpi, ["mpirun." + mpi, "-n", ranks]


def main(build, folder):
    tools = os.path.join(build, "bin", "")
    cases = list(reference.forward)
    inputs, wanted, failures = {}, {}, 0
    for mpi in UNDER_MPI:
        if not has_mpi(build, mpi):
            print(f"SKIP layers, {mpi}: it or its backend is missing")
    for mesh in ("oracle",) + MESHES:
        path = os.path.join(folder, mesh)
        text = run(tools + "emit-layers", "1x1" if mesh == "oracle" else mesh, "f64")
        with open(path + ".mlir", "w") as file:
            file.write(text)
        if mesh == "oracle":
            for case in cases:
                inputs[case] = os.path.join(folder, case + ".npz")
                arrays = make_arrays(text, case)
                np.savez(inputs[case], **arrays)
                wanted[case] = reference.expected(case, arrays)
        run(tools + "tesserac", path + ".mlir", "-O1", "-o", path + ".so",
            *(["--oracle"] if mesh == "oracle" else []))
        for case, name, launcher in runs(build, mesh, cases):
            output = os.path.join(folder, "output.npz")
            run(*launcher, tools + "tessera-run", path + ".so", "--entry", case, "--input", inputs[case],
                "--output", output)
            with np.load(output) as found:
                wrong = difference(dict(found), wanted[case])
            os.remove(output)
            failures += wrong is not None
            print(f"{'FAIL' if wrong else 'PASS'} {case} on {mesh}{name}" + (f": {wrong}" if wrong else ""), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
