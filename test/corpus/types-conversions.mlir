// Element types change on the way: i32 to f32, f32 to f16 and bf16, f32 to i8, i1 to i32.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%n_in: tensor<10x6xi32>)
    -> (tensor<10x6xf16>, tensor<10x6xbf16>, tensor<10x6xi8>, tensor<6xi32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %n = shard.shard %n_in to %rows : tensor<10x6xi32>
  %zero = arith.constant dense<0> : tensor<10x6xi32>
  %f = arith.sitofp %n : tensor<10x6xi32> to tensor<10x6xf32>
  %h = arith.truncf %f : tensor<10x6xf32> to tensor<10x6xf16>
  %b = arith.truncf %f : tensor<10x6xf32> to tensor<10x6xbf16>
  %i = arith.fptosi %f : tensor<10x6xf32> to tensor<10x6xi8>
  %p = arith.cmpi sgt, %n, %zero : tensor<10x6xi32>
  %c = arith.extui %p : tensor<10x6xi1> to tensor<10x6xi32>
  %zeros = arith.constant dense<0> : tensor<6xi32>
  %count = linalg.reduce { arith.addi } ins(%c : tensor<10x6xi32>) outs(%zeros : tensor<6xi32>)
      dimensions = [0]
  return %h, %b, %i, %count : tensor<10x6xf16>, tensor<10x6xbf16>, tensor<10x6xi8>, tensor<6xi32>
}
