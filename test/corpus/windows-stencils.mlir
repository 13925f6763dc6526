// Stencils along split dimensions, in the forms that frontends write: pad and slice, updates of the
// inside, periodic rolls of both dimensions with corners, indices of maps, restriction and
// prolongation, and two steps at once. Halos are wider than some pieces.
// RUN-CHECK: --grid 1x1,4x1,1x3,2x2,3x2,1x7,2x5 --seed 5
#id = affine_map<(i, j) -> (i, j)>
#up = affine_map<(i, j) -> (i + 2, j + 1)>
#left = affine_map<(i, j) -> (i + 1, j * 1 + 1)>
#both = affine_map<(i, j) -> (i + 1, j + 2)>
shard.grid @g(shape = 2x2)

func.func @main(%x_in: tensor<13x11xf64>)
    -> (tensor<13x11xf64>, tensor<13x11xf64>, tensor<13x11xf64>, tensor<11x9xf64>, tensor<7x11xf64>,
        tensor<25x11xf64>, tensor<7x6xf64>) {
  %sh = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %sh : tensor<13x11xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.25 : f64

  // Pad and slice, with a halo of four steps in two.
  %p = tensor.pad %x low[2, 4] high[2, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f64
  } : tensor<13x11xf64> to tensor<17x19xf64>
  %p0 = tensor.extract_slice %p[0, 0] [13, 11] [1, 1] : tensor<17x19xf64> to tensor<13x11xf64>
  %p1 = tensor.extract_slice %p[4, 8] [13, 11] [1, 1] : tensor<17x19xf64> to tensor<13x11xf64>
  %p2 = tensor.extract_slice %p[2, 4] [13, 11] [1, 1] : tensor<17x19xf64> to tensor<13x11xf64>
  %pa = arith.addf %p0, %p1 : tensor<13x11xf64>
  %padded = arith.mulf %pa, %p2 : tensor<13x11xf64>

  // Updates of the inside, three times.
  %inner = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<13x11xf64>) {
    %m = tensor.extract_slice %a[1, 1] [11, 9] [1, 1] : tensor<13x11xf64> to tensor<11x9xf64>
    %n = tensor.extract_slice %a[0, 1] [11, 9] [1, 1] : tensor<13x11xf64> to tensor<11x9xf64>
    %s = tensor.extract_slice %a[2, 1] [11, 9] [1, 1] : tensor<13x11xf64> to tensor<11x9xf64>
    %w = tensor.extract_slice %a[1, 0] [11, 9] [1, 1] : tensor<13x11xf64> to tensor<11x9xf64>
    %e = tensor.extract_slice %a[1, 2] [11, 9] [1, 1] : tensor<13x11xf64> to tensor<11x9xf64>
    %0 = arith.addf %n, %s : tensor<11x9xf64>
    %1 = arith.addf %w, %e : tensor<11x9xf64>
    %2 = arith.addf %0, %1 : tensor<11x9xf64>
    %3 = arith.mulf %2, %m : tensor<11x9xf64>
    %4 = math.tanh %3 : tensor<11x9xf64>
    %b = tensor.insert_slice %4 into %a[1, 1] [11, 9] [1, 1] : tensor<11x9xf64> into tensor<13x11xf64>
    scf.yield %b : tensor<13x11xf64>
  }

  // Periodic, with corners; the second roll goes twice as far, over the first.
  %rolled = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<13x11xf64>) {
    %r0 = tensor.extract_slice %a[1, 0] [12, 11] [1, 1] : tensor<13x11xf64> to tensor<12x11xf64>
    %r1 = tensor.extract_slice %a[0, 0] [1, 11] [1, 1] : tensor<13x11xf64> to tensor<1x11xf64>
    %e0 = tensor.empty() : tensor<13x11xf64>
    %i0 = tensor.insert_slice %r0 into %e0[0, 0] [12, 11] [1, 1] : tensor<12x11xf64> into tensor<13x11xf64>
    %up = tensor.insert_slice %r1 into %i0[12, 0] [1, 11] [1, 1] : tensor<1x11xf64> into tensor<13x11xf64>
    %q0 = tensor.extract_slice %up[0, 10] [13, 1] [1, 1] : tensor<13x11xf64> to tensor<13x1xf64>
    %q1 = tensor.extract_slice %up[0, 0] [13, 10] [1, 1] : tensor<13x11xf64> to tensor<13x10xf64>
    %corner = tensor.concat dim(1) %q0, %q1 : (tensor<13x1xf64>, tensor<13x10xf64>) -> tensor<13x11xf64>
    %s0 = tensor.extract_slice %up[1, 0] [12, 11] [1, 1] : tensor<13x11xf64> to tensor<12x11xf64>
    %s1 = tensor.extract_slice %up[0, 0] [1, 11] [1, 1] : tensor<13x11xf64> to tensor<1x11xf64>
    %twice = tensor.concat dim(0) %s0, %s1 : (tensor<12x11xf64>, tensor<1x11xf64>) -> tensor<13x11xf64>
    %0 = arith.addf %up, %corner : tensor<13x11xf64>
    %1 = arith.subf %0, %twice : tensor<13x11xf64>
    %2 = math.tanh %1 : tensor<13x11xf64>
    scf.yield %2 : tensor<13x11xf64>
  }

  // Indices of maps.
  %me = tensor.empty() : tensor<11x9xf64>
  %maps = linalg.generic {indexing_maps = [#up, #left, #both, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x, %x : tensor<13x11xf64>, tensor<13x11xf64>, tensor<13x11xf64>) outs(%me : tensor<11x9xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %o: f64):
    %0 = arith.mulf %a, %b : f64
    %1 = arith.subf %0, %c : f64
    linalg.yield %1 : f64
  } -> tensor<11x9xf64>

  // Every second row of what was padded, and the rows between others again.
  %z = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<13x11xf64> to tensor<15x11xf64>
  %z0 = tensor.extract_slice %z[0, 0] [7, 11] [2, 1] : tensor<15x11xf64> to tensor<7x11xf64>
  %z1 = tensor.extract_slice %z[1, 0] [7, 11] [2, 1] : tensor<15x11xf64> to tensor<7x11xf64>
  %z2 = tensor.extract_slice %z[2, 0] [7, 11] [2, 1] : tensor<15x11xf64> to tensor<7x11xf64>
  %za = arith.addf %z0, %z2 : tensor<7x11xf64>
  %coarse = arith.addf %za, %z1 : tensor<7x11xf64>
  %fill = arith.constant dense<3.0> : tensor<25x11xf64>
  %fine = tensor.insert_slice %x into %fill[0, 0] [13, 11] [2, 1] : tensor<13x11xf64> into tensor<25x11xf64>
  %f0 = tensor.extract_slice %fine[1, 0] [24, 11] [1, 1] : tensor<25x11xf64> to tensor<24x11xf64>
  %f1 = tensor.insert_slice %f0 into %fine[0, 0] [24, 11] [1, 1] : tensor<24x11xf64> into tensor<25x11xf64>
  %f2 = arith.addf %f1, %fine : tensor<25x11xf64>

  // Of a window that steps farther than it reads.
  %sparse = tensor.extract_slice %x[0, 0] [7, 6] [2, 2] : tensor<13x11xf64> to tensor<7x6xf64>
  %sq = arith.mulf %sparse, %sparse : tensor<7x6xf64>
  return %padded, %inner, %rolled, %maps, %coarse, %f2, %sq
      : tensor<13x11xf64>, tensor<13x11xf64>, tensor<13x11xf64>, tensor<11x9xf64>, tensor<7x11xf64>,
        tensor<25x11xf64>, tensor<7x6xf64>
}
