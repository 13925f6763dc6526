// Joins, pads and reshapes of tensors without elements, split and not, of extents that the text or
// only the launch knows.
// RUN-CHECK: --entry joins --grid 4,2,3,1,8 --shape 3=0x7 --shape 4=6x0
// RUN-CHECK: --entry joins --grid 4,3 --shape 3=5x7 --shape 4=6x0
// RUN-CHECK: --entry joins_behind_casts --grid 4,2,3 --shape 0=4x1x8 --shape 1=4x0x8
// RUN-CHECK: --entry pads --grid 4,2,3,1,8 --shape 1=0x7
// RUN-CHECK: --entry reshapes --grid 4,2,3,1,8 --shape 2=5x0 --shape 3=0
shard.grid @g(shape = 4)
func.func @joins(%x_in: tensor<6x7xf32>, %none: tensor<6x0xf32>, %no_rows_in: tensor<0x7xf32>,
                 %some_in: tensor<?x7xf32>, %more: tensor<6x?xf32>)
    -> (tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x0xf32>, tensor<0x14xf32>, tensor<?x7xf32>,
        tensor<6x7xf32>, tensor<0x?xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<6x7xf32>
  %no_rows = shard.shard %no_rows_in to %columns : tensor<0x7xf32>
  %some = shard.shard %some_in to %columns : tensor<?x7xf32>
  %last = tensor.concat dim(1) %x, %none : (tensor<6x7xf32>, tensor<6x0xf32>) -> tensor<6x7xf32>
  %first = tensor.concat dim(0) %no_rows, %x, %no_rows
    : (tensor<0x7xf32>, tensor<6x7xf32>, tensor<0x7xf32>) -> tensor<6x7xf32>
  %all = tensor.concat dim(1) %none, %none
    : (tensor<6x0xf32>, tensor<6x0xf32>) -> tensor<6x0xf32>
  %wide = tensor.concat dim(1) %no_rows, %no_rows
    : (tensor<0x7xf32>, tensor<0x7xf32>) -> tensor<0x14xf32>
  %grown = tensor.concat dim(0) %no_rows, %some
    : (tensor<0x7xf32>, tensor<?x7xf32>) -> tensor<?x7xf32>
  // That `%more` is empty is said by the result.
  %same = tensor.concat dim(1) %x, %more
    : (tensor<6x7xf32>, tensor<6x?xf32>) -> tensor<6x7xf32>
  %n = tensor.cast %no_rows : tensor<0x7xf32> to tensor<0x?xf32>
  %unknown = tensor.concat dim(1) %n, %n
    : (tensor<0x?xf32>, tensor<0x?xf32>) -> tensor<0x?xf32>
  return %last, %first, %all, %wide, %grown, %same, %unknown
    : tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x0xf32>, tensor<0x14xf32>, tensor<?x7xf32>,
      tensor<6x7xf32>, tensor<0x?xf32>
}

func.func @pads(%none_in: tensor<0x7xf32>, %some_in: tensor<?x7xf32>, %n: i64 {tessera.range = [0, 4]})
    -> (tensor<2x7xf32>, tensor<5x9xf32>, tensor<0x8xf32>, tensor<3x7xf32>, tensor<?x8xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %none = shard.shard %none_in to %columns : tensor<0x7xf32>
  %some = shard.shard %some_in to %columns : tensor<?x7xf32>
  %c = arith.constant 2.5 : f32
  %high = arith.index_cast %n : i64 to index
  %below = tensor.pad %none low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x7xf32> to tensor<2x7xf32>
  // What is added depends on where it is.
  %around = tensor.pad %none low[2, 1] high[3, 1] {
  ^bb0(%i: index, %j: index):
    %h = arith.muli %i, %i : index
    %k = arith.addi %h, %j : index
    %l = arith.index_cast %k : index to i64
    %f = arith.sitofp %l : i64 to f32
    tensor.yield %f : f32
  } : tensor<0x7xf32> to tensor<5x9xf32>
  %still_none = tensor.pad %none low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x7xf32> to tensor<0x8xf32>
  // That `%some` is empty is said by the result.
  %said = tensor.pad %some low[3, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x7xf32> to tensor<3x7xf32>
  %unknown = tensor.pad %none low[0, 1] high[%high, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x7xf32> to tensor<?x8xf32>
  return %below, %around, %still_none, %said, %unknown
    : tensor<2x7xf32>, tensor<5x9xf32>, tensor<0x8xf32>, tensor<3x7xf32>, tensor<?x8xf32>
}

func.func @reshapes(%x_in: tensor<0x7xf32>, %y_in: tensor<4x0x7x8xf32>, %z_in: tensor<?x0xf32>,
                    %line: tensor<?xf32>)
    -> (tensor<0xf32>, tensor<4x0x8xf32>, tensor<?xf32>, tensor<0x7xf32>, tensor<0x?xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %third = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<0x7xf32>
  %y = shard.shard %y_in to %third : tensor<4x0x7x8xf32>
  %z = shard.shard %z_in to %rows : tensor<?x0xf32>
  %merged = tensor.collapse_shape %x [[0, 1]] : tensor<0x7xf32> into tensor<0xf32>
  %inner = tensor.collapse_shape %y [[0], [1, 2], [3]]
    : tensor<4x0x7x8xf32> into tensor<4x0x8xf32>
  %unknown = tensor.collapse_shape %z [[0, 1]] : tensor<?x0xf32> into tensor<?xf32>
  %cut = tensor.expand_shape %merged [[0, 1]] output_shape [0, 7]
    : tensor<0xf32> into tensor<0x7xf32>
  %c7 = arith.constant 7 : index
  %cut_line = tensor.expand_shape %line [[0, 1]] output_shape [0, %c7]
    : tensor<?xf32> into tensor<0x?xf32>
  %a = shard.shard %cut_line to %columns : tensor<0x?xf32>
  return %merged, %inner, %unknown, %cut, %a
    : tensor<0xf32>, tensor<4x0x8xf32>, tensor<?xf32>, tensor<0x7xf32>, tensor<0x?xf32>
}

// Casts hide that a part is empty until they are folded.
func.func @joins_behind_casts(%x_in: tensor<4x1x?xi64>, %none: tensor<4x0x?xi64>) -> tensor<4x2x?xi64> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4x1x?xi64>
  %a = tensor.cast %x : tensor<4x1x?xi64> to tensor<4x?x?xi64>
  %b = tensor.cast %none : tensor<4x0x?xi64> to tensor<4x?x?xi64>
  %two = tensor.concat dim(1) %a, %a, %b
    : (tensor<4x?x?xi64>, tensor<4x?x?xi64>, tensor<4x?x?xi64>) -> tensor<4x2x?xi64>
  return %two : tensor<4x2x?xi64>
}
