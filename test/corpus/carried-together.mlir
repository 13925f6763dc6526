// A recurrence with two carried values over rows that are split, with weights by rows, too.
// RUN-CHECK: --grid 2,3,4,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x: tensor<24x12xf32>, %a: tensor<24x12xf32>, %h0: tensor<12xf32>) -> (tensor<24x12xf32>, tensor<12xf32>) {
  %sx = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %xa = shard.shard %x to %sx annotate_for_users : tensor<24x12xf32>
  %aa = shard.shard %a to %sx annotate_for_users : tensor<24x12xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %e = tensor.empty() : tensor<24x12xf32>
  %em = tensor.empty() : tensor<12xf32>
  %r:3 = scf.for %i = %c0 to %c24 step %c1 iter_args(%h = %h0, %c = %h0, %ys = %e) -> (tensor<12xf32>, tensor<12xf32>, tensor<24x12xf32>) {
    %xi = tensor.extract_slice %xa[%i, 0] [1, 12] [1, 1] : tensor<24x12xf32> to tensor<12xf32>
    %ai = tensor.extract_slice %aa[%i, 0] [1, 12] [1, 1] : tensor<24x12xf32> to tensor<12xf32>
    %n:2 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%h, %c, %ai, %xi : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) outs(%em, %em : tensor<12xf32>, tensor<12xf32>) {
    ^bb0(%p: f32, %cc: f32, %q: f32, %s: f32, %o: f32, %o2: f32):
      %t = arith.mulf %p, %q : f32
      %u = arith.addf %t, %s : f32
      %v = arith.addf %u, %cc : f32
      %w = math.tanh %v : f32
      %z = arith.subf %w, %p : f32
      linalg.yield %w, %z : f32, f32
    } -> (tensor<12xf32>, tensor<12xf32>)
    %y = tensor.insert_slice %n#0 into %ys[%i, 0] [1, 12] [1, 1] : tensor<12xf32> into tensor<24x12xf32>
    scf.yield %n#0, %n#1, %y : tensor<12xf32>, tensor<12xf32>, tensor<24x12xf32>
  }
  return %r#2, %r#0 : tensor<24x12xf32>, tensor<12xf32>
}
