// Bodies that read tensors at sums of their loops' indices, in several words: pools that give the places of
// what they find, patches, means of parts, a kernel that is turned, one row of several; and beside it what no
// map says: a row that data gives.
// RUN-CHECK: --grid 1,2,3,4 --seed 1 --shape 4=3x23
shard.grid @g(shape = 4)

func.func @main(%x_in: tensor<2x3x17x13xf32>, %y_in: tensor<19x5xf32>, %k: tensor<3xf32>, %rows_in: tensor<7xi32>, %z_in: tensor<?x23xf32>)
    -> (tensor<2x3x8x6xf32>, tensor<2x3x8x6xi64>, tensor<6x3x5xf32>, tensor<17x5xf32>, tensor<9x4xf32>,
        tensor<7x3xf32>, tensor<?x11x2xf32>) {
  %x_rows = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %x_rows : tensor<2x3x17x13xf32>
  %y = shard.shard %y_in to %rows : tensor<19x5xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i64
  %c2 = arith.constant 2 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : i32

  %window = tensor.empty() : tensor<3x3xf32>
  %e0 = tensor.empty() : tensor<2x3x8x6xf32>
  %f0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
  %most = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<2x3x17x13xf32>, tensor<3x3xf32>) outs(%f0 : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
  %e1 = tensor.empty() : tensor<2x3x8x6xi64>
  %f1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<2x3x8x6xi64>) -> tensor<2x3x8x6xi64>
  %places = linalg.generic {indexing_maps = [affine_map<(a, b, h, w, i, j) -> (a, b, h, w)>, affine_map<(a, b, h, w, i, j) -> (i, j)>, affine_map<(a, b, h, w, i, j) -> (a, b, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%most, %window : tensor<2x3x8x6xf32>, tensor<3x3xf32>) outs(%f1 : tensor<2x3x8x6xi64>) {
  ^bb0(%m: f32, %in: f32, %o: i64):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %i = linalg.index 4 : index
    %j = linalg.index 5 : index
    %h2 = arith.muli %h, %c2 : index
    %w2 = arith.muli %w, %c2 : index
    %hi = arith.addi %h2, %i : index
    %wj = arith.addi %w2, %j : index
    %v = tensor.extract %x[%a, %b, %hi, %wj] : tensor<2x3x17x13xf32>
    %p = arith.muli %hi, %c13 : index
    %q = arith.addi %p, %wj : index
    %n = arith.index_cast %q : index to i64
    %c = arith.cmpf oeq, %v, %m : f32
    %s = arith.select %c, %n, %o : i64
    linalg.yield %s : i64
  } -> tensor<2x3x8x6xi64>

  %e2 = tensor.empty() : tensor<6x3x5xf32>
  %patches = linalg.generic {indexing_maps = [affine_map<(h, i, c) -> (h, i, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e2 : tensor<6x3x5xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %c = linalg.index 2 : index
    %at = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1 + 1)>(%h, %i)
    %v = tensor.extract %y[%at, %c] : tensor<19x5xf32>
    linalg.yield %v : f32
  } -> tensor<6x3x5xf32>

  // The last row of the kernel is on the first of the window; indices are counted as i32.
  %e3 = tensor.empty() : tensor<17x5xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<17x5xf32>) -> tensor<17x5xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(h, c, i) -> (i)>, affine_map<(h, c, i) -> (h, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%k : tensor<3xf32>) outs(%f3 : tensor<17x5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %h = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %h32 = arith.index_cast %h : index to i32
    %i32 = arith.index_cast %i : index to i32
    %n = arith.subi %c16, %h32 : i32
    %t = arith.addi %n, %i32 : i32
    %at = arith.index_cast %t : i32 to index
    %v = tensor.extract %y[%at, %c] : tensor<19x5xf32>
    %p = arith.mulf %v, %in : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<17x5xf32>

  // Of each image one channel, and a part of its columns.
  %e4 = tensor.empty() : tensor<9x4xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<9x4xf32>) -> tensor<9x4xf32>
  %pairs = tensor.empty() : tensor<9xf32>
  %one = arith.constant 1 : index
  %part = linalg.generic {indexing_maps = [affine_map<(h, w, i) -> (i)>, affine_map<(h, w, i) -> (h, w)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%pairs : tensor<9xf32>) outs(%f4 : tensor<9x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %h = linalg.index 0 : index
    %w = linalg.index 1 : index
    %i = linalg.index 2 : index
    %at = arith.addi %h, %i : index
    %v = tensor.extract %x[%one, %c2, %at, %w] : tensor<2x3x17x13xf32>
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<9x4xf32>

  %e5 = tensor.empty() : tensor<7x3xf32>
  %found = linalg.generic {indexing_maps = [affine_map<(r, i) -> (r)>, affine_map<(r, i) -> (r, i)>], iterator_types = ["parallel", "parallel"]} ins(%rows_in : tensor<7xi32>) outs(%e5 : tensor<7x3xf32>) {
  ^bb0(%row: i32, %o: f32):
    %c19 = arith.constant 19 : i32
    %c1 = arith.constant 1 : index
    %i = linalg.index 1 : index
    %t = arith.remui %row, %c19 : i32
    %at = arith.index_cast %t : i32 to index
    %column = arith.addi %i, %c1 : index
    %v = tensor.extract %y[%at, %column] : tensor<19x5xf32>
    linalg.yield %v : f32
  } -> tensor<7x3xf32>

  // As many images as the run has.
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %z = shard.shard %z_in to %columns : tensor<?x23xf32>
  %c0 = arith.constant 0 : index
  %num = tensor.dim %z, %c0 : tensor<?x23xf32>
  %e6 = tensor.empty(%num) : tensor<?x11x2xf32>
  %pieces = linalg.generic {indexing_maps = [affine_map<(b, w, i) -> (b, w, i)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e6 : tensor<?x11x2xf32>) {
  ^bb0(%o: f32):
    %b = linalg.index 0 : index
    %w = linalg.index 1 : index
    %i = linalg.index 2 : index
    %w2 = arith.muli %w, %c2 : index
    %at = arith.addi %w2, %i : index
    %v = tensor.extract %z[%b, %at] : tensor<?x23xf32>
    linalg.yield %v : f32
  } -> tensor<?x11x2xf32>
  return %most, %places, %patches, %turned, %part, %found, %pieces : tensor<2x3x8x6xf32>, tensor<2x3x8x6xi64>, tensor<6x3x5xf32>, tensor<17x5xf32>, tensor<9x4xf32>, tensor<7x3xf32>, tensor<?x11x2xf32>
}
