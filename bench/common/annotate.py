#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Writes shard.shard ops on the arguments and results of a module's @main. It must not know what the
# function computes.
#
# usage: annotate.py IN.mlir GRID ARGUMENTS [RESULTS]
#   GRID is 4 or 2x2; ARGUMENTS and RESULTS are lists of split_axes in JSON, null where there is
#   none: [[[0], []], null]

import json
import re
import sys

TENSOR = r"tensor<(?:[^<>]|<[^<>]*>)*>"  # of complex numbers, too
HEAD = re.compile(r"^( *)func\.func (?:public )?@main\((.*?)\)( -> .*)? \{$", re.MULTILINE)


class Shardings:
    """The shard.sharding ops of one function, each written once."""

    def __init__(self):
        self.names = {}

    def name(self, axes):
        return self.names.setdefault(json.dumps(axes or [[]]), f"%split{len(self.names)}")

    def lines(self):
        return [f"{name} = shard.sharding @grid split_axes = {axes} : !shard.sharding"
                for axes, name in self.names.items()]


def annotate_results(body, results, shardings, indent):
    """Annotations before the return, which then returns what they give."""
    at = body.index(f"\n{indent}return ") + 1
    end = body.index("\n", at)
    values, types = body[at:end].strip()[len("return "):].split(" : ")
    values, types = values.split(", "), re.findall(rf"{TENSOR}|\w+", types)
    lines = []
    for i, axes in enumerate(results):
        if axes is not None:
            name = f"%result{i}"
            lines.append(f"{name} = shard.shard {values[i]} to {shardings.name(axes)} : {types[i]}")
            values[i] = name
    lines.append(f"return {', '.join(values)} : {', '.join(types)}")
    return body[:at] + "\n".join(indent + line for line in lines) + body[end:]


def annotate(text, grid, arguments, results=()):
    """`text` with a grid and annotations; split_axes are lists of lists, None is no annotation."""
    head = HEAD.search(text)
    if not head:
        raise SystemExit("error: no `func.func @main` on one line")
    types = re.findall(rf"%arg\d+: ({TENSOR}|\w+)", head[2])
    if len(types) != len(arguments):
        raise SystemExit(f"error: @main has {len(types)} arguments, not {len(arguments)}")
    indent = head[1] + "  "
    shardings, lines = Shardings(), []
    end = text.find(f"\n{head[1]}}}", head.end()) + 1
    before, body, after = text[:head.end()], text[head.end():end], text[end:]
    for i, axes in enumerate(arguments):
        if axes is not None:
            body = re.sub(rf"%arg{i}\b", f"%input{i}", body)
            lines.append(f"%input{i} = shard.shard %arg{i} to {shardings.name(axes)} : {types[i]}")
    body = annotate_results(body, results, shardings, indent)
    body = "\n" + "\n".join(indent + line for line in shardings.lines() + lines) + body
    at = head.start()
    return f"{before[:at]}{head[1]}shard.grid @grid(shape = {grid})\n{before[at:]}{body}{after}"


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        raise SystemExit("usage: annotate.py IN.mlir GRID ARGUMENTS [RESULTS]")
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(annotate(file.read(), sys.argv[2], *map(json.loads, sys.argv[3:])))
