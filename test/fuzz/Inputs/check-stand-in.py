#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Stands in for tessera-check where shrink.py is tested: minima are wrong, and every argument
# without extents needs its --shape.
import re
import sys

text = open(sys.argv[1]).read()
signature = text[text.index("func.func @main("):].split(" {\n")[0].split("\n    ->")[0]
arguments = re.findall(r"%\w+: ([^%]*)", signature.split(") -> (")[0])
unknown = {i for i, ty in enumerate(arguments) if "?" in ty}
words = sys.argv[2:]
shapes = [words[i + 1].split("=") for i, word in enumerate(words) if word == "--shape"]
given = {int(place) for place, _ in shapes}
if given != unknown:
    sys.exit(f"error: expected shapes for {sorted(unknown)}, not for {sorted(given)}")
if "arith.minui }" in text:
    sys.exit(f"error: {sys.argv[1]}: wrong numbers")
