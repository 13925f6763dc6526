# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The models: a function, the tree of its arguments, a grid. It knows no way to run them.

from dataclasses import dataclass
from typing import Any, Callable

import cubes
import language
import vision


@dataclass(frozen=True)
class Model:
    """`arguments` and `small` are trees of leaves (leaves.py). A training step (`trains`)
    gives its loss and then the first argument anew, leaf by leaf, split as it was."""
    function: Callable
    grid: tuple
    arguments: Any
    small: Any
    trains: bool = False


def gpt2(embed, form):
    return Model(language.gpt2_step(embed), (2, 2),
                 lambda: language.gpt2_arguments(language.GPT2, form),
                 lambda: language.gpt2_arguments(language.GPT2_SMALL, form), True)


MODELS = {
    "gpt2_unrolled": gpt2(language.look_up, "unrolled"),
    "gpt2_scan": gpt2(language.one_hot_embed, "scan"),
    "llama": Model(language.llama, (4,),
                   lambda: language.llama_arguments(language.LLAMA),
                   lambda: language.llama_arguments(language.LLAMA_SMALL)),
    "resnet50": Model(vision.resnet, (4,), lambda: vision.resnet_arguments(vision.RESNET),
                      lambda: vision.resnet_arguments(vision.RESNET_SMALL)),
    "heat": Model(cubes.heat, (2, 2), lambda: (cubes.cube(cubes.SIDE),),
                  lambda: (cubes.cube(cubes.SIDE_SMALL),)),
    "conjugate_gradient": Model(cubes.conjugate_gradient, (2, 2),
                                lambda: (cubes.cube(cubes.SIDE),),
                                lambda: (cubes.cube(cubes.SIDE_SMALL),)),
}
