// A loop with a condition that is given for its next trip what is outside of it, or a part of that,
// and writes what it is given.
// RUN-CHECK: --entry whole --grid 2,1,3 --seed 1
// RUN-CHECK: --entry twice --grid 2,1,3 --seed 1
// RUN-CHECK: --entry part --grid 2,1,3 --seed 1
shard.grid @g(shape = 2)

func.func @whole(%x_in: tensor<4xf64>, %y: tensor<4xf64>, %n: index {tessera.range = [2, 5]}) -> (tensor<4xf64>, tensor<4xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 1.0 : f64
  %z = math.tanh %y : tensor<4xf64>
  %r:2 = scf.while (%i = %c0, %a = %x) : (index, tensor<4xf64>) -> (index, tensor<4xf64>) {
    %k = arith.cmpi ult, %i, %n : index
    %g = tensor.extract %a[%c0] : tensor<4xf64>
    %h = arith.addf %g, %o : f64
    %p = tensor.insert %h into %a[%c0] : tensor<4xf64>
    scf.condition(%k) %i, %p : index, tensor<4xf64>
  } do {
  ^bb0(%i: index, %a: tensor<4xf64>):
    %v = arith.addi %i, %c1 : index
    scf.yield %v, %z : index, tensor<4xf64>
  }
  return %r#1, %z : tensor<4xf64>, tensor<4xf64>
}

// The second region yields one value twice, made there, and each is written by the first.
func.func @twice(%x_in: tensor<4xf64>, %n: index {tessera.range = [3, 5]}) -> (tensor<4xf64>, tensor<4xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 1.0 : f64
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %x) : (index, tensor<4xf64>, tensor<4xf64>) -> (index, tensor<4xf64>, tensor<4xf64>) {
    %k = arith.cmpi ult, %i, %n : index
    %g = tensor.extract %a[%c0] : tensor<4xf64>
    %h = arith.addf %g, %o : f64
    %p = tensor.insert %h into %a[%c0] : tensor<4xf64>
    %g2 = tensor.extract %b[%c0] : tensor<4xf64>
    %h2 = arith.subf %g2, %o : f64
    %q = tensor.insert %h2 into %b[%c0] : tensor<4xf64>
    scf.condition(%k) %i, %p, %q : index, tensor<4xf64>, tensor<4xf64>
  } do {
  ^bb0(%i: index, %a: tensor<4xf64>, %b: tensor<4xf64>):
    %v = arith.addi %i, %c1 : index
    %t = arith.addf %a, %b : tensor<4xf64>
    scf.yield %v, %t, %t : index, tensor<4xf64>, tensor<4xf64>
  }
  return %r#1, %r#2 : tensor<4xf64>, tensor<4xf64>
}

// A branch gives what is outside; a slice of what is outside; written by the first region.
func.func @part(%x_in: tensor<4xf64>, %y: tensor<8xf64>, %n: index {tessera.range = [2, 6]}) -> (tensor<4xf64>, tensor<4xf64>, tensor<8xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 1.0 : f64
  %z = math.tanh %y : tensor<8xf64>
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %x) : (index, tensor<4xf64>, tensor<4xf64>) -> (index, tensor<4xf64>, tensor<4xf64>) {
    %k = arith.cmpi ult, %i, %n : index
    %g = tensor.extract %a[%c0] : tensor<4xf64>
    %h = arith.addf %g, %o : f64
    %p = tensor.insert %h into %a[%c0] : tensor<4xf64>
    %q = tensor.insert %h into %b[%c1] : tensor<4xf64>
    scf.condition(%k) %i, %p, %q : index, tensor<4xf64>, tensor<4xf64>
  } do {
  ^bb0(%i: index, %a: tensor<4xf64>, %b: tensor<4xf64>):
    %v = arith.addi %i, %c1 : index
    %s = tensor.extract_slice %z[2] [4] [1] : tensor<8xf64> to tensor<4xf64>
    %odd = arith.cmpi ult, %i, %c1 : index
    %f = scf.if %odd -> tensor<4xf64> { scf.yield %s : tensor<4xf64> } else { scf.yield %b : tensor<4xf64> }
    scf.yield %v, %s, %f : index, tensor<4xf64>, tensor<4xf64>
  }
  return %r#1, %r#2, %z : tensor<4xf64>, tensor<4xf64>, tensor<8xf64>
}
