// The annotation of an argument that canonicalization has put behind a branch: the number is an
// argument itself, and stands in the layout twice.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,tessera-partition)' | FileCheck %s --check-prefix=PART
// CHECK-LABEL: func.func @main
// CHECK: shard.shard %arg0 to
// CHECK: cf.cond_br
// CHECK-NOT: shard.shard %arg0 to
// PART-LABEL: func.func @main
// PART: cf.cond_br
// PART: math.tanh
shard.grid @g(shape = 4)
func.func @main(%a: tensor<10x4xf32>, %k: i1, %start: i64 {tessera.range = [0, 4]}, %w: tensor<10x4xf32>) -> (tensor<10x4xf32>, tensor<10x4xf32>) {
  %e = scf.execute_region -> tensor<10x4xf32> {
    cf.cond_br %k, ^x, ^y
  ^x:
    %one = math.tanh %w : tensor<10x4xf32>
    scf.yield %one : tensor<10x4xf32>
  ^y:
    %two = math.exp %w : tensor<10x4xf32>
    scf.yield %two : tensor<10x4xf32>
  }
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %start, %start, 8, 10] : !shard.sharding
  %x = shard.shard %a to %s : tensor<10x4xf32>
  %h = math.tanh %x : tensor<10x4xf32>
  return %h, %e : tensor<10x4xf32>, tensor<10x4xf32>
}
