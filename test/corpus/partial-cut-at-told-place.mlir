// A value that is partial over the axis along which one of its columns is read in pieces: it is completed, not
// partial and split along one axis.
// RUN-CHECK: --seed 1
shard.grid @grid(shape = 4x2)
func.func @main(%a_in: tensor<6x16xi32>, %b_in: tensor<10x8xi32>) -> tensor<10x1xi32> {
  %rows = shard.sharding @grid split_axes = [[1], []] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<6x16xi32>
  %b = shard.shard %b_in to %columns : tensor<10x8xi32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<6x16xi32> into tensor<96xi32>
  %e = tensor.empty() : tensor<10x8xi32>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<10x8xi32>) outs(%e : tensor<10x8xi32>) {
  ^bb0(%x: i32, %o: i32):
    %i = linalg.index 0 : index
    %c5 = arith.constant 5 : index
    %c26 = arith.constant 26 : index
    %c96 = arith.constant 96 : index
    %p = arith.muli %i, %c5 : index
    %q = arith.addi %p, %c26 : index
    %t = arith.remui %q, %c96 : index
    %w = tensor.extract %flat[%t] : tensor<96xi32>
    %r = arith.addi %x, %w : i32
    linalg.yield %r : i32
  } -> tensor<10x8xi32>
  %zero = arith.constant 0 : index
  %s = tensor.extract_slice %v[%zero, 0] [10, 1] [1, 1] : tensor<10x8xi32> to tensor<10x1xi32>
  return %s : tensor<10x1xi32>
}
