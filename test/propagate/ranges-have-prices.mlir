// What only moves elements, in ranges, is split along another dimension where the whole program then
// moves clearly less: nothing that has a price by itself says so, two solutions do.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(tessera-propagate)' | diff %t -
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 4)

// Halves change places, and the result is wanted along the other dimension: one all-to-all, not
// halves that are exchanged as well.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: tessera.exchange
// CHECK: shard.all_to_all %{{.*}} split_axis = 1 concat_axis = 0 : tensor<16x32xf32> -> tensor<64x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @halves(%x_in: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %cols = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x32xf32>
  %a = tensor.extract_slice %x[0, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
  %b = tensor.extract_slice %x[32, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
  %c = tensor.concat dim(0) %b, %a : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %r = shard.shard %c to %cols : tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// One row: each device gets its part of just that row, whatever the piece is called that it is a
// part of.
// CHECK-LABEL: func.func @first_row(
// CHECK-NOT: shard.all
// CHECK: tessera.exchange %arg0 {{.*}} -> tensor<1x128xf32>
// CHECK-NOT: shard.all
// CHECK: return %{{.*}} : tensor<1x128xf32>
func.func @first_row(%x_in: tensor<64x512xf32>) -> tensor<1x512xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x512xf32>
  %a = tensor.extract_slice %x[0, 0] [1, 512] [1, 1] : tensor<64x512xf32> to tensor<1x512xf32>
  %e = math.tanh %a : tensor<1x512xf32>
  return %e : tensor<1x512xf32>
}

// A shift by a row moves a row: nothing else is cheaper.
// CHECK-LABEL: func.func @shift(
// CHECK-NOT: all_to_all
// CHECK: return
func.func @shift(%x_in: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x32xf32>
  %a = tensor.extract_slice %x[0, 0] [1, 32] [1, 1] : tensor<64x32xf32> to tensor<1x32xf32>
  %b = tensor.extract_slice %x[1, 0] [63, 32] [1, 1] : tensor<64x32xf32> to tensor<63x32xf32>
  %c = tensor.concat dim(0) %b, %a : (tensor<63x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  %d = arith.addf %x, %c : tensor<64x32xf32>
  return %d : tensor<64x32xf32>
}

// Many slices of one value: one piece serves them all, in one message.
// CHECK-LABEL: func.func @many(
// CHECK-NOT: tessera.exchange
// CHECK: shard.all_to_all
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @many(%x_in: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %cols = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x32xf32>
  %s5 = tensor.extract_slice %x[40, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t5 = math.tanh %s5 : tensor<8x32xf32>
  %s3 = tensor.extract_slice %x[24, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t3 = math.tanh %s3 : tensor<8x32xf32>
  %s7 = tensor.extract_slice %x[56, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t7 = math.tanh %s7 : tensor<8x32xf32>
  %s0 = tensor.extract_slice %x[0, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t0 = math.tanh %s0 : tensor<8x32xf32>
  %s6 = tensor.extract_slice %x[48, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t6 = math.tanh %s6 : tensor<8x32xf32>
  %s2 = tensor.extract_slice %x[16, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t2 = math.tanh %s2 : tensor<8x32xf32>
  %s4 = tensor.extract_slice %x[32, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t4 = math.tanh %s4 : tensor<8x32xf32>
  %s1 = tensor.extract_slice %x[8, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %t1 = math.tanh %s1 : tensor<8x32xf32>
  %c = tensor.concat dim(0) %t5, %t3, %t7, %t0, %t6, %t2, %t4, %t1 : (tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %r = shard.shard %c to %cols : tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
