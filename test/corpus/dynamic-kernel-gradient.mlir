// The gradient of a kernel: a window is led by a loop that is reduced, of an extent that only the launch knows.
// RUN-CHECK: --shape 0=9x5 --shape 1=9x5 --grid 1,2,3,4
// RUN-CHECK: --shape 0=4x5 --shape 1=6x5 --grid 4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x5xf32>, %d_in: tensor<?x5xf32>) -> tensor<3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x5xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %m = arith.subi %n, %c2 : index
  %d = tensor.extract_slice %d_in[0, 0][%m, 5][1, 1] : tensor<?x5xf32> to tensor<?x5xf32>
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (i + k, j)>, affine_map<(k, i, j) -> (i, j)>, affine_map<(k, i, j) -> (k)>], iterator_types = ["parallel", "reduction", "reduction"]}
     ins(%x, %d : tensor<?x5xf32>, tensor<?x5xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
