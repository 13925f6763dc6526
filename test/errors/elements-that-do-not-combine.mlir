// Elements that collectives cannot reduce by a kind: said where the sharding asks for it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @average_of_bits(%x_in: tensor<8xi1>) -> tensor<8xi1> {
  // expected-error@+1 {{elements of this type cannot be combined across devices by average}}
  %part = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial average>]]} : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %part : tensor<8xi1>
  %y = shard.shard %x to %whole annotate_for_users : tensor<8xi1>
  return %y : tensor<8xi1>
}

// -----

shard.grid @g(shape = 4)
func.func @maximum_of_complex_numbers(%x_in: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error@+1 {{elements of this type cannot be combined across devices by max}}
  %part = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial max>]]} : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %part : tensor<8xcomplex<f32>>
  %y = shard.shard %x to %whole annotate_for_users : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}

// -----

shard.grid @g(shape = 4)
func.func @sum_of_other_widths(%x_in: tensor<8xi24>) -> tensor<8xi24> {
  // expected-error@+1 {{elements of this type cannot be combined across devices by sum}}
  %part = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>]]} : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %part : tensor<8xi24>
  %y = shard.shard %x to %whole annotate_for_users : tensor<8xi24>
  return %y : tensor<8xi24>
}
