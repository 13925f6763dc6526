// Donated arguments that are updated where they lie, in pieces and whole: a row at a place that the
// run says, in a loop and not, weights with their optimizer's state, one that is returned twice and
// in part, two that change places, and one that is read after its update.
// RUN-CHECK: --entry cache --grid 1x2,2x1,2x2,2x3 --seed 3
// RUN-CHECK: --entry decode --grid 1x2,2x1,2x2,2x3 --seed 3
// RUN-CHECK: --entry step --grid 1x2,2x1,2x2,2x3 --seed 3
// RUN-CHECK: --entry moved --grid 1x2,2x1,2x2,2x3 --seed 3
// RUN-CHECK: --entry called --grid 1x2,2x1,2x2,2x3 --seed 3
shard.grid @g(shape = 2x2)
func.func @cache(%c: tensor<10x12xf32> {tessera.donated}, %x: tensor<1x12xf32>,
                 %p: index {tessera.range = [0, 10]}, %q: tensor<12x6xf32>)
    -> (tensor<10x12xf32>, tensor<10x6xf32>) {
  %rows = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %k = shard.shard %c to %rows : tensor<10x12xf32>
  %r = tensor.insert_slice %x into %k[%p, 0] [1, 12] [1, 1] : tensor<1x12xf32> into tensor<10x12xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x6xf32>) -> tensor<10x6xf32>
  %y = linalg.matmul ins(%r, %q : tensor<10x12xf32>, tensor<12x6xf32>) outs(%f : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r, %y : tensor<10x12xf32>, tensor<10x6xf32>
}
func.func @decode(%c: tensor<10x12xf32> {tessera.donated}, %x: tensor<1x12xf32>) -> tensor<10x12xf32> {
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %k = shard.shard %c to %columns : tensor<10x12xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%t = %k) -> tensor<10x12xf32> {
    %last = tensor.extract_slice %t[%i, 0] [1, 12] [1, 1] : tensor<10x12xf32> to tensor<1x12xf32>
    %s = arith.addf %last, %x : tensor<1x12xf32>
    %j = arith.addi %i, %c1 : index
    %n = tensor.insert_slice %s into %t[%j, 0] [1, 12] [1, 1] : tensor<1x12xf32> into tensor<10x12xf32>
    scf.yield %n : tensor<10x12xf32>
  }
  return %r : tensor<10x12xf32>
}
func.func @step(%w: tensor<8x6xf32> {tessera.donated}, %m: tensor<8x6xf32> {tessera.donated},
                %b: tensor<6xf32> {tessera.donated}, %x: tensor<4x8xf32>)
    -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>) {
  %split = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %ws = shard.shard %w to %split : tensor<8x6xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%x, %ws : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %xt = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %eg = tensor.empty() : tensor<8x6xf32>
  %fg = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x6xf32>) -> tensor<8x6xf32>
  %g = linalg.matmul ins(%xt, %y : tensor<8x4xf32>, tensor<4x6xf32>) outs(%fg : tensor<8x6xf32>) -> tensor<8x6xf32>
  %decay = arith.constant dense<0.5> : tensor<8x6xf32>
  %kept = arith.mulf %m, %decay : tensor<8x6xf32>
  %n = arith.addf %kept, %g : tensor<8x6xf32>
  %u = arith.subf %ws, %n : tensor<8x6xf32>
  %a = arith.addf %b, %b : tensor<6xf32>
  return %u, %n, %a : tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>
}
func.func @moved(%a: tensor<8xf32> {tessera.donated}, %b: tensor<8xf32> {tessera.donated},
                 %c: tensor<8xf32> {tessera.donated}, %x: tensor<1xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<8xf32>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %other = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %as = shard.shard %a to %split : tensor<8xf32>
  %bs = shard.shard %b to %split : tensor<8xf32>
  %bo = shard.shard %bs to %other annotate_for_users : tensor<8xf32>
  %part = tensor.extract_slice %as[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %shape = tensor.expand_shape %bs [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %r = tensor.insert_slice %x into %c[3] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %s = arith.addf %r, %c : tensor<8xf32>
  return %bo, %as, %as, %s, %part, %shape, %r : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<8xf32>
}
func.func @update(%w: tensor<8xf32> {tessera.donated}, %g: tensor<8xf32>) -> tensor<8xf32> {
  %u = arith.subf %w, %g : tensor<8xf32>
  return %u : tensor<8xf32>
}
func.func @called(%w: tensor<8xf32>, %v: tensor<8xf32> {tessera.donated}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %ws = shard.shard %w to %split : tensor<8xf32>
  %a = call @update(%ws, %ws) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b = call @update(%v, %ws) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d = call @update(%b, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %a, %b, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
