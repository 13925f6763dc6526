// What a branch or a loop gives is inserted into itself, into what else it gives, and at a place that it gives.
// RUN-CHECK: --grid 1,2,3 --shape 0=7
shard.grid @grid(shape = 3)

func.func @main(%x: tensor<?xi64>, %rows: tensor<9x4xf32>, %place: index {tessera.range = [0, 3]})
    -> (tensor<?xi64>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xi64>
  %r = shard.shard %rows to %s : tensor<9x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xi64>
  %even = arith.cmpi eq, %place, %c1 : index
  %one = scf.if %even -> (tensor<?xi64>) {
    %d = arith.addi %a, %a : tensor<?xi64>
    scf.yield %d : tensor<?xi64>
  } else {
    %d = arith.muli %a, %a : tensor<?xi64>
    scf.yield %d : tensor<?xi64>
  }
  %m = tensor.dim %one, %c0 : tensor<?xi64>
  %itself = tensor.insert_slice %one into %one[0] [%m] [1] : tensor<?xi64> into tensor<?xi64>

  %two:2 = scf.if %even -> (tensor<2x4xf32>, tensor<9x4xf32>) {
    %top = tensor.extract_slice %r[0, 0] [2, 4] [1, 1] : tensor<9x4xf32> to tensor<2x4xf32>
    %e = math.exp %top : tensor<2x4xf32>
    %t = math.tanh %r : tensor<9x4xf32>
    scf.yield %e, %t : tensor<2x4xf32>, tensor<9x4xf32>
  } else {
    %top = tensor.extract_slice %r[3, 0] [2, 4] [1, 1] : tensor<9x4xf32> to tensor<2x4xf32>
    %e = arith.addf %top, %top : tensor<2x4xf32>
    %t = math.absf %r : tensor<9x4xf32>
    scf.yield %e, %t : tensor<2x4xf32>, tensor<9x4xf32>
  }
  %other = tensor.insert_slice %two#0 into %two#1[4, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<9x4xf32>

  %three:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %two#0, %at = %place) -> (tensor<2x4xf32>, index) {
    %e = math.cos %v : tensor<2x4xf32>
    %next = arith.addi %at, %c1 : index
    scf.yield %e, %next : tensor<2x4xf32>, index
  }
  %there = tensor.insert_slice %three#0 into %r[%three#1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<9x4xf32>

  // Through another branch, which takes it from around itself.
  %odd = arith.cmpi eq, %place, %c2 : index
  %four = scf.if %odd -> (tensor<2x4xf32>) {
    scf.yield %two#0 : tensor<2x4xf32>
  } else {
    %e = math.absf %two#0 : tensor<2x4xf32>
    scf.yield %e : tensor<2x4xf32>
  }
  %through = tensor.insert_slice %four into %two#1[6, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<9x4xf32>
  return %itself, %other, %there, %through : tensor<?xi64>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>
}
