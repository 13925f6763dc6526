// A step of a search for the best path: scores of states, split, beside what a transition costs,
// split by the state that it leads to. Moved once before the loop, nothing moves inside: the table of
// transitions is what all devices need, and the scores are turned to sequences. Of one step alone the scores move, not
// the table nor the sums.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

#from = affine_map<(b, i, j) -> (b, i)>
#step = affine_map<(b, i, j) -> (i, j)>
#to = affine_map<(b, i, j) -> (b, j)>
#all = affine_map<(b, i, j) -> (b, i, j)>

// CHECK-LABEL: func.func @paths
// CHECK: shard.all_to_all {{.*}} : tensor<4x4xf32> -> tensor<1x16xf32>
// CHECK: shard.all_gather {{.*}} : tensor<16x4xf32> -> tensor<16x16xf32>
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: shard.all_to_all {{.*}} : tensor<1x16xf32> -> tensor<4x4xf32>
func.func @paths(%scores_in: tensor<4x16xf32>, %transitions_in: tensor<16x16xf32>)
    -> (tensor<4x16xf32>, tensor<7x4x16xi32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %scores = shard.shard %scores_in to %s : tensor<4x16xf32>
  %transitions = shard.shard %transitions_in to %s : tensor<16x16xf32>
  %none = arith.constant 0 : i32
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %unknown = arith.constant dense<0> : tensor<7x4x16xi32>
  %r:2 = scf.for %t = %c0 to %c7 step %c1 iter_args(%a = %scores, %places = %unknown)
      -> (tensor<4x16xf32>, tensor<7x4x16xi32>) {
    %e = tensor.empty() : tensor<4x16x16xf32>
    %as = linalg.broadcast ins(%a : tensor<4x16xf32>) outs(%e : tensor<4x16x16xf32>) dimensions = [2]
    %bs = linalg.broadcast ins(%transitions : tensor<16x16xf32>) outs(%e : tensor<4x16x16xf32>)
        dimensions = [0]
    %sums = linalg.generic {indexing_maps = [#all, #all, #all],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%as, %bs : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
    } -> tensor<4x16x16xf32>
    %en = tensor.empty() : tensor<4x16x16xi32>
    %numbers = linalg.generic {indexing_maps = [#all],
        iterator_types = ["parallel", "parallel", "parallel"]} outs(%en : tensor<4x16x16xi32>) {
    ^bb0(%out: i32):
      %index = linalg.index 1 : index
      %i = arith.index_cast %index : index to i32
      linalg.yield %i : i32
    } -> tensor<4x16x16xi32>
    %ef = tensor.empty() : tensor<4x16xf32>
    %ei = tensor.empty() : tensor<4x16xi32>
    %ff = linalg.fill ins(%least : f32) outs(%ef : tensor<4x16xf32>) -> tensor<4x16xf32>
    %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<4x16xi32>) -> tensor<4x16xi32>
    %best:2 = linalg.generic {indexing_maps = [#all, #all, #to, #to],
        iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%sums, %numbers : tensor<4x16x16xf32>, tensor<4x16x16xi32>)
        outs(%ff, %fi : tensor<4x16xf32>, tensor<4x16xi32>) {
    ^bb0(%x: f32, %i: i32, %out: f32, %place: i32):
      %less = arith.cmpf ogt, %out, %x : f32
      %nan = arith.cmpf une, %out, %out : f32
      %stays = arith.ori %less, %nan : i1
      %equal = arith.cmpf oeq, %out, %x : f32
      %before = arith.cmpi slt, %place, %i : i32
      %first = arith.andi %equal, %before : i1
      %keeps = arith.ori %stays, %first : i1
      %v = arith.select %stays, %out, %x : f32
      %p = arith.select %keeps, %place, %i : i32
      linalg.yield %v, %p : f32, i32
    } -> (tensor<4x16xf32>, tensor<4x16xi32>)
    %one = tensor.expand_shape %best#1 [[0, 1], [2]] output_shape [1, 4, 16]
        : tensor<4x16xi32> into tensor<1x4x16xi32>
    %kept = tensor.insert_slice %one into %places[%t, 0, 0] [1, 4, 16] [1, 1, 1]
        : tensor<1x4x16xi32> into tensor<7x4x16xi32>
    scf.yield %best#0, %kept : tensor<4x16xf32>, tensor<7x4x16xi32>
  }
  return %r#0, %r#1 : tensor<4x16xf32>, tensor<7x4x16xi32>
}

// The places alone.
// CHECK-LABEL: func.func @places
// CHECK: shard.all_gather {{.*}} : tensor<4x4xf32> -> tensor<4x16xf32>
func.func @places(%arg0: tensor<4x16xf32>, %arg1: tensor<16x16xf32>) -> tensor<4x16xi32> {
  %split0 = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %input0 = shard.shard %arg0 to %split0 : tensor<4x16xf32>
  %input1 = shard.shard %arg1 to %split0 : tensor<16x16xf32>
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<4x16x16xf32>
  %1 = linalg.generic {indexing_maps = [#from, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%input0 : tensor<4x16xf32>) outs(%0 : tensor<4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16x16xf32>
  %2 = tensor.empty() : tensor<4x16x16xf32>
  %3 = linalg.generic {indexing_maps = [#step, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%input1 : tensor<16x16xf32>) outs(%2 : tensor<4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16x16xf32>
  %4 = tensor.empty() : tensor<4x16x16xf32>
  %5 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%4 : tensor<4x16x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %13 = arith.addf %in, %in_0 : f32
    linalg.yield %13 : f32
  } -> tensor<4x16x16xf32>
  %6 = tensor.empty() : tensor<4x16x16xi32>
  %7 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel"]} outs(%6 : tensor<4x16x16xi32>) {
  ^bb0(%out: i32):
    %13 = linalg.index 1 : index
    %14 = arith.index_cast %13 : index to i32
    linalg.yield %14 : i32
  } -> tensor<4x16x16xi32>
  %8 = tensor.empty() : tensor<4x16xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %10 = tensor.empty() : tensor<4x16xi32>
  %11 = linalg.fill ins(%c0_i32 : i32) outs(%10 : tensor<4x16xi32>) -> tensor<4x16xi32>
  %12:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>, #from, #from], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5, %7 : tensor<4x16x16xf32>, tensor<4x16x16xi32>) outs(%9, %11 : tensor<4x16xf32>, tensor<4x16xi32>) {
  ^bb0(%in: f32, %in_0: i32, %out: f32, %out_1: i32):
    %13 = arith.cmpf ogt, %out, %in : f32
    %14 = arith.cmpf une, %out, %out : f32
    %15 = arith.ori %13, %14 : i1
    %16 = arith.cmpf oeq, %out, %in : f32
    %17 = arith.cmpi slt, %out_1, %in_0 : i32
    %18 = arith.andi %16, %17 : i1
    %19 = arith.ori %15, %18 : i1
    %20 = arith.select %15, %out, %in : f32
    %21 = arith.select %19, %out_1, %in_0 : i32
    linalg.yield %20, %21 : f32, i32
  } -> (tensor<4x16xf32>, tensor<4x16xi32>)
  return %12#1 : tensor<4x16xi32>
}
