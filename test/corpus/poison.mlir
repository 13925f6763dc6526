// Tensors of no particular content, which are written before they are read: as a destination, as one that is
// filled, as what a slice goes into, and as what a branch does not take.
// RUN-CHECK: --grid 1,2,4,6 --seed 1 --range 1=1:2
// RUN-CHECK: --grid 2x2 --seed 2 --range 1=1:2
shard.grid @g(shape = 4x1)
func.func @main(%x_in: tensor<10x8xf32>, %one: i32)
    -> (tensor<10x8xf32>, tensor<10xf32>, tensor<10x8xf32>, tensor<10x8xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x8xf32>
  %p = ub.poison : tensor<10x8xf32>
  %a = linalg.map {math.sin} ins(%x : tensor<10x8xf32>) outs(%p : tensor<10x8xf32>)
  %q = ub.poison : tensor<10xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%q : tensor<10xf32>) -> tensor<10xf32>
  %b = linalg.reduce {arith.addf} ins(%x : tensor<10x8xf32>) outs(%f : tensor<10xf32>) dimensions = [1]
  %c = tensor.insert_slice %a into %p[0, 0] [10, 8] [1, 1] : tensor<10x8xf32> into tensor<10x8xf32>
  %i = arith.constant 0 : i32
  %is = arith.cmpi sgt, %one, %i : i32
  %d = arith.select %is, %x, %p : tensor<10x8xf32>
  return %a, %b, %c, %d : tensor<10x8xf32>, tensor<10xf32>, tensor<10x8xf32>, tensor<10x8xf32>
}
