#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Files and folders that the documents name and that are not there.
usage: paths.py; prints each and exits 1 if there is one."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
# What a document may leave out at the beginning of a path, because the section says it.
roots = ["", "plugin/", "lowering/", "runtime/", "include/", "test/", "bench/", "lowering/targets/"]
# Made by the build, another library's, a word that stands for a name.
others = {"build/", "mpi.h", "NAME/"}
source = re.compile(r"[\w./-]+\.(c|h|cpp|hpp|py|sh|td|cmake)")
folder = re.compile(r"[\w-]+(/[\w-]+)*/|(plugin|lowering|runtime|test|bench|tools|layers|docs|examples)(/[\w-]+)+")
tops = ["bench", "docs", "examples", "include", "layers", "lowering", "packaging", "plugin", "runtime",
        "scripts", "test", "tools"]
files = {str(path.relative_to(root)) for top in tops for path in (root / top).rglob("*") if path.is_file()}
names = {file.rsplit("/", 1)[-1] for file in files}
folders = {str(parent) for file in files for parent in pathlib.Path(file).parents}


def is_there(word):
    if word in others or "/" not in word:
        return word in others or word in names
    plain = word.rstrip("/")
    return any(start + plain in files or start + plain in folders for start in roots)


missing = 0
for document in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]:
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for word in re.findall(r"`([^` ]+)`", line):
            if (source.fullmatch(word) or folder.fullmatch(word)) and not is_there(word):
                print(f"{document.relative_to(root)}:{number}: there is no {word}")
                missing += 1
sys.exit(1 if missing else 0)
