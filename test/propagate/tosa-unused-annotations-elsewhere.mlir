// Annotations whose results nothing uses, over the conversion of tosa to linalg: in blocks that are merged with
// others, and with numbers.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s

shard.grid @g(shape = 2)

// Of a block's argument: blocks are merged.
// CHECK-LABEL: func.func @merged
// CHECK: return
func.func @merged(%x_in: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x8xf32>
  %k = math.tanh %x : tensor<4x8xf32>
  cf.br ^bb1(%k : tensor<4x8xf32>)
^bb1(%y: tensor<4x8xf32>):
  %s2 = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %ya = shard.shard %y to %s2 : tensor<4x8xf32>
  %w = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}

// Of one that is dropped.
// CHECK-LABEL: func.func @dropped
// CHECK: return
func.func @dropped(%x_in: tensor<4x8xf32>, %c: i1) -> tensor<8x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x8xf32>
  %k = math.tanh %x : tensor<4x8xf32>
  cf.cond_br %c, ^bb1(%k : tensor<4x8xf32>), ^bb1(%x : tensor<4x8xf32>)
^bb1(%y: tensor<4x8xf32>):
  %s2 = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %ya = shard.shard %y to %s2 : tensor<4x8xf32>
  %w = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}

// With a halo.
// CHECK-LABEL: func.func @halo
// CHECK: shard.sharding @g split_axes = {{\[\[0\]\]}} halo_sizes = [%c1{{.*}}, %c1{{.*}}]
func.func @halo(%x_in: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<8x4xf32> {
  %c1 = arith.constant 1 : i64
  %h = shard.sharding @g split_axes = [[0]] halo_sizes = [%c1, %c1] : !shard.sharding
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x8xf32>
  %ya = shard.shard %y to %h : tensor<8xf32>
  %w = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}
