// A value inside a loop becomes a constant once equal values are one; what is annotated there would be merged with
// the annotation of the constant outside, which comes later.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: linalg.reduce
shard.grid @grid(shape = 2)

func.func @main(%a_in: tensor<6x4xi32>, %b: tensor<4xi32>) -> (tensor<6x4xi32>, tensor<4xi32>) {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<6x4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %r = scf.forall (%i) = (0) to (6) step (1) shared_outs(%o = %a) -> (tensor<6x4xi32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<6x4xi32> to tensor<4xi32>
    %y = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<6x4xi32> to tensor<4xi32>
    %z = arith.xori %x, %y : tensor<4xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[%i, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<6x4xi32>
    }
  }
  %s = linalg.reduce { arith.addi } ins(%a : tensor<6x4xi32>) outs(%zero : tensor<4xi32>) dimensions = [0]
  return %r, %s : tensor<6x4xi32>, tensor<4xi32>
}
