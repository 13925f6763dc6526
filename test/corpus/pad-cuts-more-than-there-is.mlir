// Pads that cut more at one end than a run-time dimension has, and so some of what they add at the other: slices of
// fewer than no rows were asked for.
// RUN-CHECK: --grid 2,3 --shape 0=1x5 --shape 1=1x5 --shape 2=1x5
// RUN-CHECK: --grid 2,3 --shape 0=2x2 --shape 1=2x2 --shape 2=2x2
// RUN-CHECK: --grid 2,3 --shape 0=5x4 --shape 1=5x4 --shape 2=5x4
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?x?xf32>
  %b = shard.shard %y to %s : tensor<?x?xf32>
  %c = shard.shard %z to %s : tensor<?x?xf32>
  %two = arith.constant 2.0 : f32
  %front = tensor.pad %a low[-3, 0] high[5, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %back = tensor.pad %b low[5, 1] high[-3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %placed = tensor.pad %c low[-3, 4] high[4, -3] {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %l = arith.index_cast %k : index to i32
    %f = arith.sitofp %l : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %front, %back, %placed : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
