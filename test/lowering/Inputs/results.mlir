// Results are memory of their own, whatever the function returns.
func.func @argument(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  return %a, %a : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func @constant() -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %c, %c : tensor<4xf32>, tensor<4xf32>
}
func.func @twice(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<2x4xf32>) {
  %b = arith.addf %a, %a : tensor<8xf32>
  %e = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %b, %b, %e : tensor<8xf32>, tensor<8xf32>, tensor<2x4xf32>
}
func.func @branches(%a: tensor<8xf32>, %c: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %b = arith.addf %a, %a : tensor<8xf32>
  %d = arith.mulf %a, %a : tensor<8xf32>
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %b : tensor<8xf32>
  } else {
    scf.yield %d : tensor<8xf32>
  }
  return %b, %r : tensor<8xf32>, tensor<8xf32>
}
func.func @scalars(%i: index, %f: f32, %b: i1, %l: i64, %t: tensor<i32>) -> (index, f32, i1, i64, tensor<i32>) {
  %one = arith.constant 1 : index
  %j = arith.addi %i, %one : index
  %g = arith.addf %f, %f : f32
  %true = arith.constant true
  %n = arith.xori %b, %true : i1
  %m = arith.muli %l, %l : i64
  return %j, %g, %n, %m, %t : index, f32, i1, i64, tensor<i32>
}
// Callers keep their arguments.
func.func @overwritten(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 7.0 : f32
  %r = linalg.fill ins(%c : f32) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @loop(%a: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<16xf32>, tensor<16xf32>) {
    %s = arith.addf %x, %y : tensor<16xf32>
    scf.yield %y, %s : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}
