// One element of a tensor that is split, at a place that is fixed or that the run knows; it decides
// what comes next.
// RUN-CHECK: --grid 1,2,3,4,8 --shape 3=9x4 --seed 1
// RUN-CHECK: --grid 2,5 --shape 3=3x4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x6xf32>, %flags_in: tensor<7xi1>, %i: i32 {tessera.range = [0, 7]}, %open_in: tensor<?x4xi32>,
                %at_in: tensor<9xi32> {tessera.range = [0, 10]}, %small: tensor<f32>)
    -> (f32, tensor<10x6xf32>, i1, i32, tensor<10x6xf32>, tensor<1x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x6xf32>
  %flags = shard.shard %flags_in to %rows : tensor<7xi1>
  %open = shard.shard %open_in to %rows : tensor<?x4xi32>
  %at = shard.shard %at_in to %rows : tensor<9xi32>
  %p = arith.index_cast %i : i32 to index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %v = tensor.extract %x[%c7, %c2] : tensor<10x6xf32>
  %splat = tensor.splat %v : tensor<10x6xf32>
  %a = arith.addf %x, %splat : tensor<10x6xf32>
  %b = tensor.extract %flags[%p] : tensor<7xi1>
  %n = tensor.extract %open[%c2, %c2] : tensor<?x4xi32>
  %w = tensor.extract %small[] : tensor<f32>
  %c = scf.if %b -> (tensor<10x6xf32>) {
    %s = tensor.splat %w : tensor<10x6xf32>
    scf.yield %s : tensor<10x6xf32>
  } else {
    scf.yield %a : tensor<10x6xf32>
  }
  %q32 = tensor.extract %at[%p] : tensor<9xi32>
  %q = arith.index_cast %q32 : i32 to index
  %row = tensor.extract_slice %x[%q, 0] [1, 6] [1, 1] : tensor<10x6xf32> to tensor<1x6xf32>
  return %v, %a, %b, %n, %c, %row : f32, tensor<10x6xf32>, i1, i32, tensor<10x6xf32>, tensor<1x6xf32>
}
