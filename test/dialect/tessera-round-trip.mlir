// Each op of the dialect prints as it was written, also through the generic form.
// RUN: %mlir_opt %s | FileCheck %s
// RUN: %mlir_opt %s | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --mlir-print-op-generic | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --canonicalize --cse | FileCheck %s

shard.grid @g(shape = 4)
shard.grid @grid2(shape = 2x?)

// CHECK-LABEL: func @all_gather
func.func @all_gather(%x: tensor<?x64xf32>, %n: index)
    -> (tensor<10x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) {
  // CHECK: tessera.all_gather %{{.*}} on @g grid_axes = [0] gather_axis = 0 : tensor<?x64xf32> -> tensor<10x64xf32>
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0
    : tensor<?x64xf32> -> tensor<10x64xf32>
  // CHECK: tessera.all_gather %{{.*}} on @grid2 grid_axes = [1, 0] gather_axis = 0 sizes(%{{.*}}) : tensor<?x64xf32> -> tensor<?x64xf32>
  %1 = tessera.all_gather %x on @grid2 grid_axes = [1, 0] gather_axis = 0 sizes(%n)
    : tensor<?x64xf32> -> tensor<?x64xf32>
  // CHECK: tessera.all_gather %{{.*}} on @g gather_axis = 0 sizes(%{{.*}}) {note = "whole"}
  %2 = tessera.all_gather %x on @g gather_axis = 0 sizes(%n) {note = "whole"}
    : tensor<?x64xf32> -> tensor<?x64xf32>
  return %0, %1, %2 : tensor<10x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
}

// CHECK-LABEL: func @all_slice
func.func @all_slice(%x: tensor<10x64xf32>, %n: index) -> (tensor<?x64xf32>, tensor<10x16xf32>) {
  // CHECK: tessera.all_slice %{{.*}} on @g grid_axes = [0] slice_axis = 0 sizes(%{{.*}}) : tensor<10x64xf32> -> tensor<?x64xf32>
  %0 = tessera.all_slice %x on @g grid_axes = [0] slice_axis = 0 sizes(%n)
    : tensor<10x64xf32> -> tensor<?x64xf32>
  // CHECK: tessera.all_slice %{{.*}} slice_axis = 1 : tensor<10x64xf32> -> tensor<10x16xf32>
  %1 = tessera.all_slice %x on @g grid_axes = [0] slice_axis = 1
    : tensor<10x64xf32> -> tensor<10x16xf32>
  return %0, %1 : tensor<?x64xf32>, tensor<10x16xf32>
}

// CHECK-LABEL: func @all_to_all
func.func @all_to_all(%x: tensor<?x6xf32>, %n: index) -> (tensor<10x?xf32>, tensor<?x6xf32>) {
  // CHECK: tessera.all_to_all %{{.*}} on @g grid_axes = [0] split_axis = 1 concat_axis = 0 sizes(%{{.*}}) : tensor<?x6xf32> -> tensor<10x?xf32>
  %0 = tessera.all_to_all %x on @g grid_axes = [0] split_axis = 1 concat_axis = 0 sizes(%n)
    : tensor<?x6xf32> -> tensor<10x?xf32>
  // CHECK: split_axis = 1 concat_axis = 1
  %1 = tessera.all_to_all %x on @g grid_axes = [0] split_axis = 1 concat_axis = 1 sizes(%n)
    : tensor<?x6xf32> -> tensor<?x6xf32>
  return %0, %1 : tensor<10x?xf32>, tensor<?x6xf32>
}

// CHECK-LABEL: func @reduce_scatter
func.func @reduce_scatter(%x: tensor<10x64xf16>, %n: index)
    -> (tensor<?x64xf16>, tensor<?x64xf32>, tensor<?x64xf16>) {
  // The sum is what it is without a word.
  // CHECK: tessera.reduce_scatter %{{.*}} on @g grid_axes = [0] scatter_axis = 0 sizes
  %0 = tessera.reduce_scatter %x on @g grid_axes = [0] reduction = sum scatter_axis = 0 sizes(%n)
    : tensor<10x64xf16> -> tensor<?x64xf16>
  // CHECK: tessera.reduce_scatter %{{.*}} reduction = max scatter_axis = 0 sizes(%{{.*}}) : tensor<10x64xf16> -> tensor<?x64xf32>
  %1 = tessera.reduce_scatter %x on @g grid_axes = [0] reduction = max scatter_axis = 0 sizes(%n)
    : tensor<10x64xf16> -> tensor<?x64xf32>
  // CHECK: {tessera.reduction = "maxnum"}
  %2 = tessera.reduce_scatter %x on @g grid_axes = [0] reduction = max scatter_axis = 0 sizes(%n)
    {tessera.reduction = "maxnum"} : tensor<10x64xf16> -> tensor<?x64xf16>
  return %0, %1, %2 : tensor<?x64xf16>, tensor<?x64xf32>, tensor<?x64xf16>
}

// CHECK-LABEL: func @run_time_numbers
func.func @run_time_numbers(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  // CHECK: tessera.exchange %{{.*}} from {{.*}}halo = array<i64: 1, -9223372036854775808, 0, 0>
  // CHECK-SAME: offsets = [array<i64>, array<i64: 0, -9223372036854775808, 4, 4, 64>]
  // CHECK-SAME: sizes(%{{.*}}, %{{.*}}) global_sizes(%{{.*}}) numbers(%{{.*}}, %{{.*}}) : tensor<?x?xf32> -> tensor<?x?xf32>
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<?x64xf32>, factors = [[[-1, [0]]], [[64, []]]],
          halo = array<i64: 1, -9223372036854775808, 0, 0>}
    to {grid = @g, global = tensor<?x64xf32>, factors = [[[-1, []]], [[64, [0]]]],
        offsets = [array<i64>, array<i64: 0, -9223372036854775808, 4, 4, 64>]}
    sizes(%n, %m) global_sizes(%n) numbers(%n, %m) : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @exchange
func.func @exchange(%x: tensor<4x64xf32>, %y: tensor<?xf32>, %s: tensor<f32>, %n: index, %m: index)
    -> (tensor<16x16xf32>, tensor<?xf32>, tensor<6x64xf32>, tensor<f32>) {
  // CHECK: tessera.exchange %{{.*}} from
  // CHECK-SAME{LITERAL}: {factors = [[[16, [0]]], [[64, []]]], global = tensor<16x64xf32>, grid = @g} to {factors = [[[16, []]], [[64, [0]]]], global = tensor<16x64xf32>, grid = @g} : tensor<4x64xf32> -> tensor<16x16xf32>
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, []]]]}
    to {grid = @g, global = tensor<16x64xf32>, factors = [[[16, []]], [[64, [0]]]]}
    : tensor<4x64xf32> -> tensor<16x16xf32>
  // CHECK: tessera.exchange %{{.*}} from {{.*}} sizes(%{{.*}}) global_sizes(%{{.*}}) : tensor<?xf32> -> tensor<?xf32>
  %1 = tessera.exchange %y
    from {grid = @g, global = tensor<?xf32>, factors = [[[-1, [0]]]]}
    to {grid = @g, global = tensor<?xf32>, factors = [[[-1, []]]]} sizes(%n) global_sizes(%m)
    : tensor<?xf32> -> tensor<?xf32>
  // CHECK: halo = array<i64: 1, 1, 0, 0>, offsets = [array<i64: 0, 4, 8, 12, 16>, array<i64>]
  %2 = tessera.exchange %x
    from {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, []]]],
          offsets = [array<i64: 0, 4, 8, 12, 16>, array<i64>]}
    to {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, []]]],
        halo = array<i64: 1, 1, 0, 0>, offsets = [array<i64: 0, 4, 8, 12, 16>, array<i64>]}
    : tensor<4x64xf32> -> tensor<6x64xf32>
  // CHECK: tessera.exchange %{{.*}} tensor<f32> -> tensor<f32>
  %3 = tessera.exchange %s from {grid = @g, global = tensor<f32>, factors = []}
    to {grid = @g, global = tensor<f32>, factors = []} : tensor<f32> -> tensor<f32>
  return %0, %1, %2, %3 : tensor<16x16xf32>, tensor<?xf32>, tensor<6x64xf32>, tensor<f32>
}
