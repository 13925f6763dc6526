// A function of so many arguments that its body is part of the wrapper: a result that may lie where one of a
// loop does is copied where it does, from memory of which the wrapper knows no more than that it is strided.
// RUN-CHECK: --grid 1,2,3 --seed 4 --shape 0=8x9
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<8x?xf32>, %a0: tensor<3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>, %a5: tensor<3xf32>, %a6: tensor<3xf32>, %a7: tensor<3xf32>,
    %a8: tensor<3xf32>, %a9: tensor<3xf32>, %a10: tensor<3xf32>, %a11: tensor<3xf32>, %a12: tensor<3xf32>, %a13: tensor<3xf32>, %a14: tensor<3xf32>, %a15: tensor<3xf32>,
    %a16: tensor<3xf32>, %a17: tensor<3xf32>, %a18: tensor<3xf32>, %a19: tensor<3xf32>, %a20: tensor<3xf32>, %a21: tensor<3xf32>, %a22: tensor<3xf32>, %a23: tensor<3xf32>,
    %a24: tensor<3xf32>, %a25: tensor<3xf32>, %a26: tensor<3xf32>, %a27: tensor<3xf32>, %a28: tensor<3xf32>, %a29: tensor<3xf32>, %a30: tensor<3xf32>, %a31: tensor<3xf32>,
    %a32: tensor<3xf32>, %a33: tensor<3xf32>, %a34: tensor<3xf32>, %a35: tensor<3xf32>, %a36: tensor<3xf32>, %a37: tensor<3xf32>, %a38: tensor<3xf32>, %a39: tensor<3xf32>,
    %a40: tensor<3xf32>, %a41: tensor<3xf32>, %a42: tensor<3xf32>, %a43: tensor<3xf32>, %a44: tensor<3xf32>, %a45: tensor<3xf32>, %a46: tensor<3xf32>, %a47: tensor<3xf32>,
    %a48: tensor<3xf32>, %a49: tensor<3xf32>, %a50: tensor<3xf32>, %a51: tensor<3xf32>, %a52: tensor<3xf32>, %a53: tensor<3xf32>, %a54: tensor<3xf32>, %a55: tensor<3xf32>,
    %a56: tensor<3xf32>, %a57: tensor<3xf32>, %a58: tensor<3xf32>, %a59: tensor<3xf32>, %a60: tensor<3xf32>, %a61: tensor<3xf32>)
    -> (tensor<8x?xf32>, tensor<4x2x?xf32>, tensor<3xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = math.tanh %x : tensor<8x?xf32>
  %r:2 = scf.while (%i = %c0, %u = %y) : (index, tensor<8x?xf32>) -> (index, tensor<8x?xf32>) {
    %goes_on = arith.cmpi slt, %i, %c2 : index
    scf.condition(%goes_on) %i, %u : index, tensor<8x?xf32>
  } do {
  ^bb0(%i: index, %u: tensor<8x?xf32>):
    %v = arith.addf %u, %x : tensor<8x?xf32>
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %v : index, tensor<8x?xf32>
  }
  %size = tensor.dim %y, %c1 : tensor<8x?xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 2, %size] : tensor<8x?xf32> into tensor<4x2x?xf32>
  %s1 = arith.addf %a0, %a1 : tensor<3xf32>
  %s2 = arith.addf %s1, %a2 : tensor<3xf32>
  %s3 = arith.addf %s2, %a3 : tensor<3xf32>
  %s4 = arith.addf %s3, %a4 : tensor<3xf32>
  %s5 = arith.addf %s4, %a5 : tensor<3xf32>
  %s6 = arith.addf %s5, %a6 : tensor<3xf32>
  %s7 = arith.addf %s6, %a7 : tensor<3xf32>
  %s8 = arith.addf %s7, %a8 : tensor<3xf32>
  %s9 = arith.addf %s8, %a9 : tensor<3xf32>
  %s10 = arith.addf %s9, %a10 : tensor<3xf32>
  %s11 = arith.addf %s10, %a11 : tensor<3xf32>
  %s12 = arith.addf %s11, %a12 : tensor<3xf32>
  %s13 = arith.addf %s12, %a13 : tensor<3xf32>
  %s14 = arith.addf %s13, %a14 : tensor<3xf32>
  %s15 = arith.addf %s14, %a15 : tensor<3xf32>
  %s16 = arith.addf %s15, %a16 : tensor<3xf32>
  %s17 = arith.addf %s16, %a17 : tensor<3xf32>
  %s18 = arith.addf %s17, %a18 : tensor<3xf32>
  %s19 = arith.addf %s18, %a19 : tensor<3xf32>
  %s20 = arith.addf %s19, %a20 : tensor<3xf32>
  %s21 = arith.addf %s20, %a21 : tensor<3xf32>
  %s22 = arith.addf %s21, %a22 : tensor<3xf32>
  %s23 = arith.addf %s22, %a23 : tensor<3xf32>
  %s24 = arith.addf %s23, %a24 : tensor<3xf32>
  %s25 = arith.addf %s24, %a25 : tensor<3xf32>
  %s26 = arith.addf %s25, %a26 : tensor<3xf32>
  %s27 = arith.addf %s26, %a27 : tensor<3xf32>
  %s28 = arith.addf %s27, %a28 : tensor<3xf32>
  %s29 = arith.addf %s28, %a29 : tensor<3xf32>
  %s30 = arith.addf %s29, %a30 : tensor<3xf32>
  %s31 = arith.addf %s30, %a31 : tensor<3xf32>
  %s32 = arith.addf %s31, %a32 : tensor<3xf32>
  %s33 = arith.addf %s32, %a33 : tensor<3xf32>
  %s34 = arith.addf %s33, %a34 : tensor<3xf32>
  %s35 = arith.addf %s34, %a35 : tensor<3xf32>
  %s36 = arith.addf %s35, %a36 : tensor<3xf32>
  %s37 = arith.addf %s36, %a37 : tensor<3xf32>
  %s38 = arith.addf %s37, %a38 : tensor<3xf32>
  %s39 = arith.addf %s38, %a39 : tensor<3xf32>
  %s40 = arith.addf %s39, %a40 : tensor<3xf32>
  %s41 = arith.addf %s40, %a41 : tensor<3xf32>
  %s42 = arith.addf %s41, %a42 : tensor<3xf32>
  %s43 = arith.addf %s42, %a43 : tensor<3xf32>
  %s44 = arith.addf %s43, %a44 : tensor<3xf32>
  %s45 = arith.addf %s44, %a45 : tensor<3xf32>
  %s46 = arith.addf %s45, %a46 : tensor<3xf32>
  %s47 = arith.addf %s46, %a47 : tensor<3xf32>
  %s48 = arith.addf %s47, %a48 : tensor<3xf32>
  %s49 = arith.addf %s48, %a49 : tensor<3xf32>
  %s50 = arith.addf %s49, %a50 : tensor<3xf32>
  %s51 = arith.addf %s50, %a51 : tensor<3xf32>
  %s52 = arith.addf %s51, %a52 : tensor<3xf32>
  %s53 = arith.addf %s52, %a53 : tensor<3xf32>
  %s54 = arith.addf %s53, %a54 : tensor<3xf32>
  %s55 = arith.addf %s54, %a55 : tensor<3xf32>
  %s56 = arith.addf %s55, %a56 : tensor<3xf32>
  %s57 = arith.addf %s56, %a57 : tensor<3xf32>
  %s58 = arith.addf %s57, %a58 : tensor<3xf32>
  %s59 = arith.addf %s58, %a59 : tensor<3xf32>
  %s60 = arith.addf %s59, %a60 : tensor<3xf32>
  %s61 = arith.addf %s60, %a61 : tensor<3xf32>
  return %r#1, %z, %s61 : tensor<8x?xf32>, tensor<4x2x?xf32>, tensor<3xf32>
}
