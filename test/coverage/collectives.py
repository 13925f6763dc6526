# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Every collective on grids of one to three axes, subsets and orders of axes, element types and tensor
# axes: a fixed sample, against the plain loops of oracle.py. Knows the documents, not the compiler.
import itertools

import numpy as np

import oracle
from programs import TYPES, Case, Module, tensor

random = np.random.default_rng(4)
INTEGERS = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "index"]
FLOATS = ["f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
KINDS = ["sum", "product", "max", "min", "average", "bitwise_and", "bitwise_or", "bitwise_xor"]


def values(shape, element):
    """Small numbers that every type holds exactly, so that any order of adding gives one result."""
    dtype = np.dtype(TYPES[element])
    if element == "i1":
        return random.integers(0, 2, shape).astype(bool)
    low = 0 if dtype.kind == "u" else -4
    whole = random.integers(low, 5, shape).astype(dtype)
    if dtype.kind == "c":
        whole = (whole + 1j * random.integers(-4, 5, shape)).astype(dtype)
    return whole


def table(grid, shape, element):
    return values([int(np.prod(grid))] + list(shape), element)


def size(grid, axes):
    return int(np.prod([grid[a] for a in axes], dtype=int))


def axes_lists(grid):
    """Every subset of the axes in every order, the empty one left out."""
    for count in range(1, len(grid) + 1):
        yield from itertools.permutations(range(len(grid)), count)


def moved(grid, axes, element, op, attributes, before, after, expected):
    t = table(grid, before, element)
    words = ", ".join(map(str, axes))
    functional = "root" in attributes
    types = f"{tensor(before, element)} -> {tensor(after, element)}"
    if functional:
        types = f"({tensor(before, element)}) -> {tensor(after, element)}"
    line = f"%r = mesh.{op} %x on @g mesh_axes = [{words}] {attributes} : {types}"
    name = f"{op} {list(axes)} {attributes} {element}".replace(" = ", " ")
    return Case(name, line, t, element, tensor(after, element), expected(list(t)))


def movements(grid, axes, element):
    n, at = size(grid, axes), [grid[a] - 1 for a in axes]
    root = f"root = [{', '.join(map(str, at))}]"
    yield moved(grid, axes, element, "all_gather", "gather_axis = 1", [2, 3], [2, 3 * n],
                lambda x: oracle.all_gather(grid, axes, x, 1))
    yield moved(grid, axes, element, "all_slice", "slice_axis = 0", [2 * n, 3], [2, 3],
                lambda x: oracle.all_slice(grid, axes, x, 0))
    yield moved(grid, axes, element, "all_to_all", "split_axis = 2 concat_axis = 0", [2, 1, 2 * n],
                [2 * n, 1, 2], lambda x: oracle.all_to_all(grid, axes, x, 2, 0))
    yield moved(grid, axes, element, "broadcast", root, [3, 2], [3, 2],
                lambda x: oracle.broadcast(grid, axes, x, at))
    yield moved(grid, axes, element, "gather", "gather_axis = 0 " + root, [2, 2], [2 * n, 2],
                lambda x: oracle.gather(grid, axes, x, 0, at))
    yield moved(grid, axes, element, "scatter", "scatter_axis = 1 " + root, [2, 2 * n], [2, 2],
                lambda x: oracle.scatter(grid, axes, x, 1, at))


def has_meaning(kind, element):
    if element in COMPLEX:
        return kind in ("sum", "product", "average")
    if element in FLOATS:
        return not kind.startswith("bitwise")
    return element != "i1" or kind != "average"


def wider(element):
    return {"i8": "i32", "i16": "i64", "i32": "i64", "ui8": "ui16", "f16": "f32", "f32": "f64",
            "complex<f32>": "complex<f64>"}.get(element, element)


def averaged(outputs, kind, dtype, count):
    """The average of integers is rounded toward zero."""
    if kind != "average" or dtype.kind not in "iu":
        return outputs
    return [None if x is None else np.trunc(x.astype("f8") / count).astype(dtype) for x in outputs]


def reductions(grid, axes, element, kind, result=None):
    """To a wider type, or to `result`, which may be narrower: then what goes in is first made so."""
    n, at, scale = size(grid, axes), [0 for _ in axes], 77 if result else 1
    result = result or wider(element)
    dtype = np.dtype(TYPES[result])
    oracle_kind = {"sum": "bitwise_xor", "max": "bitwise_and", "min": "bitwise_or",
                   "product": "bitwise_and"}.get(kind, kind) if result == "i1" else kind
    if kind == "average" and dtype.kind in "iu":
        oracle_kind = "sum"
    words, root = ", ".join(map(str, axes)), f"root = [{', '.join(map(str, at))}]"
    shape = [2 * n, 3]
    t = table(grid, shape, element)
    t = (t * t.dtype.type(scale)).astype(t.dtype)
    inputs = list((t & 1).astype(bool) if result == "i1" else t)
    wide, narrow = tensor(shape, element), tensor(shape, result)
    piece = tensor([2, 3], result)
    lists = [
        ("all_reduce", "", f"{wide} -> {narrow}", narrow,
         oracle.all_reduce(grid, axes, inputs, oracle_kind, dtype)),
        ("reduce", root, f"({wide}) -> {narrow}", narrow,
         oracle.reduce(grid, axes, inputs, at, oracle_kind, dtype)),
        ("reduce_scatter", "scatter_axis = 0", f"{wide} -> {piece}", piece,
         oracle.reduce_scatter(grid, axes, inputs, 0, oracle_kind, dtype)),
    ]
    for op, rest, types, out, wanted in lists:
        line = (f"%r = mesh.{op} %x on @g mesh_axes = [{words}] reduction = <{kind}> {rest} : "
                f"{types}")
        yield Case(f"{op} {kind} {list(axes)} {element} to {result}", line, t, element, out,
                   averaged(wanted, kind, dtype, n))


def shifts(grid):
    for axis, extent in enumerate(grid):
        for offset, rotate in [(1, False), (-1, False), (extent, False), (0, False), (1, True),
                               (-2, True), (extent + 1, True)]:
            t = table(grid, [2, 2], "i16")
            others = [axis] + [a for a in range(len(grid)) if a != axis]
            line = (f"%r = mesh.shift %x on @g mesh_axes = {others} shift_axis = {axis} offset = "
                    f"{offset} {'rotate' if rotate else ''} : tensor<2x2xi16> -> tensor<2x2xi16>")
            yield Case(f"shift axis {axis} by {offset}{' rotate' if rotate else ''}", line, t, "i16",
                       "tensor<2x2xi16>", oracle.shift(grid, axis, list(t), offset, rotate))


def modules():
    elements = itertools.cycle(["i8", "i16", "i32", "i64", "index", "f16", "f32", "f64", "bf16",
                                "complex<f32>", "complex<f64>", "ui8", "ui16", "ui32", "ui64", "i1",
                                "f8E4M3FN"])
    pairs = itertools.cycle([(e, k) for e in ["i1"] + INTEGERS + FLOATS + COMPLEX for k in KINDS
                             if has_meaning(k, e)])
    for grid in ([4], [2, 2], [2, 3], [2, 2, 2]):
        shape = "x".join(map(str, grid))
        cases = [c for axes in axes_lists(grid) for c in movements(grid, axes, next(elements))]
        yield Module("moves-" + shape, grid, cases)
        cases = [c for axes in axes_lists(grid) for _ in range(max(1, 8 // size(grid, range(len(grid)))))
                 for c in reductions(grid, axes, *next(pairs))]
        yield Module("reductions-" + shape, grid, cases)
        yield Module("shifts-" + shape, grid, list(shifts(grid)))


NARROWER = [("i32", "i8"), ("i64", "i16"), ("ui32", "ui8"), ("index", "i32"), ("f32", "f16"),
            ("i8", "i1"), ("f64", "f16"), ("f64", "f32"), ("complex<f64>", "complex<f32>"),
            ("i64", "f32"), ("f64", "complex<f32>")]


def every_reduction():
    """Each reduction that has a meaning, of each element type, once, and to narrower types."""
    cases = [c for (element, result), kind in zip(NARROWER, itertools.cycle(
                 ["sum", "max", "min", "product"]))
             for c in reductions([2], [0], element, kind if has_meaning(kind, result) else "sum", result)]
    for element in ["i1"] + INTEGERS + FLOATS + COMPLEX:
        for kind in KINDS:
            if has_meaning(kind, element):
                cases.append(next(itertools.islice(reductions([2], [0], element, kind), 1)))
    return Module("types-2", [2], cases)
