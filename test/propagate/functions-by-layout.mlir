// A function without annotations is there once for each layout of what calls pass and want: calls of
// one layout share it, one inside of another is there for the layouts that this passes, and what
// nobody calls any more goes. Of what is not split, and of recursion, it is called as it is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not=gather --implicit-check-not='func.func private @relu('
// The same without propagation.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not=gather --implicit-check-not='func.func private @relu('

shard.grid @g(shape = 4)

// CHECK-DAG: func.func private @relu.split(%{{.*}}: tensor<2x12xf32>
// CHECK-DAG: func.func private @relu.split2(%{{.*}}: tensor<8x3xf32>
func.func private @relu(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x12xf32>
  %y = arith.maximumf %x, %zero : tensor<8x12xf32>
  return %y : tensor<8x12xf32>
}

// CHECK-DAG: func.func private @twice.split(%{{.*}}: tensor<2x12xf32>
func.func private @twice(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %y = func.call @relu(%x) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %z = func.call @relu(%y) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %z : tensor<8x12xf32>
}

// CHECK-DAG: func.func private @unsplit(%{{.*}}: tensor<3xf32>) -> tensor<3xf32>
func.func private @unsplit(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.tanh %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @f(
// CHECK: call @relu.split(
// CHECK: call @relu.split2(
// CHECK: call @twice.split(
// CHECK: call @unsplit(
func.func @f(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>, %z: tensor<3xf32>)
    -> (tensor<8x12xf32>, tensor<8x12xf32>, tensor<3xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %y = shard.shard %y_in to %columns : tensor<8x12xf32>
  %a = func.call @relu(%x) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %b = func.call @relu(%y) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %c = func.call @twice(%a) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %d = func.call @unsplit(%z) : (tensor<3xf32>) -> tensor<3xf32>
  return %c, %b, %d : tensor<8x12xf32>, tensor<8x12xf32>, tensor<3xf32>
}
