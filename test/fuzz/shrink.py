#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes a random program that fails smaller: fewer ops, then a smaller function, in text alone. It
# knows gen.py's output, and of the compiler only whether tessera-check and the reference are content.
"""usage: shrink.py BUILD GEN-ARGUMENT...

Prints the smallest program found that fails in the same way (wrong numbers, a message, or a crash).
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent


def requested(text):
    """The arguments for tessera-check that a program's RUN-CHECK line names."""
    line = re.search(r"^// RUN-CHECK:(.*)$", text, re.MULTILINE)
    return shlex.split(line.group(1)) if line else []


def verdict(build, text):
    """None if the program passes or is no program; else the kind of its failure."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.mlir")
        file.write_text(text)
        try:
            done = subprocess.run([f"{build}/bin/tessera-check", file, "--seed", "1",
                                   *requested(text)], capture_output=True, text=True, timeout=90)
        except subprocess.TimeoutExpired:
            return "hangs"
        if done.returncode == 0:
            reference = here.parent / "reference" / "check.py"
            same = subprocess.run([sys.executable, "-B", reference, build, folder, file],
                                  capture_output=True, text=True)
            # A part of a program may have operations that are unknown there: that is no failure.
            return "not as the reference" if "FAIL" in same.stdout else None
    output = (done.stdout + done.stderr).replace(f"{file}: ", "")
    if done.returncode < 0 or done.returncode > 1 or "Stack dump" in output:
        return "crash"
    errors = re.findall(r"error: (.*)", output)
    if not errors:
        return "no message"
    # Numbers, names and types differ from one program to the next.
    words = re.sub(r"[%@'\"<(\[].*|\d+", "", errors[0])
    # A program that is cut wrongly does not parse.
    if re.search(r"use of undeclared|undefined|expected|was not used|redefinition", words):
        return None
    return words.strip()[:40] or "a message"


class Program:
    """The lines of gen.py's function as statements: each defines names and uses others."""

    def __init__(self, text):
        lines = text.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("func.func @main"))
        self.head = [line for line in lines[:start] if not line.startswith("// RUN-CHECK:")]
        signature = next(i for i in range(start, len(lines)) if lines[i].endswith(") {"))
        self.types = dict(re.findall(r"(%\w+): (tensor<[^>]*>|i64 {[^}]*})",
                                     " ".join(lines[start:signature + 1])))
        self.arguments = list(self.types)
        self.shapes, self.options = self.split_options(requested(text))
        self.statements, depth, current = [], 0, []
        for line in lines[signature + 1:]:
            if line.startswith("  return"):
                break
            current.append(line)
            depth += line.count("{") - line.count("}")
            if depth == 0:
                self.statements.append("\n".join(current))
                current = []
        final = lines[-2]
        names, types = final.strip()[len("return "):].split(" : ", 1)
        self.results = list(zip(names.split(", "), re.findall(r"tensor<[^>]*>", types)))

    def split_options(self, words):
        """The shapes, by names of arguments instead of their places, and all other words."""
        shapes, others, words = {}, [], iter(words)
        for word in words:
            if word == "--shape":
                place, shape = next(words).split("=")
                shapes[self.arguments[int(place)]] = shape
            else:
                others.append(word)
        return shapes, others

    def request(self, arguments):
        shapes = [f"--shape {i}={self.shapes[a]}" for i, a in enumerate(arguments)
                  if a in self.shapes]
        return " ".join(["// RUN-CHECK:"] + shapes + self.options)

    def text(self, statements, results):
        body = "\n".join(statements) + " " + " ".join(name for name, _ in results)
        used = set(re.findall(r"%\w+", body))
        arguments = [a for a in self.arguments if a in used]
        lines = [self.request(arguments), *self.head]
        lines.append("func.func @main(" + ", ".join(f"{a}: {self.types[a]}" for a in arguments)
                     + ") -> (" + ", ".join(t for _, t in results) + ") {")
        lines += statements
        lines.append("  return " + ", ".join(n for n, _ in results) + " : "
                     + ", ".join(t for _, t in results))
        return "\n".join(lines + ["}", ""])


def defined(statement):
    """The name that stands for the statement: of several, the last, which is a tensor."""
    return re.findall(r"%\w+", statement.split(" = ")[0])[-1]


def live(statements, results):
    """Without what nothing needs."""
    needed = {name.split("#")[0] for name, _ in results}
    kept = []
    for statement in reversed(statements):
        if defined(statement) in needed:
            kept.append(statement)
            needed |= set(re.findall(r"%\w+", statement))
    return kept[::-1]


def shrink(build, text):
    program = Program(text)
    kind = verdict(build, text)
    if kind is None:
        return text, kind
    statements, results = program.statements, program.results

    def fails(some, few):
        return few and verdict(build, program.text(some, few)) == kind

    changed = True
    while changed:
        changed = False
        for result in list(results):
            fewer = [r for r in results if r is not result]
            some = live(statements, fewer)
            if fails(some, fewer):
                results, statements, changed = fewer, some, True
        # An annotation, or an op that keeps its type, gives way to its operand.
        for statement in reversed(list(statements)):
            name = defined(statement)
            types = re.findall(r"tensor<[^>]*>", statement)
            if "\n" in statement or not types or len(set(types)) != 1:
                continue
            operands = [o for o in re.findall(r"%[va]\d+_\d+", statement)[1:]]
            for operand in operands[:2]:
                some = [re.sub(rf"{name}\b", operand, s) for s in statements if s != statement]
                few = [(operand if n == name else n, t) for n, t in results]
                some = live(some, few)
                if fails(some, few):
                    statements, results, changed = some, few, True
                    break
        # What stands in the middle is returned in place of what follows from it.
        for statement in list(statements):
            types = re.findall(r"tensor<[^>]*>", statement)
            if statement.lstrip().startswith("%v") and types and ":2 =" not in statement:
                few = [(defined(statement), types[-1])]
                some = live(statements, few)
                if len(some) < len(statements) and fails(some, few):
                    statements, results, changed = some, few, True
                    break
    return program.text(statements, results), kind


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, arguments = sys.argv[1], sys.argv[2:]
    if len(arguments) == 1:
        text = Path(arguments[0]).read_text()
    else:
        text = subprocess.run([sys.executable, here / "gen.py", *arguments], check=True,
                              capture_output=True, text=True).stdout
    smaller, kind = shrink(build, text)
    print(smaller, end="")
    print(f"// {kind}" if kind else "// passes", file=sys.stderr)


if __name__ == "__main__":
    main()
