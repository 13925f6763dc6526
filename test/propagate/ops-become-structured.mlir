// Ops that structured ops, slices and reshapes can say become such; what cannot be said stays, and so
// does everything in a module without annotations.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' | FileCheck %s
shard.grid @g(shape = 2)

// CHECK-LABEL: @aggregates
// CHECK-NOT: linalg.softmax
// CHECK-NOT: linalg.pack
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: tensor.pad
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
func.func @aggregates(%x_in: tensor<7x6xf32>, %zero: f32) -> tensor<2x3x4x2xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<7x6xf32>
  %e = tensor.empty() : tensor<7x6xf32>
  %a = linalg.softmax dimension(1) ins(%x : tensor<7x6xf32>) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %f = tensor.empty() : tensor<2x3x4x2xf32>
  %b = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %f : tensor<7x6xf32> -> tensor<2x3x4x2xf32>
  return %b : tensor<2x3x4x2xf32>
}

// Trips that do not meet are those of loops that carry what they build; what each reads of it is what was
// there before, but for the slice that it writes itself.
// CHECK-LABEL: @foralls
// CHECK-NOT: scf.forall
// CHECK: %[[B:.*]] = shard.shard %arg0 to
// CHECK: scf.for %[[I:[a-z0-9]*]] = {{.*}} iter_args(
// CHECK: scf.for %[[J:[a-z0-9]*]] = {{.*}} iter_args(%[[A:[a-z0-9]*]] =
// CHECK: %[[A1:.*]] = shard.shard %[[A]] to
// CHECK: %[[A2:.*]] = shard.shard %[[A1]] to {{.*}} annotate_for_users
// CHECK: tensor.extract_slice %[[A2]][%[[I]], %[[J]]]
// CHECK: %[[B1:.*]] = shard.shard %[[B]] to {{.*}} annotate_for_users
// CHECK: tensor.extract_slice %[[B1]][%[[J]], 0]
// CHECK: tensor.insert_slice
// CHECK: scf.yield
// CHECK: scf.yield
// CHECK: return
func.func @foralls(%x_in: tensor<8x6xf32>, %n: index) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (8, %n) step (2, 3) shared_outs(%o = %x) -> tensor<8x6xf32> {
    %a = tensor.extract_slice %o[%i, %j] [2, 3] [1, 1] : tensor<8x6xf32> to tensor<2x3xf32>
    %b = tensor.extract_slice %o[%j, 0] [2, 3] [1, 1] : tensor<8x6xf32> to tensor<2x3xf32>
    %c = arith.addf %a, %b : tensor<2x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, %j] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x6xf32>
    }
  }
  return %r : tensor<8x6xf32>
}

// CHECK-LABEL: @reshapes
// CHECK: tensor.collapse_shape {{.*}}{{\[\[}}0, 1]] : tensor<8x6xf32> into tensor<48xf32>
// CHECK: tensor.expand_shape {{.*}}{{\[\[}}0, 1, 2]] {{.*}} : tensor<48xf32> into tensor<3x16x1xf32>
// CHECK: tensor.expand_shape {{.*}}{{\[\[}}0], [1, 2]] {{.*}} : tensor<?x12xf32> into tensor<?x3x4xf32>
// CHECK: tensor.cast {{.*}} : tensor<?x4xf32> to tensor<6x4xf32>
// CHECK: tensor.expand_shape {{.*}}{{\[\[}}0, 1], [2]] {{.*}} : tensor<6x4xf32> into tensor<2x3x4xf32>
// CHECK: tensor.reshape {{.*}} : (tensor<?x4xf32>, tensor<?xindex>) -> tensor<*xf32>
func.func @reshapes(%x_in: tensor<8x6xf32>, %y: tensor<?x12xf32>, %z: tensor<?x4xf32>, %n: index, %any: tensor<?xindex>)
    -> (tensor<3x16x1xf32>, tensor<?x3x4xf32>, tensor<2x3x4xf32>, tensor<*xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %to0 = arith.constant dense<[3, 16, 1]> : tensor<3xi64>
  %a = tensor.reshape %x(%to0) : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<3x16x1xf32>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %to1 = tensor.from_elements %n, %c3, %c4 : tensor<3xindex>
  %b = tensor.reshape %y(%to1) : (tensor<?x12xf32>, tensor<3xindex>) -> tensor<?x3x4xf32>
  %to2 = arith.constant dense<[2, 3, 4]> : tensor<3xindex>
  %c = tensor.reshape %z(%to2) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<2x3x4xf32>
  %d = tensor.reshape %z(%any) : (tensor<?x4xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %a, %b, %c, %d : tensor<3x16x1xf32>, tensor<?x3x4xf32>, tensor<2x3x4xf32>, tensor<*xf32>
}

// Negative widths cut; what is padded with more than one number is generated; what reads no tensor
// stays.
// CHECK-LABEL: @pads
// CHECK: tensor.extract_slice %{{.*}}[2, 0] [8, 6] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [9, 5] [1, 1]
// CHECK: tensor.pad {{.*}} low[2, 0] high[0, 2]
// CHECK: tensor.generate
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [11, 6] [1, 1]
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK-NOT: tensor.generate
// CHECK: return
func.func @pads(%x_in: tensor<11x6xf32>, %v: tensor<6xf32>)
    -> (tensor<8x6xf32>, tensor<11x7xf32>, tensor<12x6xf32>, tensor<6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<11x6xf32>
  %f = arith.constant 3.0 : f32
  %a = tensor.pad %x low[-2, 0] high[-1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<8x6xf32>
  %b = tensor.pad %x low[2, -1] high[-2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<11x7xf32>
  %c = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %n = arith.sitofp %k : i32 to f32
    tensor.yield %n : f32
  } : tensor<11x6xf32> to tensor<12x6xf32>
  %d = tensor.generate {
  ^bb0(%i: index):
    %n = tensor.extract %v[%i] : tensor<6xf32>
    tensor.yield %n : f32
  } : tensor<6xf32>
  return %a, %b, %c, %d : tensor<8x6xf32>, tensor<11x7xf32>, tensor<12x6xf32>, tensor<6xf32>
}

// What is read at indices of loops, backwards or shifted, is an input; what leaves the tensor, or is
// a part of it at the index as it is, is not.
// CHECK-LABEL: @reads
// CHECK: linalg.generic {indexing_maps = [#[[BACK:.*]], #[[AHEAD:.*]], #{{.*}}], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<11x6xf32>, tensor<11x6xf32>)
// CHECK: tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @reads(%x_in: tensor<11x6xf32>) -> tensor<9x5xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<11x6xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<9x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<9x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %c10, %i : index
    %ahead = arith.addi %i, %c2 : index
    %one = arith.addi %j, %c1 : index
    %far = arith.addi %i, %c3 : index
    %a = tensor.extract %x[%back, %one] : tensor<11x6xf32>
    %b = tensor.extract %x[%ahead, %one] : tensor<11x6xf32>
    %c = tensor.extract %x[%far, %one] : tensor<11x6xf32>
    %d = arith.addf %a, %b : f32
    %f = arith.addf %d, %c : f32
    linalg.yield %f : f32
  } -> tensor<9x5xf32>
  return %r : tensor<9x5xf32>
}

// -----

// CHECK-LABEL: @not_annotated
// CHECK: tensor.gather
func.func @not_annotated(%x: tensor<4x6xf32>, %at: tensor<2x1xi32>) -> tensor<2x6xf32> {
  %0 = tensor.gather %x[%at] gather_dims([0]) : (tensor<4x6xf32>, tensor<2x1xi32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
