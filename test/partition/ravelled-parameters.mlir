// All parameters as one vector, whose norm scales it, taken apart again: each tensor is computed with as it lies, and
// one number moves. Of a vector that somebody takes whole, sums alone are of parts.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
shard.grid @g(shape = 2x2)

#all = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.dot {{.*}} tensor<12xf32>
// CHECK: linalg.dot {{.*}} tensor<12xf32>
// CHECK: shard.all_reduce {{.*}} tensor<f32> -> tensor<f32>
// CHECK-NOT: shard.
// CHECK: return
func.func @main(%w_in: tensor<8x6xf32>, %v_in: tensor<6x4xf32>, %b: tensor<6xf32>)
    -> (tensor<8x6xf32>, tensor<6x4xf32>, tensor<6xf32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1], []] : !shard.sharding
  %w = shard.shard %w_in to %both : tensor<8x6xf32>
  %v = shard.shard %v_in to %rows : tensor<6x4xf32>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf32> into tensor<48xf32>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %e = tensor.empty() : tensor<78xf32>
  %j0 = tensor.insert_slice %wf into %e[0] [48] [1] : tensor<48xf32> into tensor<78xf32>
  %j1 = tensor.insert_slice %vf into %j0[54] [24] [1] : tensor<24xf32> into tensor<78xf32>
  %all = tensor.insert_slice %b into %j1[48] [6] [1] : tensor<6xf32> into tensor<78xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %norm = linalg.dot ins(%all, %all : tensor<78xf32>, tensor<78xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %e1 = tensor.empty() : tensor<78xf32>
  %wide = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel"]}
      ins(%norm : tensor<f32>) outs(%e1 : tensor<78xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<78xf32>
  %scaled = arith.divf %all, %wide : tensor<78xf32>
  %ws = tensor.extract_slice %scaled[0] [48] [1] : tensor<78xf32> to tensor<48xf32>
  %vs = tensor.extract_slice %scaled[54] [24] [1] : tensor<78xf32> to tensor<24xf32>
  %bs = tensor.extract_slice %scaled[48] [6] [1] : tensor<78xf32> to tensor<6xf32>
  %wr = tensor.expand_shape %ws [[0, 1]] output_shape [8, 6] : tensor<48xf32> into tensor<8x6xf32>
  %vr = tensor.expand_shape %vs [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %wa = shard.shard %wr to %both : tensor<8x6xf32>
  %va = shard.shard %vr to %rows : tensor<6x4xf32>
  return %wa, %va, %bs : tensor<8x6xf32>, tensor<6x4xf32>, tensor<6xf32>
}

// What finds the first of the largest goes on from part to part, as it would in the vector; the vector that is given
// whole is joined once, and what is computed of it is computed of that.
// CHECK-LABEL: func.func @choice
// CHECK: %[[ALL:.*]] = tensor.concat
// CHECK: %[[FIRST:.*]]:2 = linalg.generic {{.*}} ins({{.*}} tensor<48xf32>, tensor<48xi32>)
// CHECK: linalg.generic {{.*}} tensor<24xi32>) outs(%[[FIRST]]#0, %[[FIRST]]#1
// CHECK: arith.addf %[[ALL]], %[[ALL]] : tensor<72xf32>
func.func @choice(%w_in: tensor<8x6xf32>, %v_in: tensor<6x4xf32>, %places: tensor<72xi32>)
    -> (tensor<f32>, tensor<i32>, tensor<72xf32>, tensor<48xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x6xf32>
  %v = shard.shard %v_in to %columns : tensor<6x4xf32>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf32> into tensor<48xf32>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %all = tensor.concat dim(0) %wf, %vf : (tensor<48xf32>, tensor<24xf32>) -> tensor<72xf32>
  %least = arith.constant dense<0xFF800000> : tensor<f32>
  %none = arith.constant dense<0> : tensor<i32>
  %most:2 = linalg.generic {indexing_maps = [#all, #all, #one, #one], iterator_types = ["reduction"]}
      ins(%all, %places : tensor<72xf32>, tensor<72xi32>) outs(%least, %none : tensor<f32>, tensor<i32>) {
  ^bb0(%x: f32, %at: i32, %m: f32, %i: i32):
    %more = arith.cmpf ogt, %x, %m : f32
    %a = arith.select %more, %x, %m : f32
    %b = arith.select %more, %at, %i : i32
    linalg.yield %a, %b : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  %twice = arith.addf %all, %all : tensor<72xf32>
  %ws = tensor.extract_slice %twice[0] [48] [1] : tensor<72xf32> to tensor<48xf32>
  return %most#0, %most#1, %twice, %ws : tensor<f32>, tensor<i32>, tensor<72xf32>, tensor<48xf32>
}

// A vector that is split as such (the state of an optimizer) would move for each use: what meets it is computed of the
// vector, and so is what comes of that.
// CHECK-LABEL: func.func @state
// CHECK: arith.mulf {{.*}} : tensor<12xf32>
// CHECK: arith.mulf {{.*}} : tensor<6xf32>
func.func @state(%w_in: tensor<8x6xf32>, %v_in: tensor<6x4xf32>, %m_in: tensor<72xf32>)
    -> (tensor<48xf32>, tensor<24xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %flat = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x6xf32>
  %v = shard.shard %v_in to %columns : tensor<6x4xf32>
  %m = shard.shard %m_in to %flat : tensor<72xf32>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf32> into tensor<48xf32>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %all = tensor.concat dim(0) %wf, %vf : (tensor<48xf32>, tensor<24xf32>) -> tensor<72xf32>
  %sum = arith.addf %all, %m : tensor<72xf32>
  %square = arith.mulf %sum, %sum : tensor<72xf32>
  %ws = tensor.extract_slice %square[0] [48] [1] : tensor<72xf32> to tensor<48xf32>
  %vs = tensor.extract_slice %square[48] [24] [1] : tensor<72xf32> to tensor<24xf32>
  return %ws, %vs : tensor<48xf32>, tensor<24xf32>
}
