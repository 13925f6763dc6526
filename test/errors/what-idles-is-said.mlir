// What is whole although it is split, and nobody asked for that, is said once at the op that it is for, with
// the axes that idle, the ops behind it that idle too, and the bytes of a step: also where no rule says why.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --split-input-file --verify-diagnostics

// Rows read at the trip's index are gathered once, in front of the loop; what the loop carries is whole
// because of them, and so is what follows.
shard.grid @g(shape = 4)
func.func @rows_of_a_loop(%x_in: tensor<64x63xf32>) -> tensor<63xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x63xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant dense<0.0> : tensor<63xf32>
  %r = scf.for %i = %c0 to %c63 step %c1 iter_args(%a = %z) -> tensor<63xf32> {
    // expected-warning@+1 {{'tensor.extract_slice' reads the split dimension 0 of argument 0 of @rows_of_a_loop where only the run says: it is gathered; grid axis 0 idles in 4 ops after it, and a device receives 12096 bytes a step for it}}
    %row = tensor.extract_slice %x[%i, 0] [1, 63] [1, 1] : tensor<64x63xf32> to tensor<63xf32>
    %j = arith.addi %i, %c1 : index
    %next = tensor.extract_slice %x[%j, 0] [1, 63] [1, 1] : tensor<64x63xf32> to tensor<63xf32>
    %b = arith.mulf %row, %next : tensor<63xf32>
    %c = arith.addf %b, %a : tensor<63xf32>
    %d = math.tanh %c : tensor<63xf32>
    scf.yield %d : tensor<63xf32>
  }
  %u = math.exp %r : tensor<63xf32>
  return %u : tensor<63xf32>
}

// -----

// Of what the loop itself changes each row is sent around in its trip; how many there are only the run knows.
shard.grid @g(shape = 4)
func.func @changed_rows(%x_in: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64x64xf32> {
    // expected-warning-re@+1 {{reads the split dimension 0 of block argument 1 of scf.for {{.*}} where only the run says: what it reads is sent to every device; grid axis 0 idles in 1 op after it, and each time it runs a device receives 384 bytes for it}}
    %row = tensor.extract_slice %a[%i, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<1x64xf32>
    %t = math.tanh %row : tensor<1x64xf32>
    %w = tensor.insert_slice %t into %a[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<64x64xf32>
    scf.yield %w : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// A product of weights that one device has in a trip is the same work for all, though all but one have zeros.
shard.grid @g(shape = 4)
func.func @weights_of_a_trip(%w_in: tensor<16x64x64xf32>, %v: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %ws = shard.shard %w_in to %s : tensor<16x64x64xf32>
  %v0 = shard.shard %v to %whole : tensor<8x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<8x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %v0) -> tensor<8x64xf32> {
    // expected-warning@+1 {{what it reads is sent to every device; grid axis 0 idles in 2 ops after it, and a device receives 49152 bytes a step for it}}
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<16x64x64xf32> to tensor<64x64xf32>
    %m = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
    %t = math.tanh %m : tensor<8x64xf32>
    scf.yield %t : tensor<8x64xf32>
  }
  return %r : tensor<8x64xf32>
}

// -----

// An element in each trip is a message in each trip.
shard.grid @g(shape = 4)
func.func @elements(%x_in: tensor<8192xf32>) -> f32 {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8192xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> f32 {
    // expected-warning@+1 {{'tensor.extract' reads the split dimension 0 of argument 0 of @elements where only the run says}}
    %v = tensor.extract %x[%i] : tensor<8192xf32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  return %r : f32
}

// -----

// A call that is not looked into; and one that is, at its op, with what is behind the call.
shard.grid @g(shape = 4)
func.func private @outside(tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tessera.pure}
func.func private @inside(%a: tensor<64x64xf32>, %o: index) -> tensor<64xf32> {
  // expected-warning@+1 {{what it reads is sent to every device; grid axis 0 idles in 1 op after it, and a device receives 384 bytes a step for it}}
  %row = tensor.extract_slice %a[%o, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<64xf32>
  return %row : tensor<64xf32>
}
func.func @calls(%x_in: tensor<64x64xf32>, %o: index) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  // expected-warning@+1 {{'func.call' of @outside runs whole on every device; grid axis 0 idles in it and in 1 op after it, and a device receives 12288 bytes a step for it}}
  %r = func.call @outside(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = math.tanh %r : tensor<64x64xf32>
  %y = func.call @inside(%x, %o) : (tensor<64x64xf32>, index) -> tensor<64xf32>
  %u = math.tanh %y : tensor<64xf32>
  return %t, %u : tensor<64x64xf32>, tensor<64xf32>
}

// -----

// Between functions on different grids tensors pass whole, to and fro.
shard.grid @g(shape = 4)
shard.grid @h(shape = 2x2)
func.func private @elsewhere(%a_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @h split_axes = [[0], [1]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<64x64xf32>
  %r = math.absf %a : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @grids(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  // expected-warning@+1 {{call of @elsewhere on grid @h from a function on grid @g: tensors pass whole; a device receives 24576 bytes a step for it}}
  %r = func.call @elsewhere(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Cuts that do not fit; all slices of a scatter into what nobody splits.
shard.grid @g(shape = 4)
func.func @reshapes(%x_in: tensor<4095xf32>, %u_in: tensor<1024xf32>, %d: tensor<4096xf32>, %i: tensor<1024x1xindex>)
    -> (tensor<3x1365xf32>, tensor<4096xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4095xf32>
  %u = shard.shard %u_in to %s : tensor<1024xf32>
  // expected-warning@+1 {{'tensor.expand_shape' cannot be split as dimension 0 of argument 0 of @reshapes is: what it reads of that is gathered; grid axis 0 idles in 1 op after it, and a device receives 12288 bytes a step for it}}
  %a = tensor.expand_shape %x [[0, 1]] output_shape [3, 1365] : tensor<4095xf32> into tensor<3x1365xf32>
  %t = math.tanh %a : tensor<3x1365xf32>
  // expected-warning@+1 {{'tensor.scatter' needs dimension 0 of argument 1 of @reshapes whole; grid axis 0 idles in it and in 1 op after it, and a device receives 3072 bytes a step for it}}
  %b = tensor.scatter %u into %d[%i] scatter_dims([0]) unique : (tensor<1024xf32>, tensor<4096xf32>, tensor<1024x1xindex>) -> tensor<4096xf32>
  %v = math.tanh %b : tensor<4096xf32>
  return %t, %v : tensor<3x1365xf32>, tensor<4096xf32>
}

// -----

// A window on a grid of which only the launch knows the extent.
shard.grid @g(shape = ?)
func.func @open_grid(%x_in: tensor<?xf32>) -> tensor<?xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?xf32>
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  // expected-warning@+1 {{'tensor.extract_slice' cannot be split as dimension 0 of argument 0 of @open_grid is: what it reads of that is gathered; grid axis 0 idles in 1 op after it, and a device receives 2048 bytes a step for it (where extents are not known, for 1024)}}
  %a = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %t = math.tanh %a : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// What is made split is returned whole, for an argument of its type is.
shard.grid @g(shape = 4)
func.func @returned(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %init: tensor<12x20xf32>) -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>) outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  // expected-warning-re@+1 {{result 0 is returned whole, although linalg.matmul {{.*}} is split: annotate what is returned as it is to lie; a device receives 720 bytes a step for it}}
  return %c : tensor<12x20xf32>
}

// -----

// Of two dimensions that stay whole the one that is split is told of.
shard.grid @g(shape = 4)
func.func @one_of_two(%x_in: tensor<64x256xf32>, %y: tensor<8x8xf32>, %i: index) -> tensor<64x256xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x256xf32>
  // expected-warning@+1 {{dimension 1 of 'tensor.insert_slice' stays whole on every device: the slice is not known to be all of it; grid axis 0 idles in it and in 1 op after it, and a device receives 49152 bytes a step for it}}
  %r = tensor.insert_slice %y into %x[0, 0] [8, 8] [%i, %i] : tensor<8x8xf32> into tensor<64x256xf32>
  %t = math.tanh %r : tensor<64x256xf32>
  return %t : tensor<64x256xf32>
}

// -----

// What is behind it may be an element.
shard.grid @g(shape = 4)
func.func @element_behind(%x_in: tensor<60x60xf32>, %i: index) -> f32 {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<60x60xf32>
  // expected-warning@+1 {{'tensor.expand_shape' cannot be split as dimension 1 of argument 0 of @element_behind is}}
  %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [60, 3, 20] : tensor<60x60xf32> into tensor<60x3x20xf32>
  %t = math.tanh %y : tensor<60x3x20xf32>
  %e = tensor.extract %t[%i, %i, %i] : tensor<60x3x20xf32>
  return %e : f32
}
