// all_reduce of memory: its result is memory of its own, its input stays as it is.
shard.grid @g(shape = 3)

func.func @dense(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4x3xf32>
  %m = bufferization.to_buffer %b : tensor<4x3xf32> to memref<4x3xf32>
  %r = shard.all_reduce %m on @g grid_axes = [0] : memref<4x3xf32> -> memref<4x3xf32>
  %sum = bufferization.to_tensor %r restrict : memref<4x3xf32> to tensor<4x3xf32>
  %same = bufferization.to_tensor %m restrict : memref<4x3xf32> to tensor<4x3xf32>
  return %sum, %same : tensor<4x3xf32>, tensor<4x3xf32>
}

// Every second column of a buffer, into memory with gaps, and from there by strides of the run into
// another type.
!part = memref<4x3xf32, strided<[6, 2]>>
!gaps = memref<4x3xf32, strided<[1, 9], offset: 5>>
!any = memref<4x3xf32, strided<[?, ?], offset: ?>>
func.func @strided(%x: tensor<4x6xf32>) -> (tensor<4x3xf32>, tensor<4x3xf64>) {
  %b = bufferization.alloc_tensor() copy(%x) : tensor<4x6xf32>
  %m = bufferization.to_buffer %b : tensor<4x6xf32> to memref<4x6xf32>
  %v = memref.subview %m[0, 0] [4, 3] [1, 2] : memref<4x6xf32> to !part
  %r = shard.all_reduce %v on @g grid_axes = [0] reduction = max : !part -> !gaps
  %own = memref.alloc() : memref<4x3xf32>
  memref.copy %r, %own : !gaps to memref<4x3xf32>
  %a = memref.cast %r : !gaps to !any
  %w = shard.all_reduce %a on @g grid_axes = [0]
      : !any -> memref<4x3xf64, strided<[?, ?], offset: ?>>
  %wide = memref.alloc() : memref<4x3xf64>
  memref.copy %w, %wide : memref<4x3xf64, strided<[?, ?], offset: ?>> to memref<4x3xf64>
  %most = bufferization.to_tensor %own restrict : memref<4x3xf32> to tensor<4x3xf32>
  %sum = bufferization.to_tensor %wide restrict : memref<4x3xf64> to tensor<4x3xf64>
  return %most, %sum : tensor<4x3xf32>, tensor<4x3xf64>
}

// Of run-time size, twice the same op, with a change of the memory between them, and once unused.
func.func @again(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %b = bufferization.alloc_tensor() copy(%x) : tensor<?xi32>
  %m = bufferization.to_buffer %b : tensor<?xi32> to memref<?xi32>
  %r = shard.all_reduce %m on @g grid_axes = [0] : memref<?xi32> -> memref<?xi32>
  linalg.fill ins(%zero : i32) outs(%m : memref<?xi32>)
  %s = shard.all_reduce %m on @g grid_axes = [0] : memref<?xi32> -> memref<?xi32>
  %unused = shard.all_reduce %m on @g grid_axes = [0] : memref<?xi32> -> memref<?xi32>
  %sum = bufferization.to_tensor %r restrict : memref<?xi32> to tensor<?xi32>
  %none = bufferization.to_tensor %s restrict : memref<?xi32> to tensor<?xi32>
  return %sum, %none : tensor<?xi32>, tensor<?xi32>
}
