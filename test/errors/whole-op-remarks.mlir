// An op without a rule and a loop that must stay whole are warnings where grid axes idle because of
// them, with what it costs, and the ops after that idle too; an annotation inside is a remark.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-warning@+1 {{'scf.parallel' runs whole on every device; grid axis 0 idles in it, and a device receives 192 bytes a step for it}}
  %r = scf.parallel (%i) = (%none) to (%n) step (%one) init (%a) -> tensor<8x8xf32> {
    %b = arith.addf %a, %a : tensor<8x8xf32>
    // expected-remark@+1 {{ignored}}
    %c = shard.shard %b to %s : tensor<8x8xf32>
    scf.reduce(%c : tensor<8x8xf32>) {
    ^bb0(%l: tensor<8x8xf32>, %q: tensor<8x8xf32>):
      scf.reduce.return %l : tensor<8x8xf32>
    }
  }
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  // expected-warning@+1 {{stays whole on every device}}
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x8xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %sum = arith.addf %v, %acc : f32
    %mean = arith.mulf %sum, %half : f32
    linalg.yield %mean : f32
  } -> tensor<8xf32>
  return %r, %m : tensor<8x8xf32>, tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @annotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-remark@+1 {{'scf.parallel' runs whole}}
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%x) -> tensor<8xf32> {
    // expected-remark@+1 {{call of the annotated @annotated inside 'scf.parallel', which runs whole on every device: a copy without annotations is called}}
    %b = func.call @annotated(%x) : (tensor<8xf32>) -> tensor<8xf32>
    scf.reduce(%b : tensor<8xf32>) {
    ^bb0(%l: tensor<8xf32>, %m: tensor<8xf32>):
      scf.reduce.return %l : tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

// What comes after it idles too.
shard.grid @g(shape = 4)
func.func @f(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-warning@+1 {{'scf.parallel' runs whole on every device; grid axis 0 idles in it and in 2 ops after it, and a device receives 12288 bytes a step for it}}
  %c = scf.parallel (%i) = (%none) to (%one) step (%one) init (%x) -> tensor<64x64xf32> {
    scf.reduce(%x : tensor<64x64xf32>) {
    ^bb0(%l: tensor<64x64xf32>, %q: tensor<64x64xf32>):
      scf.reduce.return %l : tensor<64x64xf32>
    }
  }
  %t = math.tanh %c : tensor<64x64xf32>
  %u = math.absf %t : tensor<64x64xf32>
  return %u : tensor<64x64xf32>
}

// -----

// What its region reads comes whole as an operand does, also where nobody else uses it.
shard.grid @g(shape = 4)
func.func @f(%x_in: tensor<64x64xf32>) -> f32 {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %t = math.tanh %x : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  // expected-warning@+1 {{'scf.parallel' runs whole on every device; grid axis 0 idles in it, and a device receives 12288 bytes a step for it}}
  %r = scf.parallel (%i) = (%none) to (%n) step (%one) init (%zero) -> f32 {
    %v = tensor.extract %t[%i, %none] : tensor<64x64xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %r : f32
}
