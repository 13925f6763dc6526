// Each collective knows its producer, its consumer and the annotation behind it. The reasons go into
// the program's records, and do not keep equal collectives apart.
// RUN: %tesserac %s --emit=partitioned --verbose -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: %tesserac %s --emit=lowered -o - | FileCheck %s --check-prefix=RECORD
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' | FileCheck %s

// RECORD: "of linalg.matmul (collectives-say-why.mlir:{{.*}} by func.return (
shard.grid @grid(shape = 2x2)

func.func @mlp(%x: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %w2: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x8xf32>
  %b = shard.shard %w1 to %columns : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %h = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = math.tanh %h : tensor<8x8xf32>
  %y = linalg.matmul ins(%g, %w2 : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
// WHY: mlir:[[@LINE-4]]:8: remark: all_reduce of linalg.matmul (collectives-say-why.mlir:[[@LINE-4]]:8): its reduction is split over axis 1 because argument 1 of @mlp is annotated {{\[\[}}], [1]] at collectives-say-why.mlir:[[@LINE-11]]:8; needed as {{\[\[}}0], []] by func.return (collectives-say-why.mlir:[[@LINE-2]]:3)

// The two exponentials are one value, and so are their gathers, whoever needs them.
// CHECK-LABEL: func.func @equal
// CHECK: shard.all_gather
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @equal(%x: tensor<1024xf32>) -> (tensor<f32>, tensor<f32>) {
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<1024xf32>
  %h0 = math.sqrt %a : tensor<1024xf32>
  %k0 = math.sqrt %a : tensor<1024xf32>
  %h = math.exp %h0 : tensor<1024xf32>
  %k = math.exp %k0 : tensor<1024xf32>
  %e = arith.constant dense<2.0> : tensor<f32>
  %p = linalg.reduce ins(%h : tensor<1024xf32>) outs(%e : tensor<f32>) dimensions = [0] (%v: f32, %acc: f32) { %t = arith.addf %v, %acc : f32 %m = arith.mulf %t, %t : f32 linalg.yield %m : f32 }
  %q = linalg.reduce ins(%k : tensor<1024xf32>) outs(%e : tensor<f32>) dimensions = [0] (%v: f32, %acc: f32) { %t = arith.addf %v, %acc : f32 %m = arith.mulf %t, %t : f32 linalg.yield %m : f32 }
  return %p, %q : tensor<f32>, tensor<f32>
}
// WHY: remark: all_gather of math.exp (collectives-say-why.mlir:[[@LINE-7]]:8): dimension 0 is split over axis 1 because argument 0 of @equal is annotated {{\[\[}}1]] at collectives-say-why.mlir:[[@LINE-10]]:8; needed whole by linalg.reduce (collectives-say-why.mlir:[[@LINE-4]]:8)
// WHY-SAME: ; and of math.exp (collectives-say-why.mlir:[[@LINE-7]]:8): dimension 0

// What only the launch knows is asked for.
func.func @asked(%x: tensor<?xf32>) -> index {
  %zero = arith.constant 0 : index
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  %n = tensor.dim %a, %zero : tensor<?xf32>
  return %n : index
}
// WHY: remark: all_reduce of the sizes of the pieces of argument 0 of @asked: the extent of dimension 0 is needed by tensor.dim (collectives-say-why.mlir:[[@LINE-3]]:8)

// Data moves between two layouts that use one axis: what counts is the dimension that is given up.
func.func @turned(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %rows = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x6xf32>
  %h = math.exp %a : tensor<8x6xf32>
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %y = shard.shard %h to %columns : tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}
// WHY: remark: all_to_all of math.exp (collectives-say-why.mlir:[[@LINE-5]]:8): dimension 0 is split over axis 1 because argument 0 of @turned is annotated {{\[\[}}1], []] at collectives-say-why.mlir:[[@LINE-6]]:8; needed as {{\[\[}}], [1]] by func.return

// A sum that is scattered over the axis of its reduction.
func.func @scattered(%x: tensor<8x6xf32>) -> tensor<6xf32> {
  %rows = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x6xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %h = linalg.reduce { arith.addf } ins(%a : tensor<8x6xf32>) outs(%f : tensor<6xf32>) dimensions = [0]
  %y = shard.shard %h to %rows : tensor<6xf32>
  return %y : tensor<6xf32>
}
// WHY: remark: reduce_scatter of linalg.reduce (collectives-say-why.mlir:[[@LINE-4]]:8): its reduction is split over axis 1 because argument 0 of @scattered is annotated {{\[\[}}1], []] at collectives-say-why.mlir:[[@LINE-8]]:8; needed as {{\[\[}}1]] by func.return

// The largest of each row, which all devices choose of what each has chosen.
func.func @chosen(%x: tensor<8x6xf32>) -> tensor<8xi32> {
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %x to %columns : tensor<8x6xf32>
  %y = tosa.argmax %a {axis = 1 : i32} : (tensor<8x6xf32>) -> tensor<8xi32>
  return %y : tensor<8xi32>
}
// WHY: mlir:[[@LINE-3]]:8: remark: all_gather of what each device chooses in linalg.generic ({{.*}}): its loop 1 is split over axis 1 because argument 0 of @chosen is annotated {{\[\[}}], [1]] at collectives-say-why.mlir:[[@LINE-4]]:8
