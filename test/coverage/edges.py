# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every op that moves data at its edges: over no axes, of rank 0, of nothing, in memory with gaps,
# of elements that nothing computes with. Knows the documents, not the compiler.
import numpy as np

import oracle
from collectives import size, table
from programs import Case, Module, tensor


def operations(grid, axes, rows, columns):
    """Every op with a group of its own: name, attributes, sizes before and after, meaning."""
    n, at = size(grid, axes), [grid[a] - 1 for a in axes]
    root, piece, whole = f"root = {at}", [rows, columns], [n * rows, columns]
    yield "all_gather", "gather_axis = 0", piece, whole, \
        lambda x: oracle.all_gather(grid, axes, x, 0)
    yield "all_slice", "slice_axis = 0", whole, piece, lambda x: oracle.all_slice(grid, axes, x, 0)
    yield "all_to_all", "split_axis = 0 concat_axis = 1", whole, [rows, n * columns], \
        lambda x: oracle.all_to_all(grid, axes, x, 0, 1)
    yield "broadcast", root, piece, piece, lambda x: oracle.broadcast(grid, axes, x, at)
    yield "gather", "gather_axis = 0 " + root, piece, whole, \
        lambda x: oracle.gather(grid, axes, x, 0, at)
    yield "scatter", "scatter_axis = 0 " + root, whole, piece, \
        lambda x: oracle.scatter(grid, axes, x, 0, at)
    yield "all_reduce", "", piece, piece, lambda x: oracle.all_reduce(grid, axes, x)
    yield "reduce", root, piece, piece, lambda x: oracle.reduce(grid, axes, x, at)
    yield "reduce_scatter", "scatter_axis = 0", whole, piece, \
        lambda x: oracle.reduce_scatter(grid, axes, x, 0)
    yield "shift", f"shift_axis = {axes[0]} offset = -1", piece, piece, \
        lambda x: oracle.shift(grid, axes[0], x, -1)
    yield "send_recv", "", piece, piece, lambda x: oracle.shift(grid, axes[0], x, 1, True)


REDUCTIONS = ("all_reduce", "reduce", "reduce_scatter")


def line(op, axes, attributes, operand, before, after, element, result="%r"):
    """The op in words; send_recv is a ring along the first of the axes, whose extent is 2."""
    before, after = tensor(before, element), tensor(after, element)
    if op == "send_recv":
        types = f"({before}, index) -> {after}"
        return f"""
%c1 = arith.constant 1 : index
%here = mesh.process_multi_index on @g axes = [{axes[0]}] : index
%other = arith.subi %c1, %here : index
%sent = mesh.send {operand} on @g mesh_axes = [{axes[0]}] destination = [%other] : {types}
{result} = mesh.recv %sent on @g mesh_axes = [{axes[0]}] source = [%other] : {types}"""
    types = f"({before}) -> {after}" if "root" in attributes else f"{before} -> {after}"
    return f"{result} = mesh.{op} {operand} on @g mesh_axes = {list(axes)} {attributes} : {types}"


def of_nothing(grid):
    """No columns, and then no rows, along which pieces are cut and joined."""
    for axes in ([1], [1, 0]):
        for rows, columns in ((2, 0), (0, 3)):
            for op, attributes, before, after, meaning in operations(grid, axes, rows, columns):
                t = table(grid, before, "f32")
                yield Case(f"{op} over {axes} of {rows}x{columns} elements",
                           line(op, axes, attributes, "%x", before, after, "f32"), t, "f32",
                           tensor(after, "f32"), meaning(list(t)))


def with_gaps(grid):
    """From every second column of a wider tensor into every second column of another."""
    for axes in ([1], [0, 1]):
        for op, attributes, before, after, meaning in operations(grid, axes, 3, 2):
            held, room = ([sizes[0], 2 * sizes[1] + 1] for sizes in (before, after))
            from_type, to_type = tensor(held, "i32"), tensor(room, "i32")
            cut_type, got_type = tensor(before, "i32"), tensor(after, "i32")
            t = table(grid, held, "i32")
            wanted = []
            for got in meaning([x[:, 1::2] for x in t]):
                around = np.zeros(room, "i4")
                if got is not None:
                    around[:, 1::2] = got
                wanted.append(None if got is None else around)
            yield Case(f"{op} over {axes} in memory with gaps", f"""
%cut = tensor.extract_slice %x[0, 1] {before} [1, 2] : {from_type} to {cut_type}
{line(op, axes, attributes, "%cut", before, after, "i32", "%q")}
%zeros = arith.constant dense<0> : {to_type}
%r = tensor.insert_slice %q into %zeros[0, 1] {after} [1, 2] : {got_type} into {to_type}""",
                       t, "i32", to_type, wanted)


def not_computed(grid):
    """Elements that are data and nothing else."""
    for element in ("f8E4M3FN", "f8E5M2", "i4"):
        for op, attributes, before, after, meaning in operations(grid, [0, 1], 2, 3):
            if op not in REDUCTIONS:
                t = table(grid, before, element)
                yield Case(f"{op} of {element}",
                           line(op, [0, 1], attributes, "%x", before, after, element), t, element,
                           tensor(after, element), meaning(list(t)))


def of_odd_widths(grid):
    """Integers of widths that no .npy has, made of bytes and turned into bytes again."""
    for bits in (7, 24, 33, 65, 72, 96, 100, 127):
        for op, attributes, before, after, meaning in operations(grid, [0, 1], 2, 3):
            if op in REDUCTIONS:
                continue
            t, element = table(grid, before, "i8") % 64, f"i{bits}"
            widen, narrow = ("extsi", "trunci") if bits > 8 else ("trunci", "extsi")
            yield Case(f"{op} of {element}", f"""
%w = arith.{widen} %x : {tensor(before, "i8")} to {tensor(before, element)}
{line(op, [0, 1], attributes, "%w", before, after, element, "%q")}
%r = arith.{narrow} %q : {tensor(after, element)} to {tensor(after, "i8")}""", t, "i8",
                       tensor(after, "i8"), meaning(list(t)))


def over_no_axes(grid):
    """Each device is its own group, whether the list of axes is empty or left out."""
    t = table(grid, [4], "f16")
    wide = [x.astype("f4") for x in t]
    same, wider = "tensor<4xf16> -> tensor<4xf16>", "tensor<4xf16> -> tensor<4xf32>"
    called, called_wider = ("(" + types.replace(" ->", ") ->") for types in (same, wider))
    for op, rest, types in (("all_reduce", "", wider),
                            ("all_gather", "gather_axis = 0", same),
                            ("all_slice", "slice_axis = 0", same),
                            ("all_to_all", "split_axis = 0 concat_axis = 0", same),
                            ("reduce_scatter", "scatter_axis = 0", wider),
                            ("broadcast", "root = []", called),
                            ("gather", "gather_axis = 0 root = []", called),
                            ("scatter", "scatter_axis = 0 root = []", called),
                            ("reduce", "root = []", called_wider)):
        for how, axes in (("", ""), (", said", "mesh_axes = []")):
            yield Case(f"{op} over no axes{how}",
                       f"%r = mesh.{op} %x on @g {axes} {rest} : {types}", t, "f16",
                       types.split("-> ")[1], wide if "f32" in types else list(t))
    yield Case("send and recv over no axes", f"""
%s = mesh.send %x on @g destination = [] : {called}
%r = mesh.recv %s on @g source = [] : {called}""", t, "f16", "tensor<4xf16>", list(t))
    yield Case("update_halo over no axes", """
%r = mesh.update_halo %x on @g split_axes = [[]] : tensor<4xf16>""", t, "f16", "tensor<4xf16>",
               list(t))


def of_rank_0(grid):
    t = table(grid, [], "i64")
    for op, rest, types, wanted in (
            ("all_reduce", "[0, 1]", "tensor<i64> -> tensor<i64>",
             oracle.all_reduce(grid, [0, 1], list(t))),
            ("broadcast", "[1] root = [1]", "(tensor<i64>) -> tensor<i64>",
             oracle.broadcast(grid, [1], list(t), [1])),
            ("reduce", "[1] reduction = min root = [0]", "(tensor<i64>) -> tensor<i64>",
             oracle.reduce(grid, [1], list(t), [0], "min"))):
        yield Case(f"{op} of rank 0", f"%r = mesh.{op} %x on @g mesh_axes = {rest} : {types}", t,
                   "i64", "tensor<i64>", wanted)


def modules():
    grid = [2, 2]
    for dialect in ("shard", "mesh"):
        yield Module("edges-2x2", grid, [*over_no_axes(grid), *of_rank_0(grid)], dialect)
    yield Module("nothing-2x2", grid, list(of_nothing(grid)))
    yield Module("gaps-2x2", grid, list(with_gaps(grid)))
    yield Module("data-2x2", grid, list(not_computed(grid)), "mesh")
    yield Module("widths-2x2", grid, list(of_odd_widths(grid)))
