// Parts over unlike axes are added before they are completed, sums and largest elements.
// RUN-CHECK: --entry clip --grid 2x3,3x2,1x4,4x1,2x2 --seed 3
// RUN-CHECK: --entry largest --grid 2x3,3x2,1x4,4x1,2x2 --seed 4
shard.grid @g(shape = 2x3)

func.func @clip(%a_in: tensor<12x12xf32>, %b_in: tensor<12x12xf32>, %c_in: tensor<18xf32>)
    -> (tensor<12x12xf32>, tensor<12x12xf32>, tensor<18xf32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %first = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %both : tensor<12x12xf32>
  %b = shard.shard %b_in to %second : tensor<12x12xf32>
  %c = shard.shard %c_in to %first : tensor<18xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %a2 = arith.mulf %a, %a : tensor<12x12xf32>
  %b2 = arith.mulf %b, %b : tensor<12x12xf32>
  %c2 = arith.mulf %c, %c : tensor<18xf32>
  %an = linalg.reduce { arith.addf } ins(%a2 : tensor<12x12xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %bn = linalg.reduce { arith.addf } ins(%b2 : tensor<12x12xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %cn = linalg.reduce { arith.addf } ins(%c2 : tensor<18xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %bc = arith.addf %bn, %cn : tensor<f32>
  %n = arith.addf %bc, %an : tensor<f32>
  %scale = math.rsqrt %n : tensor<f32>
  %e = tensor.empty() : tensor<12x12xf32>
  %wide = linalg.broadcast ins(%scale : tensor<f32>) outs(%e : tensor<12x12xf32>) dimensions = [0, 1]
  %ec = tensor.empty() : tensor<18xf32>
  %long = linalg.broadcast ins(%scale : tensor<f32>) outs(%ec : tensor<18xf32>) dimensions = [0]
  %ra = arith.mulf %a, %wide : tensor<12x12xf32>
  %rb = arith.mulf %b, %wide : tensor<12x12xf32>
  %rc = arith.mulf %c, %long : tensor<18xf32>
  return %ra, %rb, %rc : tensor<12x12xf32>, tensor<12x12xf32>, tensor<18xf32>
}

// So are largest elements.
func.func @largest(%a_in: tensor<12x12xf32>, %b_in: tensor<18xf32>) -> tensor<f32> {
  %first = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %a = shard.shard %a_in to %first : tensor<12x12xf32>
  %b = shard.shard %b_in to %second : tensor<18xf32>
  %low = arith.constant dense<0xFF800000> : tensor<f32>
  %an = linalg.reduce { arith.maximumf } ins(%a : tensor<12x12xf32>) outs(%low : tensor<f32>) dimensions = [0, 1]
  %bn = linalg.reduce { arith.maximumf } ins(%b : tensor<18xf32>) outs(%low : tensor<f32>) dimensions = [0]
  %n = arith.maximumf %an, %bn : tensor<f32>
  return %n : tensor<f32>
}
