#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes the .mlir files of this folder anew from jax_steps.py, in an environment with JAX and
# iree-base-compiler. usage: import.py

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from common.importer import import_jax  # noqa: E402
from table import STEPS  # noqa: E402


def main():
    import jax
    from jax_steps import FUNCTIONS
    for step in {step.program: step for step in STEPS.values()}.values():
        shapes = [jax.ShapeDtypeStruct(shape, "float32") for shape, _, _ in step.arguments]
        text = import_jax(FUNCTIONS[step.program], shapes)
        (HERE / f"{step.program}.mlir").write_text(text, encoding="utf-8")


main()
