#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Names that stand for two things: of files in one component, of types in headers.
usage: names.py; prints each and exits 1 if there is one."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
components = ["plugin", "lowering", "runtime", "layers"]
# What differs between rows of one table has one name in each of their folders.
rows = ["runtime/backends/", "runtime/devices/", "lowering/targets/"]
# The same thing, seen from two layers.
twice = {
    "table.c": "a table, and its folder says of what",
    "stages.c": "all stages, and those of a target",
    "stages.h": "all stages, and those of a target",
    "gather.c": "pieces to a whole: the collective, and tessera_gather of a program's results",
    "gemm.c": "the call, and how the host does it",
}


def files(component):
    return [str(path.relative_to(root)) for path in sorted((root / component).rglob("*"))
            if path.suffix in (".c", ".h", ".cpp")]


def row(path):
    """The table that a file's folder is a row of."""
    return next(("rows" for folder in rows if path.startswith(folder)), path)


found = 0
types = collections.defaultdict(set)
for component in components:
    named = collections.defaultdict(list)
    for path in files(component):
        named[path.rsplit("/")[-1]].append(path)
        if path.endswith(".h"):
            text = (root / path).read_text()
            for name in re.findall(r"^\}\s*(\w+);", text, re.MULTILINE):
                if name.startswith(("ts_", "tr_", "tessera_")):
                    types[name].add(path)
    for name, paths in named.items():
        if len({row(path) for path in paths}) > 1 and name not in twice:
            print(f"files of one name: {' '.join(paths)}")
            found += 1
for name, paths in types.items():
    if len(paths) > 1:
        print(f"types of one name: {name} in {' '.join(sorted(paths))}")
        found += 1
sys.exit(1 if found else 0)
