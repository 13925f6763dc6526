// A compiler that links the passes knows the dialects that they read and write.
// RUN: %build/bin/passes-c-api %s 'builtin.module(canonicalize)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK: tessera.all_gather
func.func @f(%x: tensor<?xf32>) -> tensor<10xf32> {
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
