// Pieces whose places follow from the device: what lies in the same piece on all of them is read there;
// only what does not is put together, and is as small as it can be.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

shard.grid @g(shape = 2)

// The first row is another device's on device 0 alone.
// CHECK-LABEL: func.func @tessera.fn.rolled
// CHECK: memref.alloc() {{.*}}: memref<256x256xf32>
// CHECK-NOT: memref.alloc() {{.*}}: memref<256x256xf32>
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [255, 256]
// CHECK: return
func.func @rolled(%x: tensor<256x256xf32>, %before: tensor<?x256xf32>, %y: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %p = shard.process_multi_index on @g axes = [0] : index
  %sizes = arith.constant dense<[1, 0]> : tensor<2xindex>
  %all = arith.constant 256 : index
  %n = tensor.extract %sizes[%p] : tensor<2xindex>
  %rest = arith.subi %all, %n : index
  %a = tensor.extract_slice %before[0, 0] [%n, 256] [1, 1] : tensor<?x256xf32> to tensor<?x256xf32>
  %b = tensor.extract_slice %x[0, 0] [%rest, 256] [1, 1] : tensor<256x256xf32> to tensor<?x256xf32>
  %e = tensor.empty() : tensor<256x256xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [%n, 256] [1, 1] : tensor<?x256xf32> into tensor<256x256xf32>
  %1 = tensor.insert_slice %b into %0[%n, 0] [%rest, 256] [1, 1] : tensor<?x256xf32> into tensor<256x256xf32>
  %r = arith.addf %1, %y : tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// A place that data says is not known: all is put together.
// CHECK-LABEL: func.func @tessera.fn.unknown
// CHECK-NOT: [255, 256]
// CHECK: return
func.func @unknown(%x: tensor<256x256xf32>, %n: index, %y: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %all = arith.constant 256 : index
  %rest = arith.subi %all, %n : index
  %a = tensor.extract_slice %y[0, 0] [%n, 256] [1, 1] : tensor<256x256xf32> to tensor<?x256xf32>
  %b = tensor.extract_slice %x[0, 0] [%rest, 256] [1, 1] : tensor<256x256xf32> to tensor<?x256xf32>
  %e = tensor.empty() : tensor<256x256xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [%n, 256] [1, 1] : tensor<?x256xf32> into tensor<256x256xf32>
  %1 = tensor.insert_slice %b into %0[%n, 0] [%rest, 256] [1, 1] : tensor<?x256xf32> into tensor<256x256xf32>
  %r = arith.addf %1, %y : tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// A concatenation of pieces that the device decides, as a cast says of known size, is the same.
// CHECK-LABEL: func.func @tessera.fn.concatenated
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [255, 256]
// CHECK: return
func.func @concatenated(%x: tensor<256x256xf32>, %before: tensor<?x256xf32>, %y: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %p = shard.process_multi_index on @g axes = [0] : index
  %sizes = arith.constant dense<[1, 0]> : tensor<2xindex>
  %all = arith.constant 256 : index
  %n = tensor.extract %sizes[%p] : tensor<2xindex>
  %rest = arith.subi %all, %n : index
  %a = tensor.extract_slice %before[0, 0] [%n, 256] [1, 1] : tensor<?x256xf32> to tensor<?x256xf32>
  %b = tensor.extract_slice %x[0, 0] [%rest, 256] [1, 1] : tensor<256x256xf32> to tensor<?x256xf32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x256xf32>, tensor<?x256xf32>) -> tensor<?x256xf32>
  %1 = tensor.cast %0 : tensor<?x256xf32> to tensor<256x256xf32>
  %r = arith.addf %1, %y : tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
