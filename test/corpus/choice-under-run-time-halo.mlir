// Where the index of an element is asked for, of a tensor whose halo the run says: the extent is found
// behind the op that asks.
// RUN-CHECK: --grid 1,2,3,6 --shape 1=4x12 --range 0=0:3 --seed 1
shard.grid @grid(shape = 6)
func.func @main(%n: i64, %a: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %g = shard.sharding @grid split_axes = [[], [0]] halo_sizes = [%n, 1] : !shard.sharding
  %x = shard.shard %a to %g : tensor<?x?xi32>
  %big = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %d = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.splat %big[%d] : tensor<?xi32>
  %p = tensor.splat %zero[%d] : tensor<?xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xi32>) outs(%m, %p : tensor<?xi32>, tensor<?xi32>) {
  ^bb0(%x0: i32, %o0: i32, %o1: i32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i32
    %b = arith.cmpi slt, %x0, %o0 : i32
    %s = arith.select %b, %x0, %o0 : i32
    %t = arith.select %b, %k, %o1 : i32
    linalg.yield %s, %t : i32, i32
  } -> (tensor<?xi32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}
