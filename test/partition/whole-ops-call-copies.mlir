// What an op that runs whole calls is a copy of the annotated function on whole tensors, made once,
// under a name that is free; calls elsewhere take the function itself.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition)' \
// RUN:   | FileCheck %s

shard.grid @g(shape = 4)
func.func private @h.whole() {
  return
}
// CHECK: func.func private @inner(%{{.*}}: tensor<2xf32>
// CHECK: func.func private @inner.whole(%[[A:.*]]: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %[[B:.*]] = math.sin %[[A]]
// CHECK-NEXT: return %[[B]]
func.func private @inner(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %b = math.sin %a : tensor<8xf32>
  return %b : tensor<8xf32>
}
// CHECK: func.func private @h(%{{.*}}: tensor<2xf32>
// CHECK-NEXT: call @inner(
// CHECK: func.func private @h.whole2(%[[A:.*]]: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %[[B:.*]] = call @inner.whole(%[[A]])
// CHECK-NEXT: return %[[B]]
func.func private @h(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = func.call @inner(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// CHECK-NOT: func.func private
// CHECK: func.func @f
func.func @f(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.parallel
  // CHECK: func.call @h.whole2
  // CHECK: func.call @inner.whole
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%x) -> tensor<8xf32> {
    %a = func.call @h(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %b = func.call @inner(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.reduce(%b : tensor<8xf32>) {
    ^bb0(%l: tensor<8xf32>, %m: tensor<8xf32>):
      scf.reduce.return %l : tensor<8xf32>
    }
  }
  // CHECK: call @inner(%{{.*}}) : (tensor<2xf32>)
  %t = func.call @inner(%r) : (tensor<8xf32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}
