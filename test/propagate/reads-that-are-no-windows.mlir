// What a body reads at sums of its loops' indices becomes an input; what lies outside of the tensor for some
// of them, what data says besides, what is read where two dimensions count one loop, what may have other
// extents than the loops, and what costs more as a window than its results do, stays as it is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' | FileCheck %s
shard.grid @g(shape = 4)

// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: @inside
// CHECK: linalg.generic {indexing_maps = [#[[WINDOW]],
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @inside(%x_in: tensor<66xf32>) -> tensor<64x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<66xf32>
  %e = tensor.empty() : tensor<64x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x3xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%at] : tensor<66xf32>
    linalg.yield %v : f32
  } -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}

// CHECK-LABEL: @outside
// CHECK: tensor.extract
// CHECK: return
func.func @outside(%x_in: tensor<65xf32>) -> tensor<64x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<65xf32>
  %e = tensor.empty() : tensor<64x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x3xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%at] : tensor<65xf32>
    linalg.yield %v : f32
  } -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}

// CHECK-LABEL: @below
// CHECK: tensor.extract
// CHECK: return
func.func @below(%x_in: tensor<64xf32>) -> tensor<64x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %e = tensor.empty() : tensor<64x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x3xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.subi %h, %i : index
    %v = tensor.extract %x[%at] : tensor<64xf32>
    linalg.yield %v : f32
  } -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}

// CHECK-LABEL: @said_by_data
// CHECK: tensor.extract
// CHECK: return
func.func @said_by_data(%x_in: tensor<9x66xf32>, %rows: tensor<64xindex>) -> tensor<64x3xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<9x66xf32>
  %e = tensor.empty() : tensor<64x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h)>, affine_map<(h, i) -> (h, i)>], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<64xindex>) outs(%e : tensor<64x3xf32>) {
  ^bb0(%row: index, %o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%row, %at] : tensor<9x66xf32>
    linalg.yield %v : f32
  } -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}

// CHECK-LABEL: @along_a_diagonal
// CHECK: tensor.extract
// CHECK: return
func.func @along_a_diagonal(%x_in: tensor<64x66xf32>) -> tensor<64x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x66xf32>
  %e = tensor.empty() : tensor<64x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h, i)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x3xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%h, %at] : tensor<64x66xf32>
    linalg.yield %v : f32
  } -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}

// Four numbers, for which halos of long rows would move.
// CHECK-LABEL: @few_results
// CHECK: tensor.extract
// CHECK: return
func.func @few_results(%x_in: tensor<64x1000xf32>, %k: tensor<3x1000xf32>) -> tensor<4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x1000xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i, c) -> (i, c)>, affine_map<(h, i, c) -> (h)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%k : tensor<3x1000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %c = linalg.index 2 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%at, %c] : tensor<64x1000xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Two arguments may have unlike numbers of rows.
// CHECK-LABEL: @rows_of_another
// CHECK: tensor.extract
// CHECK: return
func.func @rows_of_another(%x_in: tensor<?x66xf32>, %y: tensor<?xf32>, %e: tensor<?x64x3xf32>) -> tensor<?x64x3xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x66xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, i) -> (b)>, affine_map<(b, h, i) -> (b, h, i)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y : tensor<?xf32>) outs(%e : tensor<?x64x3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%b, %at] : tensor<?x66xf32>
    %p = arith.mulf %v, %in : f32
    linalg.yield %p : f32
  } -> tensor<?x64x3xf32>
  return %r : tensor<?x64x3xf32>
}

// Differences of places as a table: no loop goes along with what is read of it, which is nearly all each
// time; a window would keep both whole.
// CHECK-LABEL: @differences
// CHECK: tensor.extract
// CHECK: return
func.func @differences(%k_in: tensor<64x64xf32>, %x: tensor<127xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %k = shard.shard %k_in to %s : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 63 : index
    %d = arith.subi %i, %j : index
    %at = arith.addi %d, %c : index
    %v = tensor.extract %x[%at] : tensor<127xf32>
    %w = arith.addf %in, %v : f32
    linalg.yield %w : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// The loop that does not lead is long, and what the op has besides may be split along it.
// CHECK-LABEL: @long_second_loop
// CHECK: tensor.extract
// CHECK: return
func.func @long_second_loop(%k_in: tensor<64x64xf32>, %x: tensor<4096xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %k = shard.shard %k_in to %s : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 64 : index
    %d = arith.muli %i, %c : index
    %at = arith.addi %d, %j : index
    %v = tensor.extract %x[%at] : tensor<4096xf32>
    %w = arith.addf %in, %v : f32
    linalg.yield %w : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
