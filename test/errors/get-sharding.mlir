// Where nobody knows the sharding of a value, who uses the answer is told.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline)' --split-input-file \
// RUN:   --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @no_annotation(%x: tensor<8x8xf32>) -> index {
  %q = shard.get_sharding %x : tensor<8x8xf32> -> !shard.sharding
  %i:2 = shard.process_multi_index on @g : index, index
  // expected-error@+1 {{shard.shard_shape needs a shard.sharding as its operand; that of a value is known in annotated functions alone, outside of ops that run whole}}
  %n:2 = shard.shard_shape dims = [8, 8] sharding = %q device = [%i#0, %i#1] : index, index
  return %n#0 : index
}

// -----

shard.grid @g(shape = 2x2)
func.func @only_asked(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %q = shard.get_sharding %x : tensor<8x8xf32> -> !shard.sharding
  // expected-error@+1 {{the sharding of this annotation is not made by a shard.sharding}}
  %d = shard.shard %y to %q : tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @inside(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %k: index) -> (tensor<8x8xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = scf.parallel (%j) = (%zero) to (%k) step (%one) init (%zero) -> index {
    %q = shard.get_sharding %y : tensor<8x8xf32> -> !shard.sharding
    %i:2 = shard.process_multi_index on @g : index, index
    // expected-error@+1 {{outside of ops that run whole}}
    %n:2 = shard.shard_shape dims = [8, 8] sharding = %q device = [%i#0, %i#1] : index, index
    scf.reduce(%n#0 : index) {
    ^bb0(%l: index, %m: index):
      scf.reduce.return %l : index
    }
  }
  return %a, %n : tensor<8x8xf32>, index
}
