// Annotations that nothing uses, in branches and blocks that the conversion of tosa copies, merges or deletes.
// RUN-CHECK: --entry branches --grid 1,2,4
// RUN-CHECK: --entry equal_blocks --grid 1,2,4
// RUN-CHECK: --entry unreached --grid 1,2,4
// RUN-CHECK: --entry open_branches --grid 1,2,4 --shape 0=5x6
shard.grid @g(shape = 4)
func.func @branches(%x_in: tensor<8x6xf32>, %p: tensor<i1>) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %r = tosa.cond_if %p (%q = %x) : tensor<i1> (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%q1: tensor<8x6xf32>):
    %b = shard.shard %q1 to %s : tensor<8x6xf32>
    %z = tosa.reverse %x {axis = 1 : i32} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    tosa.yield %z : tensor<8x6xf32>
  } else {
  ^bb0(%q2: tensor<8x6xf32>):
    %b = shard.shard %q2 to %s : tensor<8x6xf32>
    %z = tosa.reverse %x {axis = 0 : i32} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    tosa.yield %z : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

func.func @equal_blocks(%x_in: tensor<8x6xf32>, %p: i1) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %r = tosa.reverse %x {axis = 1 : i32} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  cf.cond_br %p, ^bb1(%x : tensor<8x6xf32>), ^bb3(%x : tensor<8x6xf32>)
^bb1(%a: tensor<8x6xf32>):
  %b = shard.shard %a to %s : tensor<8x6xf32>
  cf.br ^bb2
^bb3(%a3: tensor<8x6xf32>):
  %b3 = shard.shard %a3 to %s : tensor<8x6xf32>
  cf.br ^bb2
^bb2:
  return %r : tensor<8x6xf32>
}

func.func @unreached(%x_in: tensor<8x6xf32>, %p: i1) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %r = tosa.reverse %x {axis = 1 : i32} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  cf.br ^bb2(%r : tensor<8x6xf32>)
^bb1(%a: tensor<8x6xf32>):
  %s1 = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %b = shard.shard %a to %s1 : tensor<8x6xf32>
  cf.br ^bb2(%r : tensor<8x6xf32>)
^bb2(%c: tensor<8x6xf32>):
  return %c : tensor<8x6xf32>
}

func.func @open_branches(%x_in: tensor<?x6xf32>, %p: tensor<i1>) -> tensor<?x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x6xf32>
  %r = tosa.cond_if %p (%q = %x) : tensor<i1> (tensor<?x6xf32>) -> tensor<?x6xf32> {
  ^bb0(%q1: tensor<?x6xf32>):
    %z = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    %b = shard.shard %q1 to %s : tensor<?x6xf32>
    tosa.yield %z : tensor<?x6xf32>
  } else {
  ^bb0(%q2: tensor<?x6xf32>):
    %b = shard.shard %q2 to %s : tensor<?x6xf32>
    tosa.yield %x : tensor<?x6xf32>
  }
  return %r : tensor<?x6xf32>
}
