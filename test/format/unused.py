#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Functions that a header of ours declares and nobody calls: their name stands in the declaration and in the
definition alone. usage: unused.py; prints each and exits 1 if there is one."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
folders = ["plugin", "lowering", "runtime", "layers", "include", "tools", "test", "bench", "examples"]
suffixes = (".c", ".h", ".cpp", ".td")
texts = {path: path.read_text() for folder in folders for path in sorted((root / folder).rglob("*"))
         if path.suffix in suffixes}
words = collections.Counter()
for text in texts.values():
    words.update(re.findall(r"\b(?:ts|tr)_\w+", text))
found = 0
for path, text in texts.items():
    if path.suffix != ".h":
        continue
    for line, name in re.findall(r"^(\w[\w *]*?\b((?:ts|tr)_\w+)\()", text, re.MULTILINE):
        # An inline function has no declaration, and the type of a function no definition.
        least = 2 if line.startswith(("static inline", "typedef")) else 3
        if words[name] < least:
            print(f"nobody calls {name} of {path.relative_to(root)}")
            found += 1
sys.exit(1 if found else 0)
