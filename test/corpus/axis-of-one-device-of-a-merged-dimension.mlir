// An axis of one device that an open annotation has, between axes of a merged dimension: finer factors have no place
// for it, and layouts grew and shrank for ever.
// RUN-CHECK: --grid 2x1x3,2x1x1,1x1x1
shard.grid @grid(shape = 2x1x3)
func.func @main(%a: tensor<6x3x100x2xf64>, %b: tensor<600xf64>) -> (tensor<600xf64>, tensor<6x600xf64>) {
  %s0 = shard.sharding @grid split_axes = [[], [], [1, 0], [2]] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[2, 0, 1]] : !shard.sharding
  %x = shard.shard %a to %s0 : tensor<6x3x100x2xf64>
  %c = tensor.collapse_shape %x [[0], [1, 2, 3]] : tensor<6x3x100x2xf64> into tensor<6x600xf64>
  %k0 = arith.constant 0 : index
  %k6 = arith.constant 6 : index
  %k1 = arith.constant 1 : index
  %r:2 = scf.for %i = %k0 to %k6 step %k1 iter_args(%u = %c, %w = %b) -> (tensor<6x600xf64>, tensor<600xf64>) {
    %p = tensor.extract_slice %c[%i, 0] [1, 600] [1, 1] : tensor<6x600xf64> to tensor<600xf64>
    %y = arith.minnumf %p, %w : tensor<600xf64>
    %z = tensor.insert_slice %y into %u[%i, 0] [1, 600] [1, 1] : tensor<600xf64> into tensor<6x600xf64>
    scf.yield %z, %y : tensor<6x600xf64>, tensor<600xf64>
  }
  %q = shard.shard %r#1 to %s1 {tessera.open} : tensor<600xf64>
  return %q, %r#0 : tensor<600xf64>, tensor<6x600xf64>
}
