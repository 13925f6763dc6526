# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The examples of the dialect documents with the numbers drawn there, in the `mesh` dialect's words.
# Where a drawing is used that does not fit its text, docs/coverage.md says how it was corrected.
import numpy as np

from programs import Case, Module


def i8(*rows):
    return np.array(rows, "i1")


SQUARES = i8([[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]], [[13, 14], [15, 16]])
TOP, BOTTOM = i8([1, 2, 5, 6], [3, 4, 7, 8]), i8([9, 10, 13, 14], [11, 12, 15, 16])
WIDE = np.stack([TOP, TOP, BOTTOM, BOTTOM])
NOTHING = [[99, 99], [99, 99]]

on_2x2 = [
    Case("all_gather", """
%r = mesh.all_gather %x on @g mesh_axes = [1] gather_axis = 1
  : tensor<2x2xi8> -> tensor<2x4xi8>""",
         SQUARES, "i8", "tensor<2x4xi8>", [TOP, TOP, BOTTOM, BOTTOM]),
    Case("all_slice", """
%r = mesh.all_slice %x on @g mesh_axes = [1] slice_axis = 1
  : tensor<2x4xi8> -> tensor<2x2xi8>""",
         WIDE, "i8", "tensor<2x2xi8>", list(SQUARES)),
    Case("broadcast", """
%r = mesh.broadcast %x on @g
  mesh_axes = [0]
  root = [0]
  : (tensor<2xi8>) -> tensor<2xi8>""",
         i8([1, 2], [3, 4], [99, 99], [99, 99]), "i8", "tensor<2xi8>",
         [i8(1, 2), i8(3, 4), i8(1, 2), i8(3, 4)]),
    Case("gather", """
%r = mesh.gather %x on @g mesh_axes = [1]
  gather_axis = 1 root = [1]
  : (tensor<2x2xi8>) -> tensor<2x4xi8>""",
         SQUARES, "i8", "tensor<2x4xi8>", [None, TOP, None, BOTTOM]),
    Case("scatter", """
%r = mesh.scatter %x on @g mesh_axes = [0]
  scatter_axis = 0
  root = [1]
  : (tensor<2x2xi8>) -> tensor<1x2xi8>""",
         i8(NOTHING, NOTHING, [[1, 2], [3, 4]], [[5, 6], [7, 8]]), "i8", "tensor<1x2xi8>",
         [i8([1, 2]), i8([5, 6]), i8([3, 4]), i8([7, 8])]),
    # The drawing of reduce_scatter is that of a sum; its text asks for the maximum.
    Case("reduce_scatter as drawn", """
%r = mesh.reduce_scatter %x on @g mesh_axes = [1]
  reduction = <sum> scatter_axis = 0
  : tensor<2x2xf32> -> tensor<1x2xf64>""",
         SQUARES.astype("f4"), "f32", "tensor<1x2xf64>",
         [np.array([row], "f8") for row in ([6, 8], [10, 12], [22, 24], [26, 28])]),
    Case("reduce_scatter as written", """
%r = mesh.reduce_scatter %x on @g mesh_axes = [1]
  reduction = <max> scatter_axis = 0
  : tensor<2x2xf32> -> tensor<1x2xf64>""",
         SQUARES.astype("f4"), "f32", "tensor<1x2xf64>",
         [np.array([row], "f8") for row in ([5, 6], [7, 8], [13, 14], [15, 16])]),
    Case("all_reduce", """
%r = mesh.all_reduce %x on @g mesh_axes = [1, 0] reduction = <max>
  : tensor<3x4xf32> -> tensor<3x4xf64>""",
         np.arange(48, dtype="f4").reshape(4, 3, 4) % 29, "f32", "tensor<3x4xf64>",
         [(np.arange(48, dtype="f8").reshape(4, 3, 4) % 29).max(0)] * 4),
]

on_3 = [
    Case("all_to_all", """
%r = mesh.all_to_all %x on @g mesh_axes = [0]
  split_axis = 0 concat_axis = 0
  : tensor<3x2xi8> -> tensor<3x2xi8>""",
         i8([[11, 12], [13, 14], [15, 16]], [[21, 22], [23, 24], [25, 26]],
            [[31, 32], [33, 34], [35, 36]]), "i8", "tensor<3x2xi8>",
         [i8([11, 12], [21, 22], [31, 32]), i8([13, 14], [23, 24], [33, 34]),
          i8([15, 16], [25, 26], [35, 36])]),
]

# The drawing has one number per device; both elements of tensor<2xi8> hold it.
on_2x4 = [
    Case("shift", """
%r = mesh.shift %x on @g mesh_axes = [1]
  shift_axis = 1 offset = 2 rotate
  : tensor<2xi8> -> tensor<2xi8>""",
         i8(*[[n, n] for n in range(1, 9)]), "i8", "tensor<2xi8>",
         [i8(n, n) for n in (3, 4, 1, 2, 7, 8, 5, 6)]),
]

# The root (2, 3) needs a grid with at least 4 devices on axis 0 and 3 on axis 1.
on_4x3 = [
    Case("reduce", """
%r = mesh.reduce %x on @g mesh_axes = [1, 0]
  reduction = <max> root = [2, 3]
  : (tensor<3x4xf32>) -> tensor<3x4xf64>""",
         np.arange(144, dtype="f4").reshape(12, 3, 4) % 101, "f32", "tensor<3x4xf64>",
         [(np.arange(144, dtype="f8").reshape(12, 3, 4) % 101).max(0) if n == 11 else None
          for n in range(12)]),
]


def modules():
    for dialect in ("mesh", "shard"):
        yield Module("drawn-2x2", [2, 2], on_2x2, dialect)
        yield Module("drawn-3", [3], on_3, dialect)
        yield Module("drawn-2x4", [2, 4], on_2x4, dialect)
        yield Module("drawn-4x3", [4, 3], on_4x3, dialect)
