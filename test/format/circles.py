#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Files of a folder that call each other in a circle, by the symbols of their objects.
usage: circles.py BUILD FOLDER...; prints each circle and exits 1 if there is one.
A table of rows names functions; who asks a row calls them without naming them. So what the tables
below name leads into no circle."""
import collections
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).parents[2]
build, folders = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
sys.setrecursionlimit(10000)
tables = {"plugin/rules/table.c"}


def symbols(paths):
    """Of each object what it defines, and what it uses of others."""
    found = {str(path): (set(), set()) for path in paths}
    command = ["nm", "--print-file-name", *found]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        path, _, symbol = line.rpartition(":")
        kind, name = symbol.split()[-2:]
        if kind == "U":
            found[path][1].add(name)
        elif kind in "TDBR":
            found[path][0].add(name)
    return found


def circles(uses):
    """The strongly connected components of more than one file (R. Tarjan, 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in uses[file]:
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            place = stack.index(file)
            if len(stack) - place > 1:
                found.append(sorted(stack[place:]))
            del stack[place:]

    for file in sorted(uses):
        if file not in number:
            visit(file)
    return found


def read(folder):
    """For each file of the folder and of those below it, the others that it uses."""
    paths = {}
    top = folder.split("/")[0]
    if top == "lowering":
        top = "plugin"  # which builds it
    # A library for each MPI may be made of the same sources: one of their objects is enough.
    for path in sorted((build / top).rglob("CMakeFiles/*.dir/**/*.c.o")):
        parts = path.relative_to(build / top).parts
        place = parts.index("CMakeFiles")
        source = "/".join((top,) + parts[:place] + parts[place + 2 :])[:-2].replace(f"{top}/__/", "")
        # There may be objects of files that are no more.
        if (root / source).exists() and source.startswith(folder + "/"):
            paths.setdefault(source, str(path))
    found = symbols(paths.values()) if paths else {}
    objects = {source: found[path] for source, path in paths.items()}
    owner = {name: source for source in objects for name in objects[source][0]}
    uses = collections.defaultdict(set)
    for source, (_, used) in objects.items():
        if source in tables:
            used = set()
        uses[source] = {owner[name] for name in used if name in owner and owner[name] != source}
    return uses


found = 0
for folder in folders:
    uses = read(folder)
    if not uses:
        sys.exit(f"no objects of {folder} in {build}")
    for circle in circles(uses):
        found += 1
        print(f"a circle of files: {' '.join(circle)}")
        for file in circle:
            print(f"  {file} uses {' '.join(sorted(uses[file] & set(circle)))}")
sys.exit(1 if found else 0)
