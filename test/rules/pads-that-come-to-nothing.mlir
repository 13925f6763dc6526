// A pad by widths that come to nothing, behind blocks, is not its source: what it moves in is told apart
// in the program on one device as well, whose stages fold.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4 | FileCheck %s
// RUN: %tesserac %s --oracle -o - --emit=lowered | FileCheck %s --check-prefix=ONE

// CHECK-COUNT-4: 3 results agree

// ONE-LABEL: func.func @tessera.fn.moved_out(%arg0: memref<1x1xf32>, %arg1: memref<1x1xf32>, %arg2: memref<1x4xf32>)
// ONE-COUNT-1: memref.copy %arg0, %{{.*}} : memref<1x1xf32> to memref<1x1xf32>
// ONE-NOT: memref.copy %arg0
// ONE-NOT: memref.copy %arg2
// ONE: return

shard.grid @g(shape = 4)

func.func @moved_out(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>, %x_in: tensor<1x4xf32>)
    -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x4xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<1x4xf32>
  %no = arith.constant false
  %v = scf.execute_region -> tensor<1x1xf32> {
    cf.cond_br %no, ^one(%b : tensor<1x1xf32>), ^two
  ^one(%u: tensor<1x1xf32>):
    %t = arith.minnumf %a, %u : tensor<1x1xf32>
    cf.br ^end(%t : tensor<1x1xf32>)
  ^two:
    cf.br ^end(%a : tensor<1x1xf32>)
  ^end(%e: tensor<1x1xf32>):
    scf.yield %e : tensor<1x1xf32>
  }
  %two = arith.constant 2.0 : f32
  %p = tensor.pad %v low[-2, -2] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<1x1xf32> to tensor<1x1xf32>
  %q = tensor.pad %x low[0, -1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<1x4xf32> to tensor<1x4xf32>
  return %v, %p, %q : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x4xf32>
}
