// Each mistake that the verifiers know, with its message.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics

func.func @no_grid(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{refers to @g, which is no shard.grid}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @axis_outside_grid(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{names grid axis 1, but @g has 1}}
  %0 = tessera.all_gather %x on @g grid_axes = [1] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @negative_grid_axis(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{has the negative grid axis -1}}
  %0 = tessera.all_gather %x on @g grid_axes = [-1] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_twice(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{names grid axis 1 twice}}
  %0 = tessera.all_gather %x on @g grid_axes = [1, 1] gather_axis = 0
    : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @dimension_outside(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{names dimension 1 of 'tensor<?xf32>'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 1 : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @negative_dimension(%x: tensor<?xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{names dimension -1 of 'tensor<?xf32>'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = -1
    : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @ranks(%x: tensor<?xf32>) -> tensor<10x1xf32> {
  // expected-error@+1 {{has operand and result of different ranks: 'tensor<?xf32>' and 'tensor<10x1xf32>'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0
    : tensor<?xf32> -> tensor<10x1xf32>
  return %0 : tensor<10x1xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @element_type(%x: tensor<?xf32>) -> tensor<10xf64> {
  // expected-error@+1 {{must not change the element type: 'tensor<?xf32>' and 'tensor<10xf64>'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<10xf64>
  return %0 : tensor<10xf64>
}

// -----

shard.grid @g(shape = 4)
func.func @other_dimension(%x: tensor<?x4xf32>) -> tensor<10x5xf32> {
  // expected-error@+1 {{must not change the size of dimension 1: 'tensor<?x4xf32>' and 'tensor<10x5xf32>'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0
    : tensor<?x4xf32> -> tensor<10x5xf32>
  return %0 : tensor<10x5xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @too_few_sizes(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  // expected-error@+1 {{needs one operand in 'sizes' for each '?' of the result type 'tensor<?x?xf32>': 2, not 1}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 sizes(%n)
    : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @static_pieces(%x: tensor<2xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{cannot have pieces of 2 on each of 4 devices of 10; make the uneven extent '?'}}
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @static_slice(%x: tensor<10xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{cannot have pieces of 2 on each of 4 devices of 10}}
  %0 = tessera.all_slice %x on @g grid_axes = [0] slice_axis = 0 : tensor<10xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @all_to_all_split(%x: tensor<?x6xf32>) -> tensor<10x2xf32> {
  // expected-error@+1 {{cannot have pieces of 2 on each of 4 devices of 6}}
  %0 = tessera.all_to_all %x on @g grid_axes = [0] split_axis = 1 concat_axis = 0
    : tensor<?x6xf32> -> tensor<10x2xf32>
  return %0 : tensor<10x2xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @reduce_scatter_rank(%x: tensor<10xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{names dimension 2 of 'tensor<10xf32>'}}
  %0 = tessera.reduce_scatter %x on @g grid_axes = [0] scatter_axis = 2 sizes(%n)
    : tensor<10xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @rank_0(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{must be non-0-ranked.tensor}}
  %0 = "tessera.all_gather"(%x) {grid = @g, gather_axis = 0 : index} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
