// f64 and integers to f16 and bf16 are rounded once, also where a value lies next to the middle between
// two others; whole powers.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8xf64>, %n_in: tensor<8xi32> {tessera.range = [-3, 9]})
    -> (tensor<8xi16>, tensor<8xi16>, tensor<8xf32>, tensor<8xf64>, tensor<8xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf64>
  %n = shard.shard %n_in to %s : tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<8xf64>
  %near = arith.constant dense<[1.00048828125, 1.0004882812500003, 1.0004882812499997, 1.00146484375,
                                1.00390625, 1.00390625000001, 1.00390624999999, 1.01171875]>
      : tensor<8xf64>
  %nothing = arith.mulf %x, %zero : tensor<8xf64>
  %v = arith.addf %nothing, %near : tensor<8xf64>
  %half = arith.truncf %v : tensor<8xf64> to tensor<8xf16>
  %brain = arith.truncf %v : tensor<8xf64> to tensor<8xbf16>
  %h = arith.bitcast %half : tensor<8xf16> to tensor<8xi16>
  %b = arith.bitcast %brain : tensor<8xbf16> to tensor<8xi16>
  %i = arith.sitofp %n : tensor<8xi32> to tensor<8xbf16>
  %j = arith.extf %i : tensor<8xbf16> to tensor<8xf32>
  %p = math.fpowi %x, %n : tensor<8xf64>, tensor<8xi32>
  %y = arith.truncf %v : tensor<8xf64> to tensor<8xf32>
  %q = math.fpowi %y, %n : tensor<8xf32>, tensor<8xi32>
  return %h, %b, %j, %p, %q
      : tensor<8xi16>, tensor<8xi16>, tensor<8xf32>, tensor<8xf64>, tensor<8xf32>
}
