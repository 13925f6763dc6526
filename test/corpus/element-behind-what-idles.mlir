// An element of what is whole because a reshape cannot be split as its operand is decides a branch.
// RUN-CHECK: --grid 1x2,2x2 --seed 1
shard.grid @grid(shape = 1x2)
func.func private @unused(%x_in: tensor<36xi64>) -> tensor<36xi64> {
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<36xi64>
  %r = arith.andi %x, %x : tensor<36xi64>
  return %r : tensor<36xi64>
}
func.func @main(%x_in: tensor<6x6xi64>, %small: i64 {tessera.range = [0, 4]}) -> tensor<6x2x3xi64> {
  %s = shard.sharding @grid split_axes = [[], [1]] sharded_dims_offsets = [0, %small, 6] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x6xi64>
  %shape = arith.constant dense<[6, 2, 3]> : tensor<3xindex>
  %y = tensor.reshape %x(%shape) : (tensor<6x6xi64>, tensor<3xindex>) -> tensor<6x2x3xi64>
  %e = tensor.empty() : tensor<2x3x6xi64>
  %both:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
      affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<6x2x3xi64>) outs(%e, %y : tensor<2x3x6xi64>, tensor<6x2x3xi64>) {
  ^bb0(%v: i64, %o0: i64, %o1: i64):
    %r = arith.addi %v, %v : i64
    %p = arith.muli %v, %o1 : i64
    linalg.yield %r, %p : i64, i64
  } -> (tensor<2x3x6xi64>, tensor<6x2x3xi64>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %element = tensor.extract %both#1[%c1, %c1, %c0] : tensor<6x2x3xi64>
  %zero = arith.constant 0 : i64
  %is_more = arith.cmpi sgt, %element, %zero : i64
  %z = scf.execute_region -> tensor<6x2x3xi64> {
    cf.cond_br %is_more, ^one(%y : tensor<6x2x3xi64>), ^two
  ^one(%u: tensor<6x2x3xi64>):
    %t = arith.muli %both#1, %u : tensor<6x2x3xi64>
    cf.br ^end(%t : tensor<6x2x3xi64>)
  ^two:
    cf.br ^end(%both#1 : tensor<6x2x3xi64>)
  ^end(%w: tensor<6x2x3xi64>):
    scf.yield %w : tensor<6x2x3xi64>
  }
  return %z : tensor<6x2x3xi64>
}
