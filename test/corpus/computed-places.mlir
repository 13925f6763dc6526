// Images that are resized: to the nearest row and between two rows, forwards and upside down, by
// halves and by thirds, along dimensions that are split evenly and not; rows by a list of numbers.
// RUN-CHECK: --grid 2x2,1x3,3x1,2x4,4x2,5x1 --seed 1
shard.grid @g(shape = 2x2)
#i = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<13x10xf32>, %y_in: tensor<10x13xf32>, %w: tensor<10x6xf32>)
    -> (tensor<26x20xf32>, tensor<29x10xf32>, tensor<13x5xf32>, tensor<7x13xf32>, tensor<26x6xf32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<13x10xf32>
  %y = shard.shard %y_in to %rows : tensor<10x13xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %scale = arith.constant 0.44827586 : f32

  %e0 = tensor.empty() : tensor<26x20xf32>
  %doubled = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e0 : tensor<26x20xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.divui %i, %c2 : index
    %b = arith.floordivsi %j, %c2 : index
    %v = tensor.extract %x[%a, %b] : tensor<13x10xf32>
    linalg.yield %v : f32
  } -> tensor<26x20xf32>

  %e1 = tensor.empty() : tensor<29x10xf32>
  %between = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e1 : tensor<29x10xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %g = arith.addf %f, %half : f32
    %h = arith.mulf %g, %scale : f32
    %l = arith.subf %h, %half : f32
    %m = arith.maximumf %l, %zero : f32
    %floor = math.floor %m : f32
    %rest = arith.subf %m, %floor : f32
    %n = arith.fptosi %floor : f32 to i32
    %p = arith.index_cast %n : i32 to index
    %q = arith.addi %p, %c1 : index
    %r = arith.minsi %q, %c12 : index
    %a = tensor.extract %x[%p, %j] : tensor<13x10xf32>
    %b = tensor.extract %x[%r, %j] : tensor<13x10xf32>
    %d = arith.subf %b, %a : f32
    %s = arith.mulf %d, %rest : f32
    %v = arith.addf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<29x10xf32>

  %e2 = tensor.empty() : tensor<13x5xf32>
  %mirrored = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e2 : tensor<13x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.subi %c12, %i : index
    %b = arith.muli %j, %c2 : index
    %c = arith.subi %c9, %b : index
    %v = tensor.extract %x[%a, %c] : tensor<13x10xf32>
    linalg.yield %v : f32
  } -> tensor<13x5xf32>

  %list = arith.constant dense<[9, 8, -4, 5, 3, 3, 0]> : tensor<7xi32>
  %ei = tensor.empty() : tensor<7xi32>
  %ten = arith.constant 10 : i32
  %none = arith.constant 0 : i32
  %places = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%list : tensor<7xi32>) outs(%ei : tensor<7xi32>) {
  ^bb0(%p: i32, %out: i32):
    %below = arith.cmpi slt, %p, %none : i32
    %q = arith.addi %p, %ten : i32
    %r = arith.select %below, %q, %p : i32
    linalg.yield %r : i32
  } -> tensor<7xi32>
  %e3 = tensor.empty() : tensor<7x13xf32>
  %listed = linalg.generic {indexing_maps = [#row, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<7xi32>) outs(%e3 : tensor<7x13xf32>) {
  ^bb0(%p: i32, %out: f32):
    %a = arith.index_cast %p : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %y[%a, %j] : tensor<10x13xf32>
    linalg.yield %v : f32
  } -> tensor<7x13xf32>

  // Of a product whose columns are combined first.
  %e4 = tensor.empty() : tensor<13x6xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<13x6xf32>) -> tensor<13x6xf32>
  %product = linalg.matmul ins(%x, %w : tensor<13x10xf32>, tensor<10x6xf32>) outs(%f4 : tensor<13x6xf32>) -> tensor<13x6xf32>
  %e5 = tensor.empty() : tensor<26x6xf32>
  %stretched = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e5 : tensor<26x6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.divui %i, %c2 : index
    %v = tensor.extract %product[%a, %j] : tensor<13x6xf32>
    linalg.yield %v : f32
  } -> tensor<26x6xf32>
  return %doubled, %between, %mirrored, %listed, %stretched
    : tensor<26x20xf32>, tensor<29x10xf32>, tensor<13x5xf32>, tensor<7x13xf32>, tensor<26x6xf32>
}
