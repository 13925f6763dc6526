// Of what an exchange brings, a device reads the part that it has itself where it lies: the exchange
// leaves it out (64 among the flags of its site), unless somebody reads the result as a whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

shard.grid @g(shape = 2)

// Rows 1 to 257 of the result are the device's own, whichever it is.
// CHECK-LABEL: func.func @tessera.fn.read_where_it_lies
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<256x256xf32>
// CHECK: call @tessera.call.exchange
// CHECK: memref.subview %[[X]][0, 0] [254, 256]
// CHECK: memref.subview %[[X]][2, 0] [254, 256]
// CHECK: return
func.func @read_where_it_lies(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %h = tessera.exchange %x
    from {grid = @g, global = tensor<512x256xf32>, factors = [[[512, [0]]], [[256, []]]]}
    to {grid = @g, global = tensor<512x256xf32>, factors = [[[512, [0]]], [[256, []]]],
        halo = array<i64: 1, 1, 0, 0>}
    : tensor<256x256xf32> -> tensor<258x256xf32>
  %a = tensor.extract_slice %h[0, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %b = tensor.extract_slice %h[2, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %r = arith.addf %a, %b : tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// CHECK-LABEL: func.func @tessera.fn.read_as_a_whole
// CHECK-NOT: [254, 256]
// CHECK: return
func.func @read_as_a_whole(%x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<258x256xf32>) {
  %h = tessera.exchange %x
    from {grid = @g, global = tensor<512x256xf32>, factors = [[[512, [0]]], [[256, []]]]}
    to {grid = @g, global = tensor<512x256xf32>, factors = [[[512, [0]]], [[256, []]]],
        halo = array<i64: 1, 1, 0, 0>}
    : tensor<256x256xf32> -> tensor<258x256xf32>
  %a = tensor.extract_slice %h[0, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %b = tensor.extract_slice %h[2, 0] [256, 256] [1, 1] : tensor<258x256xf32> to tensor<256x256xf32>
  %r = arith.addf %a, %b : tensor<256x256xf32>
  return %r, %h : tensor<256x256xf32>, tensor<258x256xf32>
}

// CHECK: @tessera.site.0() {{.*}} {
// CHECK: llvm.mlir.constant({{.*}}, 0 : i32, 64 : i32, 0 : i32, 0 : i32,
// CHECK: @tessera.site.1() {{.*}} {
// CHECK: llvm.mlir.constant({{.*}}, 0 : i32, 0 : i32, 0 : i32, 0 : i32,
