// What a region of a switch yields is updated while the switch's result is still read; and blocks
// inside of a loop.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x7xi32>, %p: i1)
    -> (tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xi32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x7xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.index_castui %p : i1 to index
  %e = tensor.empty() : tensor<10x7xi32>
  %v = linalg.add ins(%x, %x : tensor<10x7xi32>, tensor<10x7xi32>)
      outs(%e : tensor<10x7xi32>) -> tensor<10x7xi32>
  %s = scf.index_switch %k -> tensor<10x7xi32>
  case 0 {
    %t = linalg.sub ins(%v, %x : tensor<10x7xi32>, tensor<10x7xi32>)
        outs(%e : tensor<10x7xi32>) -> tensor<10x7xi32>
    scf.yield %t : tensor<10x7xi32>
  }
  case 2 {
    scf.yield %x : tensor<10x7xi32>
  }
  default {
    scf.yield %v : tensor<10x7xi32>
  }
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} outs(%v : tensor<10x7xi32>) {
  ^bb0(%o: i32):
    %m = arith.muli %o, %o : i32
    linalg.yield %m : i32
  } -> tensor<10x7xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<10x7xi32> {
    %b = scf.execute_region -> tensor<10x7xi32> no_inline {
      cf.cond_br %p, ^first(%a : tensor<10x7xi32>), ^second
    ^first(%u: tensor<10x7xi32>):
      %y = arith.muli %u, %x : tensor<10x7xi32>
      scf.yield %y : tensor<10x7xi32>
    ^second:
      %z = arith.subi %a, %s : tensor<10x7xi32>
      scf.yield %z : tensor<10x7xi32>
    }
    scf.yield %b : tensor<10x7xi32>
  }
  return %s, %w, %r : tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xi32>
}
