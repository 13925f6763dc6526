// Exchanges, shifts and halo updates behind each other that do not need each other are started before
// the first is waited for; memory that they use is freed behind that.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

shard.grid @g(shape = 2)

// CHECK-LABEL: func.func @tessera.fn.apart
// CHECK: %[[A:.*]] = call @tessera.start.exchange
// CHECK-NOT: memref.dealloc
// CHECK: %[[B:.*]] = call @tessera.start.exchange
// CHECK-NEXT: llvm.call @tessera_rt_wait(%{{.*}}, %[[A]])
// CHECK-NEXT: llvm.call @tessera_rt_wait(%{{.*}}, %[[B]])
// CHECK-NOT: tessera.start
// CHECK: return
func.func @apart(%x: tensor<8x6xf32>) -> (tensor<9x6xf32>, tensor<9x6xf32>) {
  %s = math.exp %x : tensor<8x6xf32>
  %a = tessera.exchange %s
    from {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]]}
    to {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]],
        halo = array<i64: 1, 0, 0, 0>}
    : tensor<8x6xf32> -> tensor<9x6xf32>
  %b = tessera.exchange %s
    from {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]]}
    to {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]],
        halo = array<i64: 0, 1, 0, 0>}
    : tensor<8x6xf32> -> tensor<9x6xf32>
  return %a, %b : tensor<9x6xf32>, tensor<9x6xf32>
}

// The second takes what the first gives, and the third what both use is written to.
// CHECK-LABEL: func.func @tessera.fn.behind_each_other
// CHECK: call @tessera.call.shift
// CHECK: call @tessera.call.shift
// CHECK: call @tessera.call.shift
// CHECK-NOT: tessera.start
// CHECK: return
func.func @behind_each_other(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %a = shard.shift %x on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate
    : tensor<8x6xf32> -> tensor<8x6xf32>
  %b = shard.shift %a on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate
    : tensor<8x6xf32> -> tensor<8x6xf32>
  %t = math.exp %b : tensor<8x6xf32>
  %c = shard.shift %t on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate
    : tensor<8x6xf32> -> tensor<8x6xf32>
  return %b, %c : tensor<8x6xf32>, tensor<8x6xf32>
}

// What is computed between two of them may need the first.
// CHECK-LABEL: func.func @tessera.fn.work_between
// CHECK: call @tessera.call.shift
// CHECK: call @tessera.kernel
// CHECK: call @tessera.call.shift
// CHECK-NOT: tessera.start
// CHECK: return
func.func @work_between(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %a = shard.shift %x on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate
    : tensor<8x6xf32> -> tensor<8x6xf32>
  %t = math.exp %a : tensor<8x6xf32>
  %b = shard.shift %x on @g grid_axes = [0] shift_axis = 0 offset = -1 rotate
    : tensor<8x6xf32> -> tensor<8x6xf32>
  return %t, %b : tensor<8x6xf32>, tensor<8x6xf32>
}

// In a loop each trip waits for its own.
// CHECK-LABEL: func.func @tessera.fn.trips
// CHECK: scf.for
// CHECK: %[[A:.*]] = {{.*}}call @tessera.start.exchange
// CHECK: %[[B:.*]] = {{.*}}call @tessera.start.exchange
// CHECK: llvm.call @tessera_rt_wait(%{{.*}}, %[[A]])
// CHECK-NEXT: llvm.call @tessera_rt_wait(%{{.*}}, %[[B]])
// CHECK: call @tessera.kernel
// CHECK: scf.yield
func.func @trips(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %x) -> tensor<8x6xf32> {
    %a = tessera.exchange %u
      from {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]]}
      to {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]],
          halo = array<i64: 1, 0, 0, 0>}
      : tensor<8x6xf32> -> tensor<9x6xf32>
    %b = tessera.exchange %u
      from {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]]}
      to {grid = @g, global = tensor<16x6xf32>, factors = [[[16, [0]]], [[6, []]]],
          halo = array<i64: 0, 1, 0, 0>}
      : tensor<8x6xf32> -> tensor<9x6xf32>
    %s = arith.addf %a, %b : tensor<9x6xf32>
    %t = tensor.extract_slice %s[1, 0] [8, 6] [1, 1] : tensor<9x6xf32> to tensor<8x6xf32>
    scf.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// Updates of one memory come behind each other.
// CHECK-LABEL: func.func @tessera.fn.in_place
// CHECK: call @tessera.call.update_halo
// CHECK: call @tessera.call.update_halo
// CHECK-NOT: tessera.start
// CHECK: return
func.func @in_place(%x: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %a = shard.update_halo %x on @g split_axes = [[0]] halo_sizes = [1, 1] : tensor<6x5xf32>
  %b = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [1, 1] : tensor<6x5xf32>
  return %b : tensor<6x5xf32>
}

// CHECK: func.func private @tessera.start.exchange
// CHECK: %[[GIVEN:.*]] = llvm.call @tessera_rt_start
// CHECK: return %[[GIVEN]]
