# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Prints what a terminal shows in the end: usage: screen.py FILE, with the bytes that it was sent."""
import re
import sys

lines, column = [""], 0
for part in re.findall(r"\x1b\[K|[^\x1b]|\x1b", open(sys.argv[1], errors="replace", newline="").read()):
    if part == "\x1b[K":
        lines[-1] = lines[-1][:column]
    elif part == "\r":
        column = 0
    elif part == "\n":
        lines.append("")
        column = 0
    else:
        lines[-1] = lines[-1][:column].ljust(column) + part + lines[-1][column + 1:]
        column += 1
print("\n".join(lines))
