// Branches, loops with a condition, regions that run once, and blocks pass pieces on, and nothing is
// gathered. A condition is computed from what is complete.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN: | FileCheck %s --implicit-check-not=gather

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @branches
// CHECK: scf.if %{{.*}} -> (tensor<2xf32>)
// CHECK: scf.index_switch %{{.*}} -> tensor<2xf32>
// CHECK: scf.execute_region -> tensor<2xf32>
// CHECK: cf.br ^{{.*}}(%{{.*}} : tensor<2xf32>)
// CHECK-NEXT: ^{{.*}}(%{{.*}}: tensor<2xf32>):
func.func @branches(%x_in: tensor<8xf32>, %p: i1, %k: index) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    %t = math.tanh %x : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  %s = scf.index_switch %k -> tensor<8xf32>
  case 1 {
    scf.yield %r : tensor<8xf32>
  }
  default {
    scf.yield %x : tensor<8xf32>
  }
  %e = scf.execute_region -> tensor<8xf32> {
    cf.br ^next(%s : tensor<8xf32>)
  ^next(%u: tensor<8xf32>):
    %v = arith.addf %u, %r : tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  ^never:
    cf.br ^next(%x : tensor<8xf32>)
  }
  return %e : tensor<8xf32>
}

// CHECK-LABEL: func.func @loop
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (tensor<1024xf32>) -> (tensor<f32>, tensor<1024xf32>)
// CHECK: %[[PART:.*]] = linalg.dot
// CHECK: %[[ALL:.*]] = shard.all_reduce %[[PART]]
// CHECK: tensor.extract %[[ALL]][]
// CHECK: scf.condition(%{{.*}}) %[[ALL]], %{{.*}} : tensor<f32>, tensor<1024xf32>
func.func @loop(%x_in: tensor<4096xf32>) -> (tensor<f32>, tensor<4096xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4096xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %limit = arith.constant 1.0 : f32
  %r:2 = scf.while (%v = %x) : (tensor<4096xf32>) -> (tensor<f32>, tensor<4096xf32>) {
    %d = linalg.dot ins(%v, %v : tensor<4096xf32>, tensor<4096xf32>) outs(%zero : tensor<f32>)
        -> tensor<f32>
    %n = tensor.extract %d[] : tensor<f32>
    %more = arith.cmpf ogt, %n, %limit : f32
    scf.condition(%more) %d, %v : tensor<f32>, tensor<4096xf32>
  } do {
  ^bb0(%d: tensor<f32>, %v: tensor<4096xf32>):
    %h = arith.constant dense<0.5> : tensor<4096xf32>
    %w = arith.mulf %v, %h : tensor<4096xf32>
    scf.yield %w : tensor<4096xf32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<4096xf32>
}

// CHECK-LABEL: func.func @blocks
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : i32, tensor<2xf32>)
// CHECK: ^[[HEAD]](%{{.*}}: i32, %{{.*}}: tensor<2xf32>):
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default: ^{{.*}}(%{{.*}}, %{{.*}} : i32, tensor<2xf32>)
func.func @blocks(%x_in: tensor<8xf32>, %k: i32) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8xf32>
  cf.br ^head(%k, %x : i32, tensor<8xf32>)
^head(%i: i32, %v: tensor<8xf32>):
  %one = arith.constant 1 : i32
  %next = arith.subi %i, %one : i32
  %t = math.tanh %v : tensor<8xf32>
  cf.switch %i : i32, [
    default: ^head(%next, %t : i32, tensor<8xf32>),
    0: ^exit(%v : tensor<8xf32>),
    1: ^exit(%t : tensor<8xf32>)
  ]
^exit(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}
