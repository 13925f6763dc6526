// What a constant decides (x & 0, x * 0, x | -1, x rem 1, select by a constant) is a constant after
// canonicalization, also where common subexpressions make that constant (x - x, x = x): such values
// have no annotation in a region, since constants move to the entry block, where what is annotated
// here and there is merged.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,canonicalize,cse)' \
// RUN:   | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s --check-prefix=ONCE
// CHECK: scf.for
// CHECK: tensor.insert_slice
// CHECK: scf.yield
// ONCE-LABEL: @main
// ONCE: %[[P:.*]] = arith.addi
// ONCE-NEXT: shard.shard %[[P]] to
// ONCE: %[[AND:.*]] = arith.andi
// ONCE: %[[OR:.*]] = arith.ori
// ONCE: %[[CHOICE:.*]] = arith.select
// ONCE: tensor.insert_slice %[[AND]] into
// ONCE: scf.yield %{{.*}}, %{{.*}}, %[[OR]], %[[CHOICE]] :
shard.grid @grid(shape = 2x2)
func.func @main(%a: tensor<16x4xi64>) -> (tensor<16x4xi64>, tensor<16x2xi64>, tensor<16x2xi64>, tensor<16x2xi64>) {
  %s = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %v = shard.shard %a to %s : tensor<16x4xi64>
  %zero = arith.constant dense<0> : tensor<16x2xi64>
  %one = arith.constant dense<1> : tensor<16x2xi64>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r:4 = scf.for %i = %c0 to %c4 step %c2
      iter_args(%u = %v, %w = %zero, %x = %one, %y = %one)
      -> (tensor<16x4xi64>, tensor<16x2xi64>, tensor<16x2xi64>, tensor<16x2xi64>) {
    %b = tensor.extract_slice %v[0, %i] [16, 2] [1, 1] : tensor<16x4xi64> to tensor<16x2xi64>
    %c = tensor.extract_slice %u[0, %i] [16, 2] [1, 1] : tensor<16x4xi64> to tensor<16x2xi64>
    %d = tensor.extract_slice %v[0, %i] [16, 2] [1, 1] : tensor<16x4xi64> to tensor<16x2xi64>
    %p = arith.addi %w, %c : tensor<16x2xi64>
    %none = arith.subi %b, %d : tensor<16x2xi64>
    %and = arith.andi %none, %c : tensor<16x2xi64>
    %mul = arith.muli %none, %c : tensor<16x2xi64>
    %rem = arith.remsi %x, %one : tensor<16x2xi64>
    %or = arith.ori %rem, %mul : tensor<16x2xi64>
    %is = arith.cmpi sle, %b, %d : tensor<16x2xi64>
    %choice = arith.select %is, %one, %y : tensor<16x2xi1>, tensor<16x2xi64>
    %z = tensor.insert_slice %and into %u[0, %i] [16, 2] [1, 1] : tensor<16x2xi64> into tensor<16x4xi64>
    scf.yield %z, %p, %or, %choice : tensor<16x4xi64>, tensor<16x2xi64>, tensor<16x2xi64>, tensor<16x2xi64>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<16x4xi64>, tensor<16x2xi64>, tensor<16x2xi64>, tensor<16x2xi64>
}
