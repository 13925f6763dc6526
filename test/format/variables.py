#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Variables of the environment: each that code reads has a line in a table of the documents, and the other way
round. usage: variables.py; prints what is missing and exits 1 if anything is."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
read = {name for folder in ["layers", "lowering", "plugin", "runtime", "tools"]
        for path in (root / folder).rglob("*") if path.suffix in (".c", ".h", ".cpp")
        for name in re.findall(r'"(TESSERA_[A-Z0-9_]+)"', path.read_text())}
told = {name for path in (root / "docs").glob("*.md")
        for name in re.findall(r"^\| `(TESSERA_[A-Z0-9_]+)` \|", path.read_text(), re.MULTILINE)}
missing = [f"no table of docs/ has {name}" for name in sorted(read - told)]
missing += [f"nothing reads {name}" for name in sorted(told - read)]
print("\n".join(missing), end="\n" if missing else "")
sys.exit(1 if missing else 0)
