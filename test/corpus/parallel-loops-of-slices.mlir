// Loops whose trips may run at once keep layouts as loops that carry do: two of them in each other, bounds that
// the run tells, several results, slices that are read where they are written, and what was there before.
// RUN-CHECK: --grid 1,2,3,2x2 --seed 5
// RUN-CHECK: --grid 2 --seed 6
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<8x6xf32>, %w_in: tensor<6x10xf32>, %k: tensor<i32>)
    -> (tensor<8x10xf32>, tensor<8x6xf32>, tensor<8x6xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x6xf32>
  %w = shard.shard %w_in to %columns : tensor<6x10xf32>
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x10xf32>) -> tensor<8x10xf32>
  // Tiles of rows, added to the zeros that they are inserted into.
  %p = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %z) -> tensor<8x10xf32> {
    %a = tensor.extract_slice %x[%i, 0] [2, 6] [1, 1] : tensor<8x6xf32> to tensor<2x6xf32>
    %t = tensor.extract_slice %o[%i, 0] [2, 10] [1, 1] : tensor<8x10xf32> to tensor<2x10xf32>
    %m = linalg.matmul ins(%a, %w : tensor<2x6xf32>, tensor<6x10xf32>) outs(%t : tensor<2x10xf32>) -> tensor<2x10xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, 0] [2, 10] [1, 1] : tensor<2x10xf32> into tensor<8x10xf32>
    }
  }
  // Each row becomes the next one's, as it was before, and another result.
  %n = tensor.extract %k[] : tensor<i32>
  %k0 = arith.index_cast %n : i32 to index
  %k1 = arith.remui %k0, %c2 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %q:2 = scf.forall (%i, %j) = (%k1, 0) to (%c7, 6) step (%c1, 3) shared_outs(%o = %x, %u = %x)
      -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %next = arith.addi %i, %c1 : index
    %b = tensor.extract_slice %o[%next, %j] [1, 3] [1, 1] : tensor<8x6xf32> to tensor<1x3xf32>
    %h = math.tanh %b : tensor<1x3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %h into %o[%i, %j] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<8x6xf32>
      tensor.parallel_insert_slice %b into %u[%next, %j] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<8x6xf32>
    }
  }
  return %p, %q#0, %q#1 : tensor<8x10xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}
