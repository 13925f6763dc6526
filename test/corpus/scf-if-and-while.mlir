// Branches and a loop with a condition, on pieces: one result, a result that only one branch moves,
// what is carried.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %flag: i1) -> (tensor<10x8xf32>, tensor<10x8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %0 = scf.if %flag -> (tensor<10x8xf32>) {
    %a = math.tanh %x : tensor<10x8xf32>
    scf.yield %a : tensor<10x8xf32>
  } else {
    %b = arith.addf %x, %x : tensor<10x8xf32>
    scf.yield %b : tensor<10x8xf32>
  }
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %1:2 = scf.while (%i = %zero, %v = %x) : (i32, tensor<10x8xf32>) -> (i32, tensor<10x8xf32>) {
    %more = arith.cmpi slt, %i, %three : i32
    scf.condition(%more) %i, %v : i32, tensor<10x8xf32>
  } do {
  ^bb0(%i: i32, %v: tensor<10x8xf32>):
    %next = arith.addi %i, %one : i32
    %w = arith.mulf %v, %x : tensor<10x8xf32>
    scf.yield %next, %w : i32, tensor<10x8xf32>
  }
  return %0, %1#1 : tensor<10x8xf32>, tensor<10x8xf32>
}
