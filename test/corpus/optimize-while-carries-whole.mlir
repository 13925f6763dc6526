// Each trip of a loop with a condition needs all of a matrix and gives all of it: it is gathered once, before the
// loop, whether the condition is asked before a trip or behind it.
// RUN-CHECK: --entry before --grid 1x1,2x1,1x2,2x2,4x1 --seed 1
// RUN-CHECK: --entry behind --grid 1x1,2x1,1x2,2x2,4x1 --seed 1
#diag = affine_map<(i) -> (i, i)>
shard.grid @g(shape = 2x2)
func.func @before(%x_in: tensor<8x8xi32>, %n: index {tessera.range = [0, 4]}) -> tensor<8x8xi32> {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, tensor<8x8xi32>) -> (tensor<8x8xi32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %p, %i : tensor<8x8xi32>, index
  } do {
  ^bb0(%p: tensor<8x8xi32>, %i: index):
    %s = shard.shard %p to %rows : tensor<8x8xi32>
    %m = linalg.generic {indexing_maps = [#diag], iterator_types = ["parallel"]} outs(%s : tensor<8x8xi32>) {
    ^bb0(%a: i32):
      %least = arith.maxsi %a, %three : i32
      %0 = arith.divsi %a, %least : i32
      %1 = arith.addi %0, %least : i32
      linalg.yield %1 : i32
    } -> tensor<8x8xi32>
    %t = shard.shard %m to %rows : tensor<8x8xi32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, tensor<8x8xi32>
  }
  return %r#0 : tensor<8x8xi32>
}

func.func @behind(%x_in: tensor<8x8xi32>, %n: index {tessera.range = [0, 4]}) -> tensor<8x8xi32> {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, tensor<8x8xi32>) -> (index, tensor<8x8xi32>) {
    %s = shard.shard %p to %rows : tensor<8x8xi32>
    %m = linalg.generic {indexing_maps = [#diag], iterator_types = ["parallel"]} outs(%s : tensor<8x8xi32>) {
    ^bb0(%a: i32):
      %least = arith.maxsi %a, %three : i32
      %0 = arith.divsi %a, %least : i32
      %1 = arith.addi %0, %least : i32
      linalg.yield %1 : i32
    } -> tensor<8x8xi32>
    %t = shard.shard %m to %rows : tensor<8x8xi32>
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    scf.condition(%more) %j, %t : index, tensor<8x8xi32>
  } do {
  ^bb0(%i: index, %p: tensor<8x8xi32>):
    scf.yield %i, %p : index, tensor<8x8xi32>
  }
  return %r#1 : tensor<8x8xi32>
}
