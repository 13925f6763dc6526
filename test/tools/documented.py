# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The options in --help of each tool against docs/tools.md: each stands in both. Knows how both are
# set, not what options mean. usage: documented.py DOCUMENT BIN
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])-(?:-[a-z][a-z-]*|[a-zA-Z](?!\w))")


def main(document, folder):
    with open(document, encoding="utf-8") as file:
        parts = re.split(r"^## (\S+)$", file.read(), flags=re.MULTILINE)
    common, sections = set(OPTION.findall(parts[0])), dict(zip(parts[1::2], parts[2::2]))
    messages = []
    for tool in ("tesserac", "tessera-run", "tessera-check"):
        text = subprocess.run([f"{folder}/{tool}", "--help"], check=True, capture_output=True,
                              text=True).stdout
        shown, written = set(OPTION.findall(text)), set(OPTION.findall(sections[tool]))
        messages += [f"{tool}: {option} is missing in {document}"
                     for option in sorted(shown - written - common)]
        messages += [f"{tool}: {option} is missing in --help"
                     for option in sorted((written | common) - shown)]
    print("\n".join(messages))
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
