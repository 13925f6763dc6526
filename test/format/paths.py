#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
"""Files, folders and sections that the documents name and that are not there.
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


def leads_somewhere(document, link):
    """Whether a link, a path from the document's folder with or without a section, does."""
    path, _, section = link.partition("#")
    target = document.parent / path if path else document
    if "://" in link or (target.exists() and not section):
        return True
    headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE) if target.is_file() else []
    return section in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


missing = 0
documents = [root / "README.md", root / "CONTRIBUTING.md", root / "bench/README.md",
             *sorted((root / "docs").glob("*.md")), *sorted((root / "examples").glob("*/README.md"))]
for document in documents:
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for link in re.findall(r"\]\(([^()\s]+)\)", line):
            if not leads_somewhere(document, link):
                print(f"{document.relative_to(root)}:{number}: there is no {link}")
                missing += 1
        for word in re.findall(r"`([^` ]+)`", line):
            if (source.fullmatch(word) or folder.fullmatch(word)) and not is_there(word):
                print(f"{document.relative_to(root)}:{number}: there is no {word}")
                missing += 1
sys.exit(1 if missing else 0)
