// The norm of tensors that are split over unlike axes: their parts are added before they are completed, a part
// that some devices have alike counting once. What the norm scales them by is one number, written across for
// each of them as it is split, never whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtsr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 2x3)

// CHECK-LABEL: func.func @clip
// CHECK: linalg.reduce {{.*}} ins(%{{.*}} : tensor<6x4xf32>)
// CHECK: linalg.reduce {{.*}} ins(%{{.*}} : tensor<4x12xf32>)
// CHECK: linalg.reduce {{.*}} ins(%{{.*}} : tensor<9xf32>)
// CHECK: %[[ALL:.*]] = shard.all_reduce %{{.*}} on @g grid_axes = [0, 1] : tensor<f32>
// CHECK: math.rsqrt %[[ALL]]
// CHECK-NOT: tensor<12x12xf32>
// CHECK: arith.mulf {{.*}} : tensor<6x4xf32>
// CHECK: arith.mulf {{.*}} : tensor<4x12xf32>
// CHECK: arith.mulf {{.*}} : tensor<9xf32>
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
// CHECK-LABEL: func.func @largest
// CHECK: %[[M:.*]] = arith.maximumf %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: shard.all_reduce %[[M]] on @g grid_axes = [0, 1] reduction = max : tensor<f32>
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
