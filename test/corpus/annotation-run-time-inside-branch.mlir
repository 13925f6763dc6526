// An argument that is annotated where it is used first, inside a branch, with a halo that is computed
// in front of the branch: the function is called with it.
// RUN-CHECK: --grid 2x2,1x3,4x1 --shape 0=4x7 --shape 1=4x7 --shape 2=3x2 --range 3=3:4 --seed 1
// RUN-CHECK: --grid 2x2 --shape 0=4x7 --shape 1=4x7 --shape 2=4x2 --range 3=-4:-3 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %like: tensor<?x2xf32>, %which: tensor<1xi32>)
    -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %told = tensor.extract %which[%c0] : tensor<1xi32>
  %more = arith.cmpi sgt, %told, %zero : i32
  %n = tensor.dim %like, %c0 : tensor<?x2xf32>
  %wide = arith.index_cast %n : index to i64
  %two = arith.constant 2 : i64
  %halo = arith.remsi %wide, %two : i64
  %s = shard.sharding @g split_axes = [[], [1]] halo_sizes = [%halo, 1] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x?xf32>
  %r = scf.if %more -> (tensor<4x?xf32>) {
    %y = shard.shard %b to %s : tensor<4x?xf32>
    %c1 = arith.constant 1 : index
    %m = tensor.dim %y, %c1 : tensor<4x?xf32>
    %half = arith.constant 0.5 : f32
    %halves = tensor.splat %half[%m] : tensor<4x?xf32>
    %sum = arith.addf %y, %halves : tensor<4x?xf32>
    scf.yield %sum : tensor<4x?xf32>
  } else {
    scf.yield %x : tensor<4x?xf32>
  }
  return %r, %x : tensor<4x?xf32>, tensor<4x?xf32>
}
