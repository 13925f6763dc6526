// A loop of blocks with a conditional branch, a counter and a tensor as block arguments.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %nothing = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %f = linalg.fill ins(%nothing : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  cf.br ^head(%zero, %x : i32, tensor<10x8xf32>)
^head(%i: i32, %v: tensor<10x8xf32>):
  %more = arith.cmpi slt, %i, %three : i32
  cf.cond_br %more, ^body, ^exit(%v : tensor<10x8xf32>)
^body:
  %m = linalg.matmul ins(%v, %w : tensor<10x8xf32>, tensor<8x8xf32>) outs(%f : tensor<10x8xf32>)
      -> tensor<10x8xf32>
  %t = math.tanh %m : tensor<10x8xf32>
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next, %t : i32, tensor<10x8xf32>)
^exit(%r: tensor<10x8xf32>):
  return %r : tensor<10x8xf32>
}
