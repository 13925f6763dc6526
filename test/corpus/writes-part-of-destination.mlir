// What a loop does not write of its destination stays as it was: a column, a diagonal, a shifted or
// strided range, and all of it where there is nothing to reduce.
// RUN-CHECK: --entry column --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry column_of_rows --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry column_by_columns --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry diagonal --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry adds_to_diagonal --grid 1,2,4 --seed 5
// RUN-CHECK: --entry shifted --grid 1,2,4 --seed 5
// RUN-CHECK: --entry strided --grid 1,2,4 --seed 5
// RUN-CHECK: --entry sums_into_column --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry partial_into_column --grid 1,2,4,3 --seed 5
// RUN-CHECK: --entry two_destinations --grid 1,2,4 --seed 5
// RUN-CHECK: --entry in_a_loop --grid 1,2,4 --seed 5
// RUN-CHECK: --entry last_of_none --grid 1,2 --seed 5
// RUN-CHECK: --entry last_of_some --grid 1,2 --shape 0=6x4 --seed 5
// RUN-CHECK: --entry last_of_some --grid 1,2 --shape 0=6x0 --seed 5
shard.grid @g(shape = 2)

#one = affine_map<(i) -> (i)>
#column = affine_map<(i) -> (i, 1)>
#diagonal = affine_map<(i) -> (i, i)>
#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// The values come from an elementwise op, and another reads what is made.
func.func @column(%x_in: tensor<12xf32>, %table: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<12xf32>
  %e = tensor.empty() : tensor<12xf32>
  %y = linalg.exp ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %z = linalg.generic {indexing_maps = [#one, #column], iterator_types = ["parallel"]}
      ins(%y : tensor<12xf32>) outs(%table : tensor<12x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<12x5xf32>
  %e2 = tensor.empty() : tensor<12x5xf32>
  %w = linalg.abs ins(%z : tensor<12x5xf32>) outs(%e2 : tensor<12x5xf32>) -> tensor<12x5xf32>
  return %w : tensor<12x5xf32>
}

func.func @column_of_rows(%x: tensor<12xf32>, %table_in: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %split : tensor<12x5xf32>
  %z = linalg.generic {indexing_maps = [#one, #column], iterator_types = ["parallel"]}
      ins(%x : tensor<12xf32>) outs(%table : tensor<12x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<12x5xf32>
  return %z : tensor<12x5xf32>
}

func.func @column_by_columns(%x: tensor<12xf32>, %table_in: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %split = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %table = shard.shard %table_in to %split : tensor<12x5xf32>
  %z = linalg.generic {indexing_maps = [#one, #column], iterator_types = ["parallel"]}
      ins(%x : tensor<12xf32>) outs(%table : tensor<12x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<12x5xf32>
  return %z : tensor<12x5xf32>
}

func.func @diagonal(%x_in: tensor<9xf32>, %table_in: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<9xf32>
  %table = shard.shard %table_in to %split : tensor<9x9xf32>
  %e = tensor.empty() : tensor<9x9xf32>
  %y = linalg.exp ins(%table : tensor<9x9xf32>) outs(%e : tensor<9x9xf32>) -> tensor<9x9xf32>
  %z = linalg.generic {indexing_maps = [#one, #diagonal], iterator_types = ["parallel"]}
      ins(%x : tensor<9xf32>) outs(%y : tensor<9x9xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<9x9xf32>
  return %z : tensor<9x9xf32>
}

func.func @adds_to_diagonal(%x: tensor<8xf32>, %table_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %split : tensor<8x8xf32>
  %z = linalg.generic {indexing_maps = [#one, #diagonal], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%table : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %w = linalg.abs ins(%z : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %w : tensor<8x8xf32>
}

func.func @shifted(%x_in: tensor<8xf32>, %into: tensor<12xf32>) -> tensor<12xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#one, affine_map<(i) -> (i + 3)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%into : tensor<12xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %z : tensor<12xf32>
}

func.func @strided(%x_in: tensor<6xf32>, %into_in: tensor<12xf32>) -> tensor<12xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<6xf32>
  %into = shard.shard %into_in to %split : tensor<12xf32>
  %z = linalg.generic {indexing_maps = [#one, affine_map<(i) -> (i * 2)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<6xf32>) outs(%into : tensor<12xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %z : tensor<12xf32>
}

func.func @sums_into_column(%x_in: tensor<6x8xf32>, %table: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %split = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<6x8xf32>
  %z = linalg.generic {indexing_maps = [#all, affine_map<(i, j) -> (i, 2)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x8xf32>) outs(%table : tensor<6x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<6x3xf32>
  return %z : tensor<6x3xf32>
}

// The sums stay partial as long as they can; the table is not to be added once a device.
func.func @partial_into_column(%x_in: tensor<6x8xf32>, %table: tensor<6x3xf32>)
    -> tensor<6x3xf32> {
  %split = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<6x8xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %sums = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x8xf32>) outs(%zero : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %z = linalg.generic {indexing_maps = [#one, affine_map<(i) -> (i, 0)>],
                       iterator_types = ["parallel"]}
      ins(%sums : tensor<6xf32>) outs(%table : tensor<6x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<6x3xf32>
  return %z : tensor<6x3xf32>
}

func.func @two_destinations(%x_in: tensor<8xf32>, %table: tensor<8x2xf32>)
    -> (tensor<8xf32>, tensor<8x2xf32>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %z:2 = linalg.generic {indexing_maps = [#one, #one, #column], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e, %table : tensor<8xf32>, tensor<8x2xf32>) {
  ^bb0(%a: f32, %out: f32, %other: f32):
    %n = arith.negf %a : f32
    linalg.yield %n, %a : f32, f32
  } -> (tensor<8xf32>, tensor<8x2xf32>)
  return %z#0, %z#1 : tensor<8xf32>, tensor<8x2xf32>
}

func.func @in_a_loop(%x: tensor<8xf32>, %table_in: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %split : tensor<8x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %table) -> tensor<8x4xf32> {
    %z = linalg.generic {indexing_maps = [#one, #column], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%t : tensor<8x4xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
    } -> tensor<8x4xf32>
    %e = tensor.empty() : tensor<8x4xf32>
    %w = linalg.add ins(%z, %t : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
        -> tensor<8x4xf32>
    scf.yield %w : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// The last of no values is what stood there.
func.func @last_of_none(%x: tensor<6x0xf32>, %before_in: tensor<6xf32>) -> tensor<6xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %before = shard.shard %before_in to %split : tensor<6xf32>
  %z = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x0xf32>) outs(%before : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %z : tensor<6xf32>
}

func.func @last_of_some(%x: tensor<6x?xf32>, %before_in: tensor<6xf32>) -> tensor<6xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %before = shard.shard %before_in to %split : tensor<6xf32>
  %z = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x?xf32>) outs(%before : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %z : tensor<6xf32>
}
