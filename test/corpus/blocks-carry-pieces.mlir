// Blocks that pass tensors on: a loop of blocks, a switch, a block that two branches reach, and one
// that nothing reaches.
// RUN-CHECK: --grid 1x1,2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x9xf64>, %w_in: tensor<9x9xf64>, %flag: i1)
    -> (tensor<10x9xf64>, tensor<10x9xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x9xf64>
  %w = shard.shard %w_in to %columns : tensor<9x9xf64>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<10x9xf64>
  cf.br ^head(%zero, %x, %x : i32, tensor<10x9xf64>, tensor<10x9xf64>)
^unreached:
  %never = arith.addf %x, %x : tensor<10x9xf64>
  cf.br ^exit(%never, %never : tensor<10x9xf64>, tensor<10x9xf64>)
^head(%i: i32, %v: tensor<10x9xf64>, %last: tensor<10x9xf64>):
  %more = arith.cmpi slt, %i, %three : i32
  cf.cond_br %more, ^body, ^done(%v : tensor<10x9xf64>)
^body:
  %m = linalg.matmul ins(%v, %w : tensor<10x9xf64>, tensor<9x9xf64>)
      outs(%zeros : tensor<10x9xf64>) -> tensor<10x9xf64>
  %t = math.tanh %m : tensor<10x9xf64>
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next, %t, %v : i32, tensor<10x9xf64>, tensor<10x9xf64>)
^done(%r: tensor<10x9xf64>):
  %k = arith.extui %flag : i1 to i32
  cf.switch %k : i32, [
    default: ^exit(%r, %last : tensor<10x9xf64>, tensor<10x9xf64>),
    0: ^same(%r : tensor<10x9xf64>),
    1: ^exit(%last, %r : tensor<10x9xf64>, tensor<10x9xf64>)
  ]
^same(%s: tensor<10x9xf64>):
  %n = arith.negf %s : tensor<10x9xf64>
  cf.cond_br %flag, ^exit(%n, %n : tensor<10x9xf64>, tensor<10x9xf64>),
                    ^exit(%s, %n : tensor<10x9xf64>, tensor<10x9xf64>)
^exit(%a: tensor<10x9xf64>, %b: tensor<10x9xf64>):
  return %a, %b : tensor<10x9xf64>, tensor<10x9xf64>
}
