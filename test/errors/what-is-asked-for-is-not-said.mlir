// Nothing is said of what annotations ask for, of gathers that cost less than what they are for, and of what
// costs no more than a message: any diagnostic here fails the test.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --split-input-file --verify-diagnostics

// Annotated whole for the op that needs it so.
#diagonal = affine_map<(i) -> (i, i)>
#id = affine_map<(i) -> (i)>
shard.grid @g(shape = 4)
func.func @annotated(%x_in: tensor<64x64xf32>) -> tensor<64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %y = shard.shard %x to %whole annotate_for_users : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %d = linalg.generic {indexing_maps = [#diagonal, #id], iterator_types = ["parallel"]} ins(%y : tensor<64x64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %t = math.tanh %d : tensor<64xf32>
  return %t : tensor<64xf32>
}

// -----

// Returned whole, for the annotation says so.
shard.grid @g(shape = 4)
func.func @returned(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %t = math.tanh %x : tensor<64x64xf32>
  %y = shard.shard %t to %whole : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// Weights are less than activations.
shard.grid @g(shape = 4)
func.func @weights(%x_in: tensor<4096x64xf32>, %w_in: tensor<64x64xf32>) -> tensor<4096x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4096x64xf32>
  %w = shard.shard %w_in to %s : tensor<64x64xf32>
  %z = arith.constant dense<0.0> : tensor<4096x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4096x64xf32>, tensor<64x64xf32>) outs(%z : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}

// -----

// The weights of a layer are brought to all devices in its trip, which share the rows.
shard.grid @g(shape = 4)
func.func @layers(%w_in: tensor<16x64x64xf32>, %x_in: tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<16x64x64xf32>
  %x = shard.shard %x_in to %s : tensor<4096x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<4096x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %x) -> tensor<4096x64xf32> {
    %l = tensor.extract_slice %w[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<16x64x64xf32> to tensor<64x64xf32>
    %m = linalg.matmul ins(%a, %l : tensor<4096x64xf32>, tensor<64x64xf32>) outs(%z : tensor<4096x64xf32>) -> tensor<4096x64xf32>
    %t = math.tanh %m : tensor<4096x64xf32>
    scf.yield %t : tensor<4096x64xf32>
  }
  return %r : tensor<4096x64xf32>
}

// -----

// One element for all, one row where a tensor is cut, a cache that is written at a place of the run, and
// rows that a tensor names, which are summed as every vocabulary that is split.
shard.grid @g(shape = 4)
func.func @small(%x_in: tensor<64xf32>, %k_in: tensor<2x1024x64xf32>, %n: tensor<2x1x64xf32>, %p: index,
                 %table_in: tensor<1024x64xf32>, %ids: tensor<128x1xindex>)
    -> (f32, tensor<1xf32>, tensor<2x1024x64xf32>, tensor<128x1x64xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64xf32>
  %k = shard.shard %k_in to %middle : tensor<2x1024x64xf32>
  %table = shard.shard %table_in to %s : tensor<1024x64xf32>
  %v = tensor.extract %x[%p] : tensor<64xf32>
  %c = tensor.extract_slice %x[5] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %t = math.tanh %c : tensor<1xf32>
  %cache = tensor.insert_slice %n into %k[0, %p, 0] [2, 1, 64] [1, 1, 1] : tensor<2x1x64xf32> into tensor<2x1024x64xf32>
  %rows = tensor.gather %table[%ids] gather_dims([0]) : (tensor<1024x64xf32>, tensor<128x1xindex>) -> tensor<128x1x64xf32>
  return %v, %t, %cache, %rows : f32, tensor<1xf32>, tensor<2x1024x64xf32>, tensor<128x1x64xf32>
}

// -----

// A row in each trip, which is annotated whole; and one that devices share the columns of.
shard.grid @g(shape = 4)
func.func @rows(%x_in: tensor<64x64xf32>, %y_in: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %y = shard.shard %y_in to %columns : tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z, %b = %z) -> (tensor<64xf32>, tensor<64xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<64xf32>
    %all = shard.shard %row to %whole : tensor<64xf32>
    %c = arith.mulf %a, %all : tensor<64xf32>
    %other = tensor.extract_slice %y[%i, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<64xf32>
    %d = arith.mulf %b, %other : tensor<64xf32>
    scf.yield %c, %d : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
