# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# torch-mlir's scatters as linalg: for each place of the result, every update whose indices are that
# place, in order. It knows no other op.

import re

SCATTER = re.compile(
    r"( *)(%\w+) = tm_tensor\.scatter \{dimension_map = array<i64: ([\d, ]+)>\} "
    r"unique_indices\(\w+\) ins\((%[\w#]+), (%[\w#]+) : (tensor<[^>]*>), (tensor<[^>]*>)\) "
    r"outs\((%[\w#]+) : (tensor<[^>]*>)\) \{\n"
    r" *\^bb0\((%\w+): \w+, (%\w+): \w+\):\n((?:.*\n)*?)"
    r" *tm_tensor\.yield (%\w+) : \w+\n *\} -> .*\n")


def shape_of(tensor):
    *dims, element = tensor[len("tensor<"):-1].split("x")
    return [int(dim) for dim in dims], element


def rewrite(found):
    """The generic of one scatter. An update is a window of the last dimensions of the result, as
    wide as the result, or one wide where an index says the place."""
    (indent, name, mapped, updates, indices, update_type, index_type, result, result_type, update,
     old, body, new) = found.groups()
    mapped = [int(dim) for dim in mapped.split(", ")]
    window, (sizes, element) = shape_of(update_type)[0][1:], shape_of(result_type)
    index_element, rank = shape_of(index_type)[1], len(sizes)
    first = rank - len(window)
    for dim in range(rank):
        wide = window[dim - first] if dim >= first else 1
        if wide != (1 if dim in mapped else sizes[dim]):
            raise SystemExit(f"error: a scatter of windows {window} into {sizes}")
    loops = ", ".join(f"d{i}" for i in range(rank + 1))  # the last one goes over updates
    places = ["0" if dim in mapped else f"d{dim}" for dim in range(first, rank)]
    maps = [", ".join([f"d{rank}", *places])]
    maps += [f"d{rank}, {i}" for i in range(len(mapped))]
    maps.append(", ".join(f"d{i}" for i in range(rank)))
    maps = ", ".join(f"affine_map<({loops}) -> ({map})>" for map in maps)
    kinds = ", ".join(['"parallel"'] * rank + ['"reduction"'])
    operands = ", ".join([updates, *[indices] * len(mapped)])
    types = ", ".join([update_type, *[index_type] * len(mapped)])
    block = ", ".join([f"{update}: {element}",
                       *(f"%at{i}: {index_element}" for i in range(len(mapped))),
                       f"{old}: {element}"])
    lines = [f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
             f"ins({operands} : {types}) outs({result} : {result_type}) {{",
             f"^bb0({block}):"]
    for i, dim in enumerate(mapped):
        lines += [f"  %loop{i} = linalg.index {dim} : index",
                  f"  %place{i} = arith.index_cast %at{i} : {index_element} to index",
                  f"  %same{i} = arith.cmpi eq, %loop{i}, %place{i} : index"]
    here = "%same0"
    for i in range(1, len(mapped)):
        lines.append(f"  %here{i} = arith.andi {here}, %same{i} : i1")
        here = f"%here{i}"
    lines += [f"  {line.strip()}" for line in body.splitlines()]
    lines += [f"  %kept = arith.select {here}, {new}, {old} : {element}",
              f"  linalg.yield %kept : {element}", f"}} -> {result_type}"]
    return "".join(f"{indent}{line}\n" for line in lines)


def as_linalg(text):
    return SCATTER.sub(rewrite, text)
