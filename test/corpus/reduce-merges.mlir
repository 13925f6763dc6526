// Reductions that merge candidates of several values: count, mean and squares; a maximum and the
// exponentials below it; steps whose order counts; with bounds and -inf, which stay whole. Uneven
// pieces, two axes, more devices than elements, and rows in front of which some are cut off.
// RUN-CHECK: --entry main --grid 1x2,2x1,2x2,2x3,4x2,1x7,3x5 --seed 1
// RUN-CHECK: --entry two_loops --grid 1x2,2x1,2x2,2x3,3x2,2x11 --seed 1
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#middle = affine_map<(i, j, k) -> (j)>
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<5x13xf32>, %y_in: tensor<5x13xf32>, %v_in: tensor<13x3xf64>, %n_in: tensor<5x13xi32>)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<5xf32>, tensor<5xf32>,
        tensor<5xi32>, tensor<5xi32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>) {
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<5x13xf32>
  %y = shard.shard %y_in to %columns : tensor<5x13xf32>
  %v = shard.shard %v_in to %rows : tensor<13x3xf64>
  %n = shard.shard %n_in to %both : tensor<5x13xi32>
  %low = arith.constant dense<-1.0e30> : tensor<5xf32>
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %one = arith.constant dense<1.0> : tensor<5xf32>
  // The sum of y times exponentials below the largest x.
  %a:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<5x13xf32>, tensor<5x13xf32>) outs(%low, %zero : tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %s = arith.addf %p1, %p2 : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  // Count, mean and squares of differences, along rows.
  %ones = arith.constant dense<1.0> : tensor<13x3xf64>
  %nones = arith.constant dense<0.0> : tensor<13x3xf64>
  %none = arith.constant dense<0.0> : tensor<3xf64>
  %b:3 = linalg.generic {indexing_maps = [#ij, #ij, #ij, #j, #j, #j], iterator_types = ["reduction", "parallel"]}
      ins(%ones, %v, %nones : tensor<13x3xf64>, tensor<13x3xf64>, tensor<13x3xf64>)
      outs(%none, %none, %none : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  ^bb0(%n2: f64, %m2: f64, %s2: f64, %n1: f64, %m1: f64, %s1: f64):
    %count = arith.addf %n1, %n2 : f64
    %d = arith.subf %m2, %m1 : f64
    %dn = arith.mulf %d, %n2 : f64
    %step = arith.divf %dn, %count : f64
    %m = arith.addf %m1, %step : f64
    %dd = arith.mulf %d, %d : f64
    %w = arith.mulf %dd, %n1 : f64
    %w2 = arith.mulf %w, %n2 : f64
    %more = arith.divf %w2, %count : f64
    %two = arith.addf %s1, %s2 : f64
    %s = arith.addf %two, %more : f64
    linalg.yield %count, %m, %s : f64, f64, f64
  } -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
  // Steps behind each other, of floats and of integers that wrap.
  %c:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<5x13xf32>, tensor<5x13xf32>) outs(%one, %zero : tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%p2: f32, %q2: f32, %p1: f32, %q1: f32):
    %p = arith.mulf %p1, %p2 : f32
    %t = arith.mulf %q1, %p2 : f32
    %q = arith.addf %t, %q2 : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  %i0 = arith.constant dense<0> : tensor<5xi32>
  %i1 = arith.constant dense<1> : tensor<5xi32>
  %d:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%n, %n : tensor<5x13xi32>, tensor<5x13xi32>) outs(%i1, %i0 : tensor<5xi32>, tensor<5xi32>) {
  ^bb0(%p2: i32, %q2: i32, %p1: i32, %q1: i32):
    %p = arith.muli %p1, %p2 : i32
    %t = arith.muli %q1, %p2 : i32
    %q = arith.addi %t, %q2 : i32
    linalg.yield %p, %q : i32, i32
  } -> (tensor<5xi32>, tensor<5xi32>)
  // A sum within bounds.
  %half = arith.constant 0.5 : f32
  %e = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x13xf32>) outs(%zero : tensor<5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %s = arith.addf %o, %in : f32
    %r = arith.minimumf %s, %half : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  // Exponentials where the first of some devices are -inf all.
  %inf = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<5x13xf32>
  %masked = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x13xf32>) outs(%empty : tensor<5x13xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 1 : index
    %four = arith.constant 4 : index
    %here = arith.cmpi ult, %k, %four : index
    %r = arith.select %here, %in, %inf : f32
    linalg.yield %r : f32
  } -> tensor<5x13xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<5xf32>
  %f:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%masked, %y : tensor<5x13xf32>, tensor<5x13xf32>) outs(%lowest, %zero : tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %s = arith.addf %p1, %p2 : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  // Of one row, from the second element on.
  %row = tensor.extract_slice %x[2, 1] [1, 12] [1, 1] : tensor<5x13xf32> to tensor<12xf32>
  %start = arith.constant dense<-1.0e30> : tensor<f32>
  %g = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> ()>], iterator_types = ["reduction"]}
      ins(%row : tensor<12xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %in, %o : f32
    %between = arith.subf %in, %o : f32
    %p = math.absf %between : f32
    %q = arith.negf %p : f32
    %ex = math.exp %q : f32
    %l = math.log1p %ex : f32
    %r = arith.addf %m, %l : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %a#0, %a#1, %b#0, %b#1, %b#2, %c#0, %c#1, %d#0, %d#1, %e, %f#0, %f#1, %g
      : tensor<5xf32>, tensor<5xf32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<5xf32>, tensor<5xf32>,
        tensor<5xi32>, tensor<5xi32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>
}

// Along two loops, split over an axis each, one of them not the innermost; and steps along two, whose
// order would be another: stay whole.
func.func @two_loops(%x_in: tensor<9x3x11xf32>, %y_in: tensor<9x3x11xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %s = shard.sharding @g split_axes = [[1], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<9x3x11xf32>
  %y = shard.shard %y_in to %s : tensor<9x3x11xf32>
  %low = arith.constant dense<-1.0e30> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %a:2 = linalg.generic {indexing_maps = [#ijk, #ijk, #middle, #middle], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x, %y : tensor<9x3x11xf32>, tensor<9x3x11xf32>) outs(%low, %zero : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %t = arith.addf %p1, %p2 : f32
    linalg.yield %m, %t : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  %ones = arith.constant dense<1.0> : tensor<9x3x11xf32>
  %nones = arith.constant dense<0.0> : tensor<9x3x11xf32>
  %b:3 = linalg.generic {indexing_maps = [#ijk, #ijk, #ijk, #middle, #middle, #middle], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%ones, %x, %nones : tensor<9x3x11xf32>, tensor<9x3x11xf32>, tensor<9x3x11xf32>)
      outs(%zero, %zero, %zero : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%n2: f32, %m2: f32, %s2: f32, %n1: f32, %m1: f32, %s1: f32):
    %count = arith.addf %n1, %n2 : f32
    %d = arith.subf %m2, %m1 : f32
    %dn = arith.mulf %d, %n2 : f32
    %step = arith.divf %dn, %count : f32
    %m = arith.addf %m1, %step : f32
    %dd = arith.mulf %d, %d : f32
    %w = arith.mulf %dd, %n1 : f32
    %w2 = arith.mulf %w, %n2 : f32
    %more = arith.divf %w2, %count : f32
    %two = arith.addf %s1, %s2 : f32
    %t = arith.addf %two, %more : f32
    linalg.yield %count, %m, %t : f32, f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %c:2 = linalg.generic {indexing_maps = [#ijk, #ijk, #middle, #middle], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x, %y : tensor<9x3x11xf32>, tensor<9x3x11xf32>) outs(%one, %zero : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%p2: f32, %q2: f32, %p1: f32, %q1: f32):
    %p = arith.mulf %p1, %p2 : f32
    %u = arith.mulf %q1, %p2 : f32
    %q = arith.addf %u, %q2 : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %a#0, %a#1, %b#0, %b#1, %b#2, %c#0, %c#1
      : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
