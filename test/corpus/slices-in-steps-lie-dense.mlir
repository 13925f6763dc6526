// Rows taken in steps that devices far away want: parted by their remainder and joined, of extents that the
// steps do not divide, of one dimension of two, in a loop, and as a copy by an index map.
// RUN-CHECK: --entry parted --grid 2,3,4,5
// RUN-CHECK: --entry thirds --grid 2,3,4
// RUN-CHECK: --entry looped --grid 2,3,4
// RUN-CHECK: --entry mapped --grid 2,3,4
#steps = affine_map<(i, j) -> (3 * i, j)>
#same = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 2)
func.func @parted(%x_in: tensor<32x6xf32>) -> tensor<32x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32x6xf32>
  %a = tensor.extract_slice %x[0, 0] [16, 6] [2, 1] : tensor<32x6xf32> to tensor<16x6xf32>
  %b = tensor.extract_slice %x[1, 0] [16, 6] [2, 1] : tensor<32x6xf32> to tensor<16x6xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<32x6xf32>
  %r = shard.shard %c to %s : tensor<32x6xf32>
  return %r : tensor<32x6xf32>
}

func.func @thirds(%x_in: tensor<31x7xf64>) -> (tensor<31x7xf64>, tensor<14x3xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<31x7xf64>
  %a = tensor.extract_slice %x[2, 0] [10, 7] [3, 1] : tensor<31x7xf64> to tensor<10x7xf64>
  %b = tensor.extract_slice %x[0, 0] [11, 7] [3, 1] : tensor<31x7xf64> to tensor<11x7xf64>
  %c = tensor.extract_slice %x[1, 0] [10, 7] [3, 1] : tensor<31x7xf64> to tensor<10x7xf64>
  %d = tensor.concat dim(0) %a, %b, %c : (tensor<10x7xf64>, tensor<11x7xf64>, tensor<10x7xf64>) -> tensor<31x7xf64>
  %r = shard.shard %d to %s : tensor<31x7xf64>
  %e = tensor.extract_slice %x[1, 1] [7, 3] [4, 2] : tensor<31x7xf64> to tensor<7x3xf64>
  %f = math.absf %e : tensor<7x3xf64>
  %g = tensor.concat dim(0) %f, %e : (tensor<7x3xf64>, tensor<7x3xf64>) -> tensor<14x3xf64>
  %h = shard.shard %g to %s : tensor<14x3xf64>
  return %r, %h : tensor<31x7xf64>, tensor<14x3xf64>
}

func.func @looped(%x_in: tensor<16x3xf32>) -> tensor<16x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %x) -> tensor<16x3xf32> {
    %a = tensor.extract_slice %u[0, 0] [8, 3] [2, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %b = tensor.extract_slice %u[1, 0] [8, 3] [2, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %p = arith.addf %a, %b : tensor<8x3xf32>
    %m = arith.subf %a, %b : tensor<8x3xf32>
    %c = tensor.concat dim(0) %p, %m : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
    scf.yield %c : tensor<16x3xf32>
  }
  return %r : tensor<16x3xf32>
}

func.func @mapped(%x_in: tensor<33x4xf32>) -> tensor<24x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<33x4xf32>
  %e = tensor.empty() : tensor<11x4xf32>
  %a = linalg.generic {indexing_maps = [#steps, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<33x4xf32>) outs(%e : tensor<11x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<11x4xf32>
  %b = tensor.extract_slice %x[0, 0] [13, 4] [1, 1] : tensor<33x4xf32> to tensor<13x4xf32>
  %c = tensor.concat dim(0) %b, %a : (tensor<13x4xf32>, tensor<11x4xf32>) -> tensor<24x4xf32>
  %r = shard.shard %c to %s : tensor<24x4xf32>
  return %r : tensor<24x4xf32>
}
