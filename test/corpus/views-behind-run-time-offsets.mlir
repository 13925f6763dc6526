// Pads of an argument at offsets that only the launch knows, asked for in ranges in another order than they
// stand: each is built where its op is, after what it is built from.
// RUN-CHECK: --seed 1
shard.grid @grid(shape = 2x2)
#read = affine_map<(i, j) -> (i * 3 + j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<5xi32>, %w: tensor<2xi32>, %start: i64 {tessera.range = [0, 4]})
    -> (tensor<1xi32>, tensor<5xi32>, tensor<1xi32>, tensor<5xi32>) {
  %told = shard.sharding @grid split_axes = [[1, 0]] sharded_dims_offsets = [0, 0, %start, 5, 5] : !shard.sharding
  %outer = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %told : tensor<5xi32>
  %first = tensor.pad %x low[0] high[0] {
  ^bb0(%i: index):
    %n = arith.constant 2 : i32
    tensor.yield %n : i32
  } : tensor<5xi32> to tensor<5xi32>
  %second = tensor.pad %x low[0] high[0] {
  ^bb0(%i: index):
    %n = arith.constant 3 : i32
    tensor.yield %n : i32
  } : tensor<5xi32> to tensor<5xi32>
  %zero = arith.constant dense<0> : tensor<1xi32>
  %sum2 = linalg.generic {indexing_maps = [#read, #j, #i], iterator_types = ["parallel", "reduction"]}
      ins(%second, %w : tensor<5xi32>, tensor<2xi32>) outs(%zero : tensor<1xi32>) {
  ^bb0(%v: i32, %f: i32, %o: i32):
    %m = arith.muli %v, %f : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<1xi32>
  %second_outer = shard.shard %second to %outer {tessera.open, tessera.replicated = [1]} : tensor<5xi32>
  %sum1 = linalg.generic {indexing_maps = [#read, #j, #i], iterator_types = ["parallel", "reduction"]}
      ins(%first, %w : tensor<5xi32>, tensor<2xi32>) outs(%zero : tensor<1xi32>) {
  ^bb0(%v: i32, %f: i32, %o: i32):
    %m = arith.muli %v, %f : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<1xi32>
  %first_outer = shard.shard %first to %outer {tessera.open, tessera.replicated = [1]} : tensor<5xi32>
  return %sum1, %first_outer, %sum2, %second_outer : tensor<1xi32>, tensor<5xi32>, tensor<1xi32>, tensor<5xi32>
}
