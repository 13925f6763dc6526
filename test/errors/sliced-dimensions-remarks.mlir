// A warning names the dimension that a slice or a pad keeps whole, because its numbers are known only at
// run time; none where it is split, also where the size of all of it is known only at run time.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=all

shard.grid @g(shape = 4)
func.func @cut(%x_in: tensor<8x8xf32>, %v: f32, %y: tensor<8xf32>, %o: index)
    -> (tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x?xf32>, tensor<9x8xf32>, tensor<8x9xf32>, tensor<8x?xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x8xf32>
  // expected-warning@+1 {{dimension 1 of 'tensor.extract_slice' stays whole on every device: the slice is not known to be all of it}}
  %0 = tensor.extract_slice %x[0, 0] [8, 4] [1, %o] : tensor<8x8xf32> to tensor<8x4xf32>
  // expected-warning@+1 {{dimension 1 of 'tensor.insert_slice' stays whole on every device}}
  %1 = tensor.insert_slice %0 into %x[0, 0] [8, 4] [1, %o] : tensor<8x4xf32> into tensor<8x8xf32>
  // expected-warning@+1 {{dimension 1 of 'tensor.pad' stays whole on every device: it is padded}}
  %2 = tensor.pad %x low[0, %o] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<8x8xf32> to tensor<8x?xf32>
  %4 = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %w = tensor.extract %y[%j] : tensor<8xf32>
    tensor.yield %w : f32
  } : tensor<8x8xf32> to tensor<9x8xf32>
  %5 = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  %6 = tensor.extract_slice %x[0, 1] [8, %o] [1, 2] : tensor<8x8xf32> to tensor<8x?xf32>
  return %0, %1, %2, %4, %5, %6 : tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x?xf32>, tensor<9x8xf32>, tensor<8x9xf32>, tensor<8x?xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @joined(%x_in: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8xf32>
  %0 = tensor.concat dim(0) %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @all(%x_in: tensor<?x8xf32>, %y: tensor<?x1x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8xf32>
  %n = tensor.dim %x_in, %c0 : tensor<?x8xf32>
  %e = math.tanh %x : tensor<?x8xf32>
  %0 = tensor.extract_slice %e[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %m = tensor.dim %y, %c0 : tensor<?x1x8xf32>
  %1 = tensor.extract_slice %y[0, 0, 0] [%m, 1, 8] [1, 1, 1] : tensor<?x1x8xf32> to tensor<?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}
