# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The models in JAX: a function, the tree of its arguments, a grid; and how a program is made of
# one. It knows no way to run them.

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import jax
import jax_cubes as cubes
import jax_fluids as fluids
import jax_language as language
import jax_vision as vision
from leaves import Leaves, is_leaf

sys.path.append(str(Path(__file__).parent.parent))
from common.importer import import_jax  # noqa: E402


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
    "lattice_boltzmann": Model(fluids.lattice_boltzmann, (2, 2),
                               lambda: (fluids.densities(fluids.SIDE),),
                               lambda: (fluids.densities(fluids.SIDE_SMALL),)),
}


def shapes(leaves):
    return [jax.ShapeDtypeStruct(leaf["shape"], leaf.get("element", "float32")) for leaf in leaves]


def model_leaves(name, size):
    """Leaves of a tree, as JAX flattens it; `size` is full or small."""
    model = MODELS[name]
    leaves, form = jax.tree.flatten(model.arguments() if size == "full" else model.small(),
                                    is_leaf=is_leaf)

    def function(*values):
        return tuple(jax.tree.leaves(model.function(*jax.tree.unflatten(form, values))))

    count = len(jax.eval_shape(function, *shapes(leaves)))
    return Leaves(leaves, function, count, model.trains)


def import_model(leaves):
    return import_jax(leaves.function, shapes(leaves.leaves))
