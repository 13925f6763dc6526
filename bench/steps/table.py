# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The steps: shapes and values of arguments, and how arguments and results are split over a line of
# ranks. It knows no way to run them.

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """Arguments are (shape, base, scale): base + scale * noise. Splits are lists of grid axes for
    each dimension; None of a scalar."""
    program: str
    arguments: tuple
    splits: tuple
    result_splits: tuple

    def recipes(self):
        return ",".join(f"{base}:{scale}" for _, base, scale in self.arguments)

    def changes(self):
        """The argument that each result is anew: of several results the first is the loss."""
        count = len(self.result_splits)
        return [None] + list(range(count - 1)) if count > 1 else [None]


WHOLE1, FIRST1 = [[]], [[0]]
WHOLE2, FIRST2, SECOND2 = [[], []], [[0], []], [[], [0]]
WHOLE3, FIRST3, SECOND3 = [[], [], []], [[0], [], []], [[], [0], []]

MATMUL = (((1024, 1024), 0, 1), ((1024, 1024), 0, 1))
# w1, w2, w3, x, y: targets are large, so that the step of a weight is far above its rounding.
MLP = (((512, 2048), 0, 0.2), ((2048, 2048), 0, 0.1), ((2048, 512), 0, 0.1),
       ((512, 512), 0, 2), ((512, 512), 0, 1000))
# b1, b2, bias1, bias2, gain1, gain2, w1, w2, wk, wo, wq, wv, x, y
BLOCK = (((1024,), 0, 0.1), ((256,), 0, 0.1), ((256,), 0, 0.1), ((256,), 0, 0.1),
         ((256,), 1, 0.2), ((256,), 1, 0.2), ((256, 1024), 0, 0.2), ((1024, 256), 0, 0.1),
         ((256, 8, 32), 0, 0.2), ((8, 32, 256), 0, 0.2), ((256, 8, 32), 0, 0.2),
         ((256, 8, 32), 0, 0.2), ((16, 128, 256), 0, 2), ((16, 128, 256), 0, 100000))
BLOCK_WHOLE = (WHOLE1,) * 6 + (WHOLE2,) * 2 + (WHOLE3,) * 4
BLOCK_HEADS = (FIRST1,) + (WHOLE1,) * 5 + (SECOND2, FIRST2, SECOND3, FIRST3, SECOND3, SECOND3)

STEPS = {
    "matmul_tp": Step("matmul", MATMUL, (SECOND2, FIRST2), (WHOLE2,)),
    "mlp_dp": Step("mlp", MLP, (WHOLE2,) * 3 + (FIRST2,) * 2, (None,) + (WHOLE2,) * 3),
    "mlp_tp": Step("mlp", MLP, (SECOND2, FIRST2, FIRST2, WHOLE2, WHOLE2),
                   (None, SECOND2, FIRST2, FIRST2)),
    "block_dp": Step("block", BLOCK, BLOCK_WHOLE + (FIRST3,) * 2, (None,) + BLOCK_WHOLE),
    "block_tp": Step("block", BLOCK, BLOCK_HEADS + (WHOLE3,) * 2, (None,) + BLOCK_HEADS),
    "stencil": Step("stencil", (((2048, 2048), 0, 1),), (FIRST2,), (FIRST2,)),
}
