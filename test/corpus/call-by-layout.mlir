// Functions without annotations that are called with split tensors, each for what it is given: one
// inside of the other, twice with one layout, with another, in a loop, with operands that are split
// differently, of several blocks, and such that give back what they get, or a constant.
// RUN-CHECK: --grid 1x1,2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func private @relu(%x: tensor<11x7xf64>) -> tensor<11x7xf64> {
  %zero = arith.constant dense<0.0> : tensor<11x7xf64>
  %y = arith.maximumf %x, %zero : tensor<11x7xf64>
  return %y : tensor<11x7xf64>
}
func.func private @layer(%x: tensor<11x7xf64>, %w: tensor<7x7xf64>, %p: f64)
    -> (tensor<11x7xf64>, tensor<11xf64>) {
  %zero = arith.constant dense<0.0> : tensor<11x7xf64>
  %none = arith.constant dense<0.0> : tensor<11xf64>
  %s = tensor.splat %p : tensor<11x7xf64>
  %m = linalg.matmul ins(%x, %w : tensor<11x7xf64>, tensor<7x7xf64>)
      outs(%zero : tensor<11x7xf64>) -> tensor<11x7xf64>
  %n = arith.mulf %m, %s : tensor<11x7xf64>
  %r = func.call @relu(%n) : (tensor<11x7xf64>) -> tensor<11x7xf64>
  %sums = linalg.reduce ins(%r : tensor<11x7xf64>) outs(%none : tensor<11xf64>) dimensions = [1]
      (%e: f64, %acc: f64) {
        %sum = arith.addf %e, %acc : f64
        linalg.yield %sum : f64
      }
  return %r, %sums : tensor<11x7xf64>, tensor<11xf64>
}
func.func private @swap(%x: tensor<11x7xf64>, %y: tensor<11x7xf64>, %unused: tensor<5xf64>)
    -> (tensor<11x7xf64>, tensor<11x7xf64>, tensor<11x7xf64>) {
  %c = arith.constant dense<2.0> : tensor<11x7xf64>
  return %y, %x, %c : tensor<11x7xf64>, tensor<11x7xf64>, tensor<11x7xf64>
}
func.func private @either(%x: tensor<11x7xf64>, %y: tensor<11x7xf64>, %p: i1) -> tensor<11x7xf64> {
  cf.cond_br %p, ^first(%x : tensor<11x7xf64>), ^second
^first(%u: tensor<11x7xf64>):
  %a = math.absf %u : tensor<11x7xf64>
  return %a : tensor<11x7xf64>
^second:
  %b = arith.addf %x, %y : tensor<11x7xf64>
  return %b : tensor<11x7xf64>
}
// A public one is there as it was, too.
func.func @helped(%x: tensor<11x7xf64>) -> tensor<11x7xf64> {
  %y = func.call @relu(%x) : (tensor<11x7xf64>) -> tensor<11x7xf64>
  %z = arith.addf %y, %x : tensor<11x7xf64>
  return %z : tensor<11x7xf64>
}
// Calls itself, as nothing that is split could: it runs whole.
func.func private @down(%x: tensor<11x7xf64>, %n: i32) -> tensor<11x7xf64> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %end -> tensor<11x7xf64> {
    scf.yield %x : tensor<11x7xf64>
  } else {
    %less = arith.subi %n, %one : i32
    %y = arith.mulf %x, %x : tensor<11x7xf64>
    %z = func.call @down(%y, %less) : (tensor<11x7xf64>, i32) -> tensor<11x7xf64>
    scf.yield %z : tensor<11x7xf64>
  }
  return %r : tensor<11x7xf64>
}
func.func @main(%x_in: tensor<11x7xf64>, %y_in: tensor<11x7xf64>, %w: tensor<7x7xf64>,
                %u: tensor<5xf64>, %p: i1)
    -> (tensor<11x7xf64>, tensor<11xf64>, tensor<11x7xf64>, tensor<11x7xf64>, tensor<11x7xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<11x7xf64>
  %y = shard.shard %y_in to %columns : tensor<11x7xf64>
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %upper = arith.constant 3 : index
  %two = arith.constant 2 : i32
  %half = arith.constant 0.5 : f64
  %a:2 = func.call @layer(%x, %w, %half)
      : (tensor<11x7xf64>, tensor<7x7xf64>, f64) -> (tensor<11x7xf64>, tensor<11xf64>)
  %b = scf.for %i = %lower to %upper step %step iter_args(%v = %a#0) -> (tensor<11x7xf64>) {
    %c:2 = func.call @layer(%v, %w, %half)
        : (tensor<11x7xf64>, tensor<7x7xf64>, f64) -> (tensor<11x7xf64>, tensor<11xf64>)
    scf.yield %c#0 : tensor<11x7xf64>
  }
  %d = func.call @relu(%y) : (tensor<11x7xf64>) -> tensor<11x7xf64>
  %e:3 = func.call @swap(%b, %d, %u) : (tensor<11x7xf64>, tensor<11x7xf64>, tensor<5xf64>)
      -> (tensor<11x7xf64>, tensor<11x7xf64>, tensor<11x7xf64>)
  %f = arith.mulf %e#1, %e#2 : tensor<11x7xf64>
  %g = func.call @either(%f, %e#0, %p) : (tensor<11x7xf64>, tensor<11x7xf64>, i1) -> tensor<11x7xf64>
  %h = func.call @helped(%g) : (tensor<11x7xf64>) -> tensor<11x7xf64>
  %k = func.call @down(%h, %two) : (tensor<11x7xf64>, i32) -> tensor<11x7xf64>
  return %h, %a#1, %e#0, %f, %k
      : tensor<11x7xf64>, tensor<11xf64>, tensor<11x7xf64>, tensor<11x7xf64>, tensor<11x7xf64>
}
