// Loops of which a comparison with data leaves one step: with places outside of the table, in narrow
// types, two at once, in batches, of several in a row; sums, products, maxima, counts, and the last
// that is chosen. Gathers as sums over a table.
// RUN-CHECK: --entry scatters --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry coordinates --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry gathers --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry looked_up --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 2)
#tokens = affine_map<(v, d, t) -> (t, d)>
#places = affine_map<(v, d, t) -> (t)>
#table = affine_map<(v, d, t) -> (v, d)>
func.func @scatters(%x_in: tensor<12x20xf32>, %at_in: tensor<12xi32> {tessera.range = [-5, 45]},
                    %near: tensor<12xi8> {tessera.range = [-9, 60]}, %init_in: tensor<40x20xf32>,
                    %counts: tensor<40xi64>,
                %long: tensor<600xf32>)
    -> (tensor<40x20xf32>, tensor<40x20xf32>, tensor<40x20xf32>, tensor<40x20xf32>, tensor<40xi64>,
        tensor<40xf32>, tensor<600xf32>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<12x20xf32>
  %at = shard.shard %at_in to %split : tensor<12xi32>
  %init = shard.shard %init_in to %split : tensor<40x20xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %count = arith.constant 3 : i64
  %none = arith.constant 0 : i64
  // The index in a narrow type.
  %narrow = linalg.generic {indexing_maps = [#tokens, #places, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %near : tensor<12x20xf32>, tensor<12xi8>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i8, %o: f32):
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i8
    %c = arith.cmpi eq, %p, %w : i8
    %m = arith.select %c, %u, %zero : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  %product = linalg.generic {indexing_maps = [#tokens, #places, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi ne, %v, %q : index
    %m = arith.select %c, %one, %u : f32
    %s = arith.mulf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  // What the index is compared with is counted back, and only some count.
  %maximum = linalg.generic {indexing_maps = [#tokens, #places, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %three = arith.constant 3 : i32
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i32
    %a = arith.addi %w, %three : i32
    %b = arith.addi %p, %three : i32
    %c = arith.cmpi eq, %a, %b : i32
    %some = arith.cmpf ogt, %u, %zero : f32
    %both = arith.andi %some, %c : i1
    %m = arith.select %both, %u, %low : f32
    %s = arith.maximumf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<40x20xf32>
  %last = linalg.generic {indexing_maps = [#tokens, #places, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<12x20xf32>, tensor<12xi32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  %histogram = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : tensor<12xi32>) outs(%counts : tensor<40xi64>) {
  ^bb0(%p: i32, %o: i64):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.extui %c : i1 to i64
    %n = arith.muli %m, %count : i64
    %s = arith.addi %n, %o : i64
    linalg.yield %s : i64
  } -> tensor<40xi64>
  %e = tensor.empty() : tensor<40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  %frequency = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%at : tensor<12xi32>) outs(%z : tensor<40xf32>) {
  ^bb0(%p: i32, %o: f32):
    %v = linalg.index 0 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.uitofp %c : i1 to f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  // Several steps that are the same in the narrow type.
  %many = linalg.generic {indexing_maps = [affine_map<(v, t) -> (t)>, affine_map<(v, t) -> (v)>], iterator_types = ["parallel", "reduction"]}
      ins(%near : tensor<12xi8>) outs(%long : tensor<600xf32>) {
  ^bb0(%p: i8, %o: f32):
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i8
    %c = arith.cmpi eq, %w, %p : i8
    %s = arith.addf %o, %one : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<600xf32>
  return %narrow, %product, %maximum, %last, %histogram, %frequency, %many
      : tensor<40x20xf32>, tensor<40x20xf32>, tensor<40x20xf32>, tensor<40x20xf32>, tensor<40xi64>, tensor<40xf32>, tensor<600xf32>
}

// Coordinates of several dimensions, and rows in batches that have their own places.
func.func @coordinates(%x_in: tensor<18xf64>, %at_in: tensor<18x2xi64> {tessera.range = [-1, 21]},
                       %y_in: tensor<4x9x5xf16>, %to_in: tensor<4x9xi32> {tessera.range = [0, 16]})
    -> (tensor<19x20xf64>, tensor<4x16x5xf16>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<18xf64>
  %at = shard.shard %at_in to %split : tensor<18x2xi64>
  %y = shard.shard %y_in to %split : tensor<4x9x5xf16>
  %to = shard.shard %to_in to %split : tensor<4x9xi32>
  %c0 = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<19x20xf64>
  %z = linalg.fill ins(%c0 : f64) outs(%e : tensor<19x20xf64>) -> tensor<19x20xf64>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j, t) -> (t)>, affine_map<(i, j, t) -> (t, 0)>, affine_map<(i, j, t) -> (t, 1)>, affine_map<(i, j, t) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at, %at : tensor<18xf64>, tensor<18x2xi64>, tensor<18x2xi64>) outs(%z : tensor<19x20xf64>) {
  ^bb0(%u: f64, %p: i64, %q: i64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %pi = arith.index_cast %p : i64 to index
    %qi = arith.index_cast %q : i64 to index
    %ci = arith.cmpi eq, %i, %pi : index
    %cj = arith.cmpi eq, %qi, %j : index
    %c = arith.andi %ci, %cj : i1
    %s = arith.addf %o, %u : f64
    %m = arith.select %c, %s, %o : f64
    linalg.yield %m : f64
  } -> tensor<19x20xf64>
  %h0 = arith.constant 0.0 : f16
  %f = tensor.empty() : tensor<4x16x5xf16>
  %g = linalg.fill ins(%h0 : f16) outs(%f : tensor<4x16x5xf16>) -> tensor<4x16x5xf16>
  %b = linalg.generic {indexing_maps = [affine_map<(b, v, d, t) -> (b, t, d)>, affine_map<(b, v, d, t) -> (b, t)>, affine_map<(b, v, d, t) -> (b, v, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y, %to : tensor<4x9x5xf16>, tensor<4x9xi32>) outs(%g : tensor<4x16x5xf16>) {
  ^bb0(%u: f16, %p: i32, %o: f16):
    %v = linalg.index 1 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %m = arith.select %c, %u, %h0 : f16
    %s = arith.addf %o, %m : f16
    linalg.yield %s : f16
  } -> tensor<4x16x5xf16>
  return %a, %b : tensor<19x20xf64>, tensor<4x16x5xf16>
}

func.func @gathers(%table_in: tensor<24x7xf32>, %at: tensor<10xi32> {tessera.range = [-3, 27]},
                   %bags: tensor<5x6xi32> {tessera.range = [0, 24]})
    -> (tensor<10x7xf32>, tensor<5x7xf32>, tensor<10xf32>) {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %split : tensor<24x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x7xf32>) -> tensor<10x7xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t)>, affine_map<(t, d, v) -> (t, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%table, %at : tensor<24x7xf32>, tensor<10xi32>) outs(%z : tensor<10x7xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 2 : index
    %w = arith.index_cast %v : index to i32
    %c = arith.cmpi eq, %w, %p : i32
    %m = arith.select %c, %x, %zero : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<10x7xf32>
  %f = tensor.empty() : tensor<5x7xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(b, d, t, v) -> (v, d)>, affine_map<(b, d, t, v) -> (b, t)>, affine_map<(b, d, t, v) -> (b, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%table, %bags : tensor<24x7xf32>, tensor<5x6xi32>) outs(%g : tensor<5x7xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 3 : index
    %w = arith.index_cast %v : index to i32
    %c = arith.cmpi eq, %w, %p : i32
    %m = arith.select %c, %x, %zero : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  // Of one column, the sum of it and of what is not picked: a loop behind the picked one.
  %h = tensor.empty() : tensor<10xf32>
  %k = linalg.fill ins(%zero : f32) outs(%h : tensor<10xf32>) -> tensor<10xf32>
  %column = linalg.generic {indexing_maps = [affine_map<(t, v, d) -> (v, d)>, affine_map<(t, v, d) -> (t)>, affine_map<(t, v, d) -> (t)>], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%table, %at : tensor<24x7xf32>, tensor<10xi32>) outs(%k : tensor<10xf32>) {
  ^bb0(%x: f32, %p: i32, %o: f32):
    %v = linalg.index 1 : index
    %q = arith.index_cast %p : i32 to index
    %c = arith.cmpi eq, %v, %q : index
    %s = arith.addf %o, %x : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<10xf32>
  return %rows, %sums, %column : tensor<10x7xf32>, tensor<5x7xf32>, tensor<10xf32>
}

// The places are looked up by the body, and rows that have a NaN or an infinity are not picked.
func.func @looked_up(%x_in: tensor<12x20xf32>, %at: tensor<12xindex> {tessera.range = [0, 40]},
                     %init: tensor<40x20xf32>) -> tensor<40x20xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<12x20xf32>
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#tokens, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<12x20xf32>) outs(%init : tensor<40x20xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = linalg.index 0 : index
    %t = linalg.index 2 : index
    %p = tensor.extract %at[%t] : tensor<12xindex>
    %c = arith.cmpi eq, %v, %p : index
    %q = arith.divf %u, %zero : f32
    %finite = arith.select %c, %u, %q : f32
    %s = arith.addf %o, %finite : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<40x20xf32>
  return %r : tensor<40x20xf32>
}
