// An op in a region that upstream's canonicalization folds leaves its annotation to its operand. Where
// that is built anew for each use, its uses in other blocks have none that would be merged with it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,canonicalize)' \
// RUN:   | FileCheck %s
// CHECK: %[[G:.*]] = tensor.generate
// CHECK: %[[A:.*]] = shard.shard %[[G]] to
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[G]])
// CHECK: shard.shard %[[A]] to
shard.grid @grid(shape = 2)
func.func @main(%a: tensor<16x16xi64>) -> (tensor<1x15xi64>, tensor<1x15xi64>, tensor<16x16xi64>) {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %v = shard.shard %a to %s : tensor<16x16xi64>
  %p = tensor.generate {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %j : index to i64
    tensor.yield %n : i64
  } : tensor<1x15xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %p) -> (tensor<1x15xi64>) {
    %e = tensor.empty() : tensor<1x15xi64>
    %t = linalg.transpose ins(%p : tensor<1x15xi64>) outs(%e : tensor<1x15xi64>) permutation = [0, 1]
    scf.yield %t : tensor<1x15xi64>
  }
  return %r, %p, %v : tensor<1x15xi64>, tensor<1x15xi64>, tensor<16x16xi64>
}
