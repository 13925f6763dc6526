// Slices, insertions and views that lack sizes 1, with numbers that become constants on the way.
func.func @constants(%x: tensor<4x8x3xf32>, %row: tensor<1x8xf32>, %some: tensor<?x4xf32>)
    -> (tensor<1x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<4x8x3xf32>, tensor<4x8x3xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.subi %c2, %c1 : index
  %a = tensor.extract_slice %x[%c2, 0, 1] [1, 8, 1] [1, 1, 1] : tensor<4x8x3xf32> to tensor<1x8xf32>
  %b = tensor.extract_slice %x[3, 0, 2] [%one, 8, 1] [1, 1, 2] : tensor<4x8x3xf32> to tensor<?x8xf32>
  %c = tensor.extract_slice %x[3, 5, 2] [%one, 1, 1] [3, 2, 2] : tensor<4x8x3xf32> to tensor<?xf32>
  %d = tensor.insert_slice %row into %x[%c2, 0, 1] [1, 8, 1] [1, 1, 1]
      : tensor<1x8xf32> into tensor<4x8x3xf32>
  %e = tensor.insert_slice %some into %x[3, 1, 2] [%one, 4, 1] [2, 2, 2]
      : tensor<?x4xf32> into tensor<4x8x3xf32>
  return %a, %b, %c, %d, %e
      : tensor<1x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<4x8x3xf32>, tensor<4x8x3xf32>
}

// What the trips of a parallel loop write.
func.func @parallel(%x: tensor<4x8x3xf32>, %y: tensor<4x8x3xf32>) -> tensor<4x8x3xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.subi %c2, %c1 : index
  %r = scf.forall (%i) in (3) shared_outs(%o = %y) -> (tensor<4x8x3xf32>) {
    %s = tensor.extract_slice %x[%c2, 1, %i] [%one, 4, 1] [1, 2, 2]
        : tensor<4x8x3xf32> to tensor<?x4xf32>
    %t = math.absf %s : tensor<?x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%c1, 0, %i] [%one, 4, 1] [2, 2, 2]
          : tensor<?x4xf32> into tensor<4x8x3xf32>
    }
  }
  return %r : tensor<4x8x3xf32>
}

// Views of memory: strides of known numbers, a size that becomes a constant, and strides that are all
// unknown, by which upstream takes one dimension for another.
func.func @views(%x: tensor<4x8x3xf32>, %y: tensor<?x?x?xf32>, %n: index, %s: index)
    -> (tensor<4x1xf32>, tensor<?x4xf32>, tensor<1x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = bufferization.to_buffer %x read_only : tensor<4x8x3xf32> to memref<4x8x3xf32>
  %a = memref.subview %m[1, 0, 2] [1, 4, 1] [2, 2, 2]
      : memref<4x8x3xf32> to memref<4x1xf32, strided<[6, 2], offset: 26>>
  %a_own = memref.alloc() : memref<4x1xf32>
  memref.copy %a, %a_own : memref<4x1xf32, strided<[6, 2], offset: 26>> to memref<4x1xf32>
  %b = memref.subview %m[2, 1, 2] [%c1, 4, 1] [2, 2, 2]
      : memref<4x8x3xf32> to memref<?x4xf32, strided<[48, 6], offset: 53>>
  %b_own = memref.alloc(%c1) : memref<?x4xf32>
  memref.copy %b, %b_own : memref<?x4xf32, strided<[48, 6], offset: 53>> to memref<?x4xf32>
  %all = bufferization.to_buffer %y read_only : tensor<?x?x?xf32> to memref<?x?x?xf32>
  %part = memref.subview %all[1, 1, 0] [2, %n, 2] [1, 1, %s]
      : memref<?x?x?xf32> to memref<2x?x2xf32, strided<[?, ?, ?], offset: ?>>
  %c = memref.subview %part[1, 0, %c1] [1, %n, 1] [%s, 1, 5]
      : memref<2x?x2xf32, strided<[?, ?, ?], offset: ?>>
        to memref<1x?xf32, strided<[?, ?], offset: ?>>
  %d = memref.dim %c, %c1 : memref<1x?xf32, strided<[?, ?], offset: ?>>
  %c_own = memref.alloc(%d) : memref<1x?xf32>
  memref.copy %c, %c_own : memref<1x?xf32, strided<[?, ?], offset: ?>> to memref<1x?xf32>
  %0 = bufferization.to_tensor %a_own restrict writable : memref<4x1xf32> to tensor<4x1xf32>
  %1 = bufferization.to_tensor %b_own restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  %2 = bufferization.to_tensor %c_own restrict writable : memref<1x?xf32> to tensor<1x?xf32>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<?x4xf32>, tensor<1x?xf32>
}
