# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# A torch function as linalg on tensors, by torch-mlir. It must not know how the program will be
# split.

import re

from common.scatter import as_linalg


def trace(function, arguments):
    """The graph of a function of tensors, by shape and element type, with its gradients if it asks
    for some; attention as the products that it is."""
    import torch
    from torch._decomp import get_decompositions
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    # torch-mlir has no linalg of this op's other results, which evaluation leaves empty
    more = get_decompositions([torch.ops.aten.native_batch_norm])
    with torch._subclasses.fake_tensor.FakeTensorMode(), sdpa_kernel(SDPBackend.MATH):
        values = [torch.empty(shape, dtype=element) for shape, element in arguments]
        return make_fx(function, decomposition_table={**get_decomposition_table(), **more},
                       tracing_mode="fake")(*values)


def import_torch(function, arguments):
    """The text of a module whose @main takes `arguments`, pairs of a shape and an element type."""
    from torch_mlir import fx
    graph = trace(function, arguments)
    graph.graph.eliminate_dead_code()
    module = fx.stateless_fx_import(graph, output_type="linalg-on-tensors", model_name="main")
    text = as_linalg(module.operation.get_asm())
    foreign = sorted(set(re.findall(r"\b(?:torch|torch_c|tm_tensor)\.\w+", text)))
    if foreign:
        raise SystemExit(f"error: no linalg for {', '.join(foreign)}")
    return text
