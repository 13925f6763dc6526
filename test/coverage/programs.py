# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Per-device programs as text, compiled with tesserac and run by tessera-run on every rank. A case is
# one function on a table with one slice per device. Knows nothing of what a collective does.
import os
import re
import subprocess

import numpy as np

# Name in MLIR: numpy's type. bf16 and f8 travel as raw items.
TYPES = {
    "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "ui8": "u1", "ui16": "u2",
    "ui32": "u4", "ui64": "u8", "index": "i8", "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8",
    "complex<f32>": "c8", "complex<f64>": "c16", "f8E4M3FN": "u1",
    "f8E5M2": "u1", "i4": "i1",
}


def tensor(shape, element):
    return "tensor<" + "".join(f"{n if n is not None else '?'}x" for n in shape) + element + ">"


class Case:
    """`lines` compute %r from %x, this device's slice of `table` (and %0, %1, ... after it: scalar
    `arguments` of type index or i64); `wanted` is one array per device, None where undefined."""

    def __init__(self, name, lines, table, element, result, wanted, arguments=(), cast=None):
        self.name, self.lines, self.table, self.element = name, lines, table, element
        self.result, self.wanted, self.arguments, self.cast = result, wanted, arguments, cast

    def symbol(self):
        return re.sub(r"[^A-Za-z0-9]+", "_", self.name.replace("-", "minus "))

    def argument(self):
        """The table itself; `tensor.extract_slice` takes no empty slice of an empty dimension."""
        return np.zeros([max(n, 1) for n in self.table.shape], self.table.dtype) \
            if self.table.size == 0 else self.table

    def text(self, dialect, grid):
        """`cast`: sizes of the slice as the type of %x, None for `?`."""
        table, local = self.argument().shape, self.table.shape[1:]
        rank = len(local)
        offsets = ", ".join(["%l"] + ["0"] * rank)
        sizes = ", ".join(str(n) for n in (1,) + local)
        strides = ", ".join(["1"] * (rank + 1))
        scalars = "".join(f", %{i}: {kind}" for i, (kind, _) in enumerate(self.arguments))
        # tensor ops do not care for signs, arith and linalg would.
        lines = [
            f"func.func @{self.symbol()}(%t: {tensor(table, self.element)}{scalars}) -> "
            f"{self.result} {{",
            f"  %l = {dialect}.process_linear_index on @{grid} : index",
            f"  %{'s' if self.cast else 'x'} = tensor.extract_slice %t[{offsets}] [{sizes}] "
            f"[{strides}] : {tensor(table, self.element)} to {tensor(local, self.element)}",
        ]
        if self.cast:
            lines.append(f"  %x = tensor.cast %s : {tensor(local, self.element)} to "
                         f"{tensor(self.cast, self.element)}")
        lines += ["  " + line.strip() for line in self.lines.strip().split("\n")]
        lines += [f"  return %r : {self.result}", "}", ""]
        return "\n".join(lines)


def to_shard(text):
    """The `mesh` dialect's words for the same in `shard`."""
    text = re.sub(r"reduction = <(\w+)>", r"reduction = \1", text)
    text = re.sub(r"\bmesh\.mesh_shape", "shard.grid_shape", text)
    text = re.sub(r"\bmesh\.mesh\b", "shard.grid", text)
    text = text.replace("!mesh.", "!shard.").replace("mesh_axes", "grid_axes")
    return re.sub(r"\bmesh\.", "shard.", text)


class Module:
    """Functions over one grid, compiled to one program."""

    def __init__(self, name, grid, cases, dialect="shard", launch=None):
        self.name, self.grid, self.cases, self.dialect = name, grid, cases, dialect
        self.launch = launch or [n for n in grid if n is not None]

    def text(self):
        shape = "x".join("?" if n is None else str(n) for n in self.grid)
        word = {"shard": "shard.grid", "mesh": "mesh.mesh"}[self.dialect]
        lines = [f"{word} @g(shape = {shape})"]
        for case in self.cases:
            text = case.text(self.dialect, "g")
            lines.append(to_shard(text) if self.dialect == "shard" else text)
        return "\n".join(lines)


class Runner:
    def __init__(self, build, folder):
        self.build, self.folder, self.failures = build, folder, 0

    def report(self, name, wrong):
        print(("FAIL " if wrong else "PASS ") + name, flush=True)
        for line in wrong:
            print("  | " + line)
        self.failures += bool(wrong)

    def compile(self, module):
        path = os.path.join(self.folder, module.name)
        with open(path + ".mlir", "w") as file:
            file.write(module.text())
        done = subprocess.run([self.build + "/bin/tesserac", path + ".mlir", "-o", path + ".so"],
                              capture_output=True, text=True)
        return None if done.returncode == 0 else done.stderr.strip() or "no message"

    def call(self, module, case, rank, ranks, mpi):
        files = []
        values = [case.argument()] + [np.array(v, "i8") for _, v in case.arguments]
        for i, value in enumerate(values):
            files.append(f"{self.folder}/in{i}.npy")
            np.save(files[-1], value)
        output = f"{self.folder}/out.npy"
        if os.path.exists(output):
            os.remove(output)
        command = [self.build + "/bin/tessera-run", f"{self.folder}/{module.name}.so", "--entry",
                   case.symbol(), "--output-rank", str(rank), "--input", *files, "--output", output]
        if mpi:
            # What MPI keeps until the end of a process is no leak of ours.
            asan = "ASAN_OPTIONS=detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")
            command = ["env", asan, "mpirun", "-n", str(ranks)] + command
        else:
            command += ["--ranks", str(ranks)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            return None, (done.stderr.strip() or "no message")[-800:]
        return np.load(output), None

    def check(self, module, case, mpi=False):
        ranks, wrong = int(np.prod(module.launch)), []
        for rank in range(ranks):
            wanted = case.wanted[rank]
            if wanted is None and rank != 0:
                continue
            got, error = self.call(module, case, rank, ranks, mpi)
            if error:
                wrong.append(f"rank {rank}: {error}")
                break
            if wanted is not None and (text := differs(got, np.asanyarray(wanted), case.result)):
                wrong.append(f"rank {rank}: {text}")
                break
        how = "mpi " if mpi else ""
        self.report(f"{how}{module.dialect} {module.name}: {case.name}", wrong)

    def check_all(self, module, on_mpi=()):
        """Every case on threads, those named in `on_mpi` on MPI's ranks as well."""
        error = self.compile(module)
        if error:
            self.report(f"{module.dialect} {module.name} compiles", error.split("\n")[:12])
            return
        for case in module.cases:
            self.check(module, case)
        for case in module.cases:
            if case.name in on_mpi:
                self.check(module, case, mpi=True)


def differs(got, wanted, result):
    if got.dtype.kind == "V":
        got = got.view(f"u{got.dtype.itemsize}")
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype}{got.shape} instead of {wanted.dtype}{wanted.shape}"
    if isinstance(wanted, np.ma.MaskedArray):
        got, wanted = np.where(wanted.mask, 0, got).astype(got.dtype), wanted.filled(0)
    if wanted.dtype.kind in "fc":
        tolerance = {2: 2e-3, 4: 1e-5, 8: 1e-12}[np.zeros(1, wanted.dtype).real.dtype.itemsize]
        good = np.allclose(got, wanted, rtol=tolerance, atol=0, equal_nan=True)
    else:
        good = np.array_equal(got, wanted)
    return None if good else f"{got.tolist()} instead of {wanted.tolist()}"[:400]
