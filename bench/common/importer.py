# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A JAX function as linalg on tensors: StableHLO by JAX, linalg by iree-opt, both Python packages.
# It must not know how the program will be split.

import re
import shutil
import subprocess
import sys
from pathlib import Path

from common.annotate import TENSOR


def find_iree_opt():
    """iree-opt of the environment that runs this, else of the PATH."""
    beside = Path(sys.executable).parent / "iree-opt"
    found = str(beside) if beside.exists() else shutil.which("iree-opt")
    if not found:
        raise SystemExit("error: no iree-opt: pip install jax iree-base-compiler")
    return found


def without_barriers(text):
    """What `jax.checkpoint` says to XLA's optimizer: each result is its operand."""
    lines, done = text.split("\n"), []
    for at, line in enumerate(lines):
        found = re.match(r"( *)(%\w+)(?::\d+)? = util\.optimization_barrier (.*) : ", line)
        if not found:
            done.append(line)
            continue
        indent, name, operands = found[1], found[2], found[3].split(", ")
        end = next((i for i in range(at + 1, len(lines))
                    if lines[i].strip() and not lines[i].startswith(indent)), len(lines))
        for i in range(at + 1, end):
            lines[i] = re.sub(rf"{name}#(\d+)\b", lambda use: operands[int(use[1])], lines[i])
            if len(operands) == 1:
                lines[i] = re.sub(rf"{name}\b", operands[0], lines[i])
    return "\n".join(done)


def as_plain_module(text):
    """iree-opt's module without what belongs to IREE; an error where its ops remain."""
    text = without_barriers(text)
    text = re.sub(r" attributes \{[^{}]*mhlo[^{}]*\}", "", text)
    text = re.sub(rf"%(arg\d+): ({TENSOR}|[a-z]\w*) \{{[^{{}}]*\}}", r"%\1: \2", text)
    text = re.sub(rf"({TENSOR}) \{{jax\.[^{{}}]*\}}", r"\1", text)
    text = re.sub(r"^module @\S+", "module", text, flags=re.MULTILINE)
    foreign = sorted(set(re.findall(r"\b(?:iree_linalg_ext|stablehlo|chlo|util|flow)\.\w+", text)))
    if foreign:
        raise SystemExit(f"error: no linalg for {', '.join(foreign)}")
    return text


def import_jax(function, arguments):
    """The text of a module whose @main takes `arguments` (arrays or shapes), flattened in order."""
    import jax
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    command = [find_iree_opt(), "--iree-stablehlo-input-transformation-pipeline", "-"]
    done = subprocess.run(command, input=lowered.as_text(), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: iree-opt: {done.stderr.strip()[:2000]}")
    return as_plain_module(done.stdout)
