// A result that nobody annotates, of a type that no argument has, is returned as it is made where that costs least:
// the product of a whole operand and one that is split where it is summed over. One that is like an argument stays as
// that is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: @unlike
// CHECK-SAME: -> (tensor<256x128xf32> {
// CHECK: shard.all_to_all %arg1
func.func @unlike(%x_in: tensor<256x128xf32>, %w_in: tensor<128x512xf32>) -> tensor<256x512xf32> {
  %whole = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<256x128xf32>
  %w = shard.shard %w_in to %rows : tensor<128x512xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %y = linalg.matmul ins(%x, %w : tensor<256x128xf32>, tensor<128x512xf32>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}

// CHECK-LABEL: @like
// CHECK-SAME: -> (tensor<256x128xf32> {
// CHECK: shard.all_reduce
func.func @like(%x_in: tensor<256x128xf32>, %w_in: tensor<128x128xf32>) -> tensor<256x128xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %x0 = shard.shard %x_in to %whole : tensor<256x128xf32>
  %x = shard.shard %x0 to %columns annotate_for_users : tensor<256x128xf32>
  %w = shard.shard %w_in to %rows : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<256x128xf32>, tensor<128x128xf32>) outs(%init : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %y : tensor<256x128xf32>
}

// So does one that is like an argument without annotation, which is whole: the gradient of a scale is what a caller adds
// to that. As it is made, in parts, it would cost less.
// CHECK-LABEL: @gradient
// CHECK-SAME: %arg1: tensor<1024xf32>
// CHECK-SAME: -> (tensor<1024xf32> {
// CHECK: shard.all_reduce
func.func @gradient(%x_in: tensor<32x1024xf32>, %scale: tensor<1024xf32>) -> tensor<1024xf32> {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x1024xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>) -> tensor<1024xf32>
  %wide = tensor.empty() : tensor<32x1024xf32>
  %scales = linalg.broadcast ins(%scale : tensor<1024xf32>) outs(%wide : tensor<32x1024xf32>) dimensions = [0]
  %y = arith.mulf %x, %scales : tensor<32x1024xf32>
  %z = arith.mulf %y, %x : tensor<32x1024xf32>
  %sum = linalg.reduce { arith.addf } ins(%z : tensor<32x1024xf32>) outs(%init : tensor<1024xf32>) dimensions = [0]
  return %sum : tensor<1024xf32>
}
