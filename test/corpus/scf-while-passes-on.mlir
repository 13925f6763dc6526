// A loop whose condition passes on what is carried in another order, one of it twice, one not at all, and
// something that it computes itself.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x10xf32>, %y_in: tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x10xf32>
  %y = shard.shard %y_in to %columns : tensor<8x10xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r:5 = scf.while (%u = %x, %i = %zero, %v = %y, %kept = %y) : (tensor<8x10xf32>, i32, tensor<8x10xf32>, tensor<8x10xf32>)
      -> (tensor<8x10xf32>, i32, tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>) {
    %more = arith.cmpi slt, %i, %three : i32
    %s = arith.addf %u, %kept : tensor<8x10xf32>
    scf.condition(%more) %v, %i, %v, %s, %u : tensor<8x10xf32>, i32, tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>
  } do {
  ^bb0(%v: tensor<8x10xf32>, %i: i32, %same: tensor<8x10xf32>, %s: tensor<8x10xf32>, %u: tensor<8x10xf32>):
    %next = arith.addi %i, %one : i32
    %a = arith.addf %same, %u : tensor<8x10xf32>
    %b = arith.subf %s, %v : tensor<8x10xf32>
    scf.yield %a, %next, %b, %s : tensor<8x10xf32>, i32, tensor<8x10xf32>, tensor<8x10xf32>
  }
  return %r#0, %r#2, %r#3, %r#4 : tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x10xf32>
}
