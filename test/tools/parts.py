#!/usr/bin/env python3
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Prints a program of so many loops that code for it is made in parts: sums of rows of many lengths,
# each computed otherwise; or one without loops and with so many constants that it is in another part than
# these are: the sum of one element of each, element i of constant k being k * (i + 1).
# usage: parts.py loops|constants N

import sys

HEAD = """shard.grid @g(shape = 2)
func.func @main(%in: tensor<8x2048xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %in to %s : tensor<8x2048xf32>
  %e = tensor.empty() : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %r0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
"""
LOOP = """  %x{i} = tensor.extract_slice %x[0, {i}] [8, {n}] [1, 1]
      : tensor<8x2048xf32> to tensor<8x{n}xf32>
  %r{next} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
        affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}}
      ins(%x{i} : tensor<8x{n}xf32>) outs(%r{i} : tensor<8xf32>) {{
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant {factor} : f32
    %p = arith.mulf %a, %c : f32
    %q = math.{function} %p : f32
    %t = arith.addf %b, %q : f32
    %u = arith.mulf %t, %c : f32
    linalg.yield %u : f32
  }} -> tensor<8xf32>
"""
FUNCTIONS = ["exp", "tanh", "sin", "cos", "sqrt", "absf"]


def print_loops(loops):
    print(HEAD, end="")
    for i in range(loops):
        print(LOOP.format(i=i, next=i + 1, n=40 + 3 * i, factor=0.25 + i / 1024,
                          function=FUNCTIONS[i % len(FUNCTIONS)]), end="")
    print(f"  return %r{loops} : tensor<8xf32>\n}}")


def print_constants(num):
    print("func.func @main(%in: tensor<index>) -> tensor<index> {")
    print("  %i = tensor.extract %in[] : tensor<index>\n  %s0 = arith.constant 0 : index")
    for k in range(num):
        print(f"  %c{k} = arith.constant dense<[{k}, {2 * k}, {3 * k}, {4 * k}]> : tensor<4xindex>")
        print(f"  %e{k} = tensor.extract %c{k}[%i] : tensor<4xindex>")
        print(f"  %s{k + 1} = arith.addi %s{k}, %e{k} : index")
    print(f"  %sum = tensor.from_elements %s{num} : tensor<index>\n  return %sum : tensor<index>\n}}")


{"loops": print_loops, "constants": print_constants}[sys.argv[1]](int(sys.argv[2]))
