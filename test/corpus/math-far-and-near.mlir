// Functions far from 0 and next to it, where polynomials and naive formulas have no digit right.
// RUN-CHECK: --grid 1,2,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>)
    -> (tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x16xf32>
  %large = arith.constant dense<1.0e5> : tensor<12x16xf32>
  %little = arith.constant dense<1.0e-6> : tensor<12x16xf32>
  %zero = arith.constant dense<0.0> : tensor<12x16xf32>
  %one = arith.constant dense<1.0> : tensor<12x16xf32>
  %far = arith.mulf %x, %large : tensor<12x16xf32>
  %sin = math.sin %far : tensor<12x16xf32>
  %cos = math.cos %far : tensor<12x16xf32>
  %waves = arith.addf %sin, %cos : tensor<12x16xf32>

  // Ratios to the argument near 0, where each of these functions is the argument.
  %near = arith.mulf %x, %little : tensor<12x16xf32>
  %sinh = math.sinh %near : tensor<12x16xf32>
  %atanh = math.atanh %near : tensor<12x16xf32>
  %expm1 = math.expm1 %near : tensor<12x16xf32>
  %log1p = math.log1p %near : tensor<12x16xf32>
  %r0 = arith.divf %sinh, %near : tensor<12x16xf32>
  %r1 = arith.divf %atanh, %near : tensor<12x16xf32>
  %r2 = arith.divf %expm1, %near : tensor<12x16xf32>
  %r3 = arith.divf %log1p, %near : tensor<12x16xf32>
  %s0 = arith.addf %r0, %r1 : tensor<12x16xf32>
  %s1 = arith.mulf %r2, %r3 : tensor<12x16xf32>
  %ratios = arith.addf %s0, %s1 : tensor<12x16xf32>

  %asinh = math.asinh %far : tensor<12x16xf32>
  %magnitude = math.absf %far : tensor<12x16xf32>
  %above = arith.addf %magnitude, %one : tensor<12x16xf32>
  %acosh = math.acosh %above : tensor<12x16xf32>
  %inverses = arith.addf %asinh, %acosh : tensor<12x16xf32>

  %infinite = arith.divf %one, %zero : tensor<12x16xf32>
  %root = math.cbrt %infinite : tensor<12x16xf32>
  %root_far = math.cbrt %far : tensor<12x16xf32>
  %cubic = arith.divf %root_far, %root : tensor<12x16xf32>
  %quarter = math.atan2 %zero, %zero : tensor<12x16xf32>
  %turn = math.atan2 %zero, %far : tensor<12x16xf32>
  %angles = arith.addf %quarter, %turn : tensor<12x16xf32>
  return %waves, %ratios, %inverses, %cubic, %angles
      : tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>, tensor<12x16xf32>
}
