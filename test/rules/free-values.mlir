// Values without a sharding of their own, and the reductions that they are neutral for.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: @constants
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free sum max min and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free sum max min and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free max min product and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free sum max min and or xor umax umin maxnum minnum
// CHECK-NEXT: tosa.const
// CHECK-NEXT:   free sum max min and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: arith.constant
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
func.func @constants() {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  %1 = arith.constant dense<-0.0> : tensor<8xf32>
  %2 = arith.constant dense<1> : tensor<8xi32>
  %3 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %4 = arith.constant dense<false> : tensor<8xi1>
  %5 = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %6 = arith.constant dense_resource<blob> : tensor<2xf32>
  %7 = arith.constant dense<(0.0, 0.0)> : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: @made
// CHECK-NEXT: tensor.empty
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: tensor.splat
// CHECK-NEXT:   free max min product and or umax umin maxnum minnum
// CHECK-NEXT: tensor.splat
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: linalg.fill
// CHECK-NEXT:   free max min product and or umax umin maxnum minnum
func.func @made(%n: index, %s: f32, %c: tensor<8x4xf32>) {
  %one = arith.constant 1.0 : f32
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = tensor.splat %one : tensor<8x4xf32>
  %2 = tensor.splat %s : tensor<8x4xf32>
  %3 = linalg.fill ins(%one : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: @fill_of_an_argument_has_loops
// CHECK-NEXT: linalg.fill
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: scalar, [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @fill_of_an_argument_has_loops(%s: f32, %c: tensor<8x4xf32>) {
  %0 = linalg.fill ins(%s : f32) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @from_indices
// CHECK-NEXT: tensor.empty
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: tensor.generate
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
func.func @from_indices() {
  %e = tensor.empty() : tensor<8x4xi32>
  %0 = linalg.generic {indexing_maps = [#ji], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<8x4xi32>
  %1 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %j : index
  } : tensor<8x4xindex>
  return
}

// CHECK-LABEL: @from_another_tensor
// CHECK-NEXT: tensor.generate
// CHECK-NEXT:   no rule
func.func @from_another_tensor(%t: tensor<8xindex>) {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.extract %t[%i] : tensor<8xindex>
    tensor.yield %v : index
  } : tensor<8xindex>
  return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803f00000040"
    }
  }
#-}
