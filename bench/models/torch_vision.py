# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# ResNet-50 as a torch module, images with channels before places. It must not know how it is run.

from torch import nn
from torch.nn.functional import relu

RESNET = {"batch": 8, "side": 224, "stages": (3, 4, 6, 3), "width": 64, "classes": 1000}
RESNET_SMALL = {"batch": 4, "side": 32, "stages": (1, 1), "width": 8, "classes": 10}


def convolution(side, into, out, stride=1):
    """A convolution and the normalisation behind it, which uses numbers that training has left."""
    return nn.Sequential(nn.Conv2d(into, out, side, stride, side // 2, bias=False),
                         nn.BatchNorm2d(out))


class Residual(nn.Module):
    def __init__(self, into, width, stride, widens):
        super().__init__()
        self.a = convolution(1, into, width)
        self.b = convolution(3, width, width, stride)
        self.c = convolution(1, width, 4 * width)
        self.past = convolution(1, into, 4 * width, stride) if widens else nn.Identity()

    def forward(self, x):
        return relu(self.c(relu(self.b(relu(self.a(x))))) + self.past(x))


class ResNet(nn.Module):
    def __init__(self, size):
        super().__init__()
        into, width, blocks = size["width"], size["width"], []
        self.stem, self.pool = convolution(7, 3, width, 2), nn.MaxPool2d(3, 2, 1)
        for stage, count in enumerate(size["stages"]):
            for i in range(count):
                stride = 2 if i == 0 and stage else 1
                blocks.append(Residual(into, width, stride, i == 0))
                into = 4 * width
            width *= 2
        self.blocks = nn.Sequential(*blocks)
        self.mean, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(into, size["classes"])

    def forward(self, images):
        x = self.blocks(self.pool(relu(self.stem(images))))
        return self.head(self.mean(x).flatten(1))
