// An assertion that fails on one device ends all of them, with one message and exit status 1; one
// that holds costs nothing but its branch.
// REQUIRES: tesserac
// RUN: %tesserac %s -o - --emit=lowered | FileCheck %s
// RUN: %tesserac %s -o %t.so
// RUN: %tessera_run %t.so --entry holds
// RUN: not %tessera_run %t.so --entry one_device 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry one_element 2>&1 | FileCheck %s --check-prefix=ELEMENT --implicit-check-not=error:

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @tessera.fn.one_device
// CHECK-NOT: cf.assert
// CHECK: scf.if
// CHECK: llvm.call @tessera_rt_fail
// DEVICE: asserts.mlir:[[@LINE+5]]:3: error: 'cf.assert' on rank 2: not on device 2
func.func @one_device() {
  %two = arith.constant 2 : index
  %i = shard.process_linear_index on @g : index
  %ok = arith.cmpi ne, %i, %two : index
  cf.assert %ok, "not on device 2"
  return
}

func.func @holds() {
  %four = arith.constant 4 : index
  %i = shard.process_linear_index on @g : index
  %ok = arith.cmpi ult, %i, %four : index
  cf.assert %ok, "fewer than 4 devices"
  return
}

// The sixth element is the last device's.
// ELEMENT: asserts.mlir:[[@LINE+9]]:5: error: 'cf.assert' on rank 3: root of a negative number
func.func @one_element() -> tensor<6xf32> {
  %c = arith.constant dense<[0.0, 1.0, 4.0, 9.0, 16.0, -1.0]> : tensor<6xf32>
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %c to %s : tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %r = linalg.map ins(%a : tensor<6xf32>) outs(%e : tensor<6xf32>) (%v: f32, %o: f32) {
    %ok = arith.cmpf oge, %v, %zero : f32
    cf.assert %ok, "root of a negative number"
    %w = math.sqrt %v : f32
    linalg.yield %w : f32
  }
  return %r : tensor<6xf32>
}
