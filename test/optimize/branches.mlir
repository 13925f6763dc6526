// What one branch alone needs of collectives is done in that branch, with what is made of them, where all
// devices of the group surely take the same one; no message between two devices is passed.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{branches=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

#whole = {factors = [], global = tensor<i1>, grid = @g}
#none = {factors = [], global = tensor<i32>, grid = @g}
#rows = {factors = [[[8, [0]]]], global = tensor<8xf32>, grid = @g}

// CHECK-LABEL: func.func @nested
// CHECK: math.cos
// CHECK: scf.if
// CHECK-NEXT: scf.if
// CHECK-NEXT: shard.all_gather
// CHECK-NEXT: math.sin
// CHECK-NEXT: arith.addf
// CHECK-NOT: shard.all_gather
// OFF-LABEL: func.func @nested
// OFF: shard.all_gather
// OFF: scf.if
func.func @nested(%x: tensor<4xf32> {tessera.layout = #rows}, %n: tensor<i1> {tessera.layout = #whole}, %y: tensor<8xf32>) -> tensor<8xf32> {
  %g = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %h = math.sin %g : tensor<8xf32>
  %k = math.cos %y : tensor<8xf32>
  %c = tensor.extract %n[] : tensor<i1>
  %r = scf.if %c -> tensor<8xf32> {
    %q = scf.if %c -> tensor<8xf32> {
      %s = arith.addf %h, %k : tensor<8xf32>
      scf.yield %s : tensor<8xf32>
    } else {
      scf.yield %k : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Inside of a structured op of the branch, and an exchange, which has no axes of its own.
// CHECK-LABEL: func.func @switch
// CHECK: scf.index_switch
// CHECK-NEXT: case 1
// CHECK-NEXT: tessera.exchange
// CHECK-NEXT: linalg.generic
// CHECK: default
// CHECK-NOT: tessera.exchange
func.func @switch(%x: tensor<4xf32> {tessera.layout = #rows}, %n: tensor<i32> {tessera.layout = #none}) -> tensor<4xf32> {
  %e = tessera.exchange %x from {factors = [[[8, [0]]]], global = tensor<8xf32>, grid = @g} to {factors = [[[8, [1]]]], global = tensor<8xf32>, grid = @g} : tensor<4xf32> -> tensor<4xf32>
  %i = tensor.extract %n[] : tensor<i32>
  %c = arith.index_cast %i : i32 to index
  %r = scf.index_switch %c -> tensor<4xf32>
  case 1 {
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
    ^bb0(%o: f32):
      %k = linalg.index 0 : index
      %v = tensor.extract %e[%k] : tensor<4xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  default {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @both
// CHECK: shard.all_gather
// CHECK: scf.if
// CHECK-NOT: shard.all_gather
func.func @both(%x: tensor<4xf32> {tessera.layout = #rows}, %n: tensor<i1> {tessera.layout = #whole}) -> tensor<8xf32> {
  %g = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %c = tensor.extract %n[] : tensor<i1>
  %r = scf.if %c -> tensor<8xf32> {
    %s = math.sin %g : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Devices along axis 1 decide alike, those along axis 0 do not.
// CHECK-LABEL: func.func @apart
// CHECK: shard.all_reduce {{.*}} grid_axes = [0]
// CHECK: scf.if
// CHECK-NEXT: shard.all_reduce {{.*}} grid_axes = [1]
// CHECK-NOT: shard.all_reduce
func.func @apart(%x: tensor<4xf32> {tessera.layout = #rows}, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %g = shard.all_reduce %y on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %h = shard.all_reduce %y on @g grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  %c = arith.cmpf ogt, %v, %zero : f32
  %r = scf.if %c -> tensor<4xf32> {
    %s = arith.addf %g, %h : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @message
// CHECK: shard.all_reduce
// CHECK: shard.send
// CHECK: scf.if
// CHECK-NOT: shard.all_reduce
func.func @message(%x: tensor<4xf32> {tessera.layout = #rows}, %n: tensor<i1> {tessera.layout = #whole}) -> tensor<4xf32> {
  %g = shard.all_reduce %x on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %t = shard.send %x on @g grid_axes = [0] destination = [1] : (tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.extract %n[] : tensor<i1>
  %r = scf.if %c -> tensor<4xf32> {
    %s = math.sin %g : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
