// Tensors as one vector, computed with as such and taken apart again: largest elements and where the first of them is,
// of a vector that is given whole too; steps in a loop, by a product with a given vector, that take a part of a part; and
// bodies that join, slice and compute with whole vectors themselves; and the largest of the sums so far, which goes on
// from part to part.
// RUN-CHECK: --entry choice --grid 2x2,3x2,2x3 --seed 1
// RUN-CHECK: --entry steps --grid 2x2,3x2,2x3,4x1 --seed 2
// RUN-CHECK: --entry inside --grid 2x2,3x2 --seed 3
// RUN-CHECK: --entry prefix --grid 2x2,3x2 --seed 2
shard.grid @g(shape = 2x2)

#all = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

func.func @choice(%w_in: tensor<8x6xf32>, %v_in: tensor<6x4xf32>, %places: tensor<72xi32>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<72xf32>, tensor<48xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1], []] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x6xf32>
  %v = shard.shard %v_in to %rows : tensor<6x4xf32>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf32> into tensor<48xf32>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %all = tensor.concat dim(0) %wf, %vf : (tensor<48xf32>, tensor<24xf32>) -> tensor<72xf32>
  %least = arith.constant dense<0xFF800000> : tensor<f32>
  %none = arith.constant dense<0> : tensor<i32>
  %largest = linalg.reduce { arith.maximumf } ins(%all : tensor<72xf32>) outs(%least : tensor<f32>) dimensions = [0]
  %most:2 = linalg.generic {indexing_maps = [#all, #all, #one, #one], iterator_types = ["reduction"]}
      ins(%all, %places : tensor<72xf32>, tensor<72xi32>) outs(%least, %none : tensor<f32>, tensor<i32>) {
  ^bb0(%x: f32, %at: i32, %m: f32, %i: i32):
    %more = arith.cmpf ogt, %x, %m : f32
    %a = arith.select %more, %x, %m : f32
    %b = arith.select %more, %at, %i : i32
    linalg.yield %a, %b : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  %twice = arith.addf %all, %all : tensor<72xf32>
  %ws = tensor.extract_slice %twice[0] [48] [1] : tensor<72xf32> to tensor<48xf32>
  return %largest, %most#0, %most#1, %twice, %ws
      : tensor<f32>, tensor<f32>, tensor<i32>, tensor<72xf32>, tensor<48xf32>
}

func.func @steps(%w_in: tensor<8x6xf64>, %v_in: tensor<6x4xf64>, %b_in: tensor<10xf64>, %z: tensor<82xf64>)
    -> (tensor<8x6xf64>, tensor<6x4xf64>, tensor<10xf64>, tensor<7xf64>) {
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %w = shard.shard %w_in to %both : tensor<8x6xf64>
  %v = shard.shard %v_in to %columns : tensor<6x4xf64>
  %b = shard.shard %b_in to %second : tensor<10xf64>
  %start = arith.constant dense<0.0> : tensor<7xf64>
  %from = arith.constant dense<0.5> : tensor<f64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:4 = scf.for %i = %c0 to %c3 step %c1 iter_args(%wi = %w, %vi = %v, %bi = %b, %last = %start)
      -> (tensor<8x6xf64>, tensor<6x4xf64>, tensor<10xf64>, tensor<7xf64>) {
    %wf = tensor.collapse_shape %wi [[0, 1]] : tensor<8x6xf64> into tensor<48xf64>
    %vf = tensor.collapse_shape %vi [[0, 1]] : tensor<6x4xf64> into tensor<24xf64>
    %e = tensor.empty() : tensor<82xf64>
    %j0 = tensor.insert_slice %vf into %e[58] [24] [1] : tensor<24xf64> into tensor<82xf64>
    %j1 = tensor.insert_slice %wf into %j0[0] [48] [1] : tensor<48xf64> into tensor<82xf64>
    %all = tensor.insert_slice %bi into %j1[48] [10] [1] : tensor<10xf64> into tensor<82xf64>
    %dot = linalg.dot ins(%all, %z : tensor<82xf64>, tensor<82xf64>) outs(%from : tensor<f64>) -> tensor<f64>
    %small = math.tanh %dot : tensor<f64>
    %e1 = tensor.empty() : tensor<82xf64>
    %wide = linalg.broadcast ins(%small : tensor<f64>) outs(%e1 : tensor<82xf64>) dimensions = [0]
    %half = arith.constant dense<0.5> : tensor<82xf64>
    %scaled = arith.mulf %all, %half : tensor<82xf64>
    %next = arith.addf %scaled, %wide : tensor<82xf64>
    %ws = tensor.extract_slice %next[0] [48] [1] : tensor<82xf64> to tensor<48xf64>
    %bs = tensor.extract_slice %next[48] [10] [1] : tensor<82xf64> to tensor<10xf64>
    %vs = tensor.extract_slice %next[58] [24] [1] : tensor<82xf64> to tensor<24xf64>
    %some = tensor.extract_slice %next[60] [7] [1] : tensor<82xf64> to tensor<7xf64>
    %wr = tensor.expand_shape %ws [[0, 1]] output_shape [8, 6] : tensor<48xf64> into tensor<8x6xf64>
    %vr = tensor.expand_shape %vs [[0, 1]] output_shape [6, 4] : tensor<24xf64> into tensor<6x4xf64>
    scf.yield %wr, %vr, %bs, %some : tensor<8x6xf64>, tensor<6x4xf64>, tensor<10xf64>, tensor<7xf64>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<8x6xf64>, tensor<6x4xf64>, tensor<10xf64>, tensor<7xf64>
}

func.func @inside(%w_in: tensor<8x6xf64>, %v_in: tensor<6x4xf64>, %three: tensor<3xf64>, %first: tensor<1xf64>)
    -> (tensor<48xf64>, tensor<24xf64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x6xf64>
  %v = shard.shard %v_in to %columns : tensor<6x4xf64>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf64> into tensor<48xf64>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf64> into tensor<24xf64>
  %all = tensor.concat dim(0) %wf, %vf : (tensor<48xf64>, tensor<24xf64>) -> tensor<72xf64>
  %e = tensor.empty() : tensor<72xf64>
  %c0 = arith.constant 0 : index
  %k = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%all : tensor<72xf64>) outs(%e : tensor<72xf64>) {
  ^bb0(%a: f64, %o: f64):
    %j = tensor.insert_slice %first into %three[0] [1] [1] : tensor<1xf64> into tensor<3xf64>
    %q = tensor.extract %j[%c0] : tensor<3xf64>
    %t = arith.addf %a, %q : f64
    linalg.yield %t : f64
  } -> tensor<72xf64>
  %l = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel"]}
      ins(%all, %k : tensor<72xf64>, tensor<72xf64>) outs(%e : tensor<72xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.addf %all, %all : tensor<72xf64>
    %s = tensor.extract_slice %p[0] [48] [1] : tensor<72xf64> to tensor<48xf64>
    %q = tensor.extract %s[%c0] : tensor<48xf64>
    %t = arith.addf %a, %q : f64
    %r = arith.mulf %t, %b : f64
    linalg.yield %r : f64
  } -> tensor<72xf64>
  %v0 = tensor.extract_slice %l[0] [48] [1] : tensor<72xf64> to tensor<48xf64>
  %v1 = tensor.extract_slice %l[48] [24] [1] : tensor<72xf64> to tensor<24xf64>
  return %v0, %v1 : tensor<48xf64>, tensor<24xf64>
}

func.func @prefix(%w_in: tensor<8x6xf64>, %v_in: tensor<6x4xf64>) -> (tensor<f64>, tensor<f64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x6xf64>
  %v = shard.shard %v_in to %columns : tensor<6x4xf64>
  %wf = tensor.collapse_shape %w [[0, 1]] : tensor<8x6xf64> into tensor<48xf64>
  %vf = tensor.collapse_shape %v [[0, 1]] : tensor<6x4xf64> into tensor<24xf64>
  %all = tensor.concat dim(0) %wf, %vf : (tensor<48xf64>, tensor<24xf64>) -> tensor<72xf64>
  %z = arith.constant dense<0.0> : tensor<f64>
  %low = arith.constant dense<-1.0e9> : tensor<f64>
  %r:2 = linalg.generic {indexing_maps = [#all, #one, #one], iterator_types = ["reduction"]}
      ins(%all : tensor<72xf64>) outs(%z, %low : tensor<f64>, tensor<f64>) {
  ^bb0(%a: f64, %s: f64, %m: f64):
    %t = arith.addf %s, %a : f64
    %n = arith.maximumf %m, %t : f64
    linalg.yield %t, %n : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}
