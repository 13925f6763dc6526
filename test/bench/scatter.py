#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Scatters as torch-mlir writes them become linalg that gives what numpy gives: rows that are added,
# one number a row that is set, a window that keeps the dimension before it.
# usage: scatter.py BUILD FOLDER

import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "bench"))
from common.scatter import as_linalg  # noqa: E402

PROGRAM = """module {
  func.func @main(%rows: tensor<5x1x3xf32>, %at: tensor<5x1xi64>, %ones: tensor<4xf32>,
                  %pairs: tensor<4x2xi64>, %columns: tensor<5x4x1xf32>, %into: tensor<4x6xf32>)
      -> (tensor<6x3xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %zero = arith.constant dense<0.0> : tensor<6x3xf32>
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%rows, %at : tensor<5x1x3xf32>, tensor<5x1xi64>) outs(%zero : tensor<6x3xf32>) {
    ^bb0(%new: f32, %old: f32):
      %sum = arith.addf %old, %new : f32
      tm_tensor.yield %sum : f32
    } -> tensor<6x3xf32>
    %1 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(true) ins(%ones, %pairs : tensor<4xf32>, tensor<4x2xi64>) outs(%into : tensor<4x6xf32>) {
    ^bb0(%new: f32, %old: f32):
      tm_tensor.yield %new : f32
    } -> tensor<4x6xf32>
    %2 = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(false) ins(%columns, %at : tensor<5x4x1xf32>, tensor<5x1xi64>) outs(%into : tensor<4x6xf32>) {
    ^bb0(%new: f32, %old: f32):
      %sum = arith.addf %old, %new : f32
      tm_tensor.yield %sum : f32
    } -> tensor<4x6xf32>
    return %0, %1, %2 : tensor<6x3xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
}
"""


def expected(rows, at, ones, pairs, columns, into):
    added, placed, beside = np.zeros((6, 3), np.float32), into.copy(), into.copy()
    np.add.at(added, at[:, 0], rows[:, 0])
    placed[pairs[:, 0], pairs[:, 1]] = ones
    np.add.at(beside.T, at[:, 0], columns[:, :, 0])
    return added, placed, beside


def main(build, folder):
    tools, folder = Path(build) / "bin", Path(folder)
    random = np.random.default_rng(1)
    inputs = [random.standard_normal((5, 1, 3)), np.array([[1], [4], [1], [0], [4]]),
              random.standard_normal(4), np.array([[0, 5], [3, 0], [2, 2], [1, 1]]),
              random.standard_normal((5, 4, 1)), random.standard_normal((4, 6))]
    inputs = [value.astype(np.float32 if value.dtype.kind == "f" else np.int64) for value in inputs]
    (folder / "scatter.mlir").write_text(as_linalg(PROGRAM), encoding="utf-8")
    np.savez(folder / "scatter.npz", *inputs)
    program, results = folder / "scatter.so", folder / "scattered.npz"
    for command in ([tools / "tesserac", folder / "scatter.mlir", "-o", program],
                    [tools / "tessera-run", program, "--input", folder / "scatter.npz",
                     "--output", results]):
        subprocess.run(command, check=True)
    with np.load(results) as archive:
        given = [archive[name] for name in sorted(archive.files)]
    for one, other in zip(given, expected(*inputs), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


main(*sys.argv[1:])
