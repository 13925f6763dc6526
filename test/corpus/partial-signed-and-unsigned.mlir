// Partial values of integers that say whether they have a sign, of which arith knows no constants.
// RUN-CHECK: --entry ui8 --grid 2x2,1x3,4x2 --seed 1
// RUN-CHECK: --entry si16 --grid 2x2,1x3,4x2 --seed 1
// RUN-CHECK: --entry ui32 --grid 2x2,1x3,4x2 --seed 1
// RUN-CHECK: --entry si64 --grid 2x2,1x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @ui8(%x_in: tensor<9x6xui8>) -> (tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x6xui8>
  %s_max = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial max>]]} : !shard.sharding
  %max = shard.shard %x to %s_max annotate_for_users : tensor<9x6xui8>
  %s_min = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial min>]]} : !shard.sharding
  %min = shard.shard %max to %s_min annotate_for_users : tensor<9x6xui8>
  %s_sum = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %sum = shard.shard %x to %s_sum annotate_for_users : tensor<9x6xui8>
  %s_product = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial product>]]} : !shard.sharding
  %product = shard.shard %sum to %s_product annotate_for_users : tensor<9x6xui8>
  %s_average = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial average>]]} : !shard.sharding
  %average = shard.shard %x to %s_average annotate_for_users : tensor<9x6xui8>
  %s_bitwise_and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %bitwise_and = shard.shard %average to %s_bitwise_and annotate_for_users : tensor<9x6xui8>
  %s_bitwise_or = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %bitwise_or = shard.shard %x to %s_bitwise_or annotate_for_users : tensor<9x6xui8>
  %s_bitwise_xor = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_xor>]]} : !shard.sharding
  %bitwise_xor = shard.shard %bitwise_or to %s_bitwise_xor annotate_for_users : tensor<9x6xui8>
  return %max, %min, %sum, %product, %average, %bitwise_and, %bitwise_or, %bitwise_xor
      : tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>, tensor<9x6xui8>
}

func.func @si16(%x_in: tensor<9x6xsi16>) -> (tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x6xsi16>
  %s_max = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial max>]]} : !shard.sharding
  %max = shard.shard %x to %s_max annotate_for_users : tensor<9x6xsi16>
  %s_min = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial min>]]} : !shard.sharding
  %min = shard.shard %max to %s_min annotate_for_users : tensor<9x6xsi16>
  %s_sum = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %sum = shard.shard %x to %s_sum annotate_for_users : tensor<9x6xsi16>
  %s_product = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial product>]]} : !shard.sharding
  %product = shard.shard %sum to %s_product annotate_for_users : tensor<9x6xsi16>
  %s_average = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial average>]]} : !shard.sharding
  %average = shard.shard %x to %s_average annotate_for_users : tensor<9x6xsi16>
  %s_bitwise_and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %bitwise_and = shard.shard %average to %s_bitwise_and annotate_for_users : tensor<9x6xsi16>
  %s_bitwise_or = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %bitwise_or = shard.shard %x to %s_bitwise_or annotate_for_users : tensor<9x6xsi16>
  %s_bitwise_xor = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_xor>]]} : !shard.sharding
  %bitwise_xor = shard.shard %bitwise_or to %s_bitwise_xor annotate_for_users : tensor<9x6xsi16>
  return %max, %min, %sum, %product, %average, %bitwise_and, %bitwise_or, %bitwise_xor
      : tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>, tensor<9x6xsi16>
}

func.func @ui32(%x_in: tensor<9x6xui32>) -> (tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x6xui32>
  %s_max = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial max>]]} : !shard.sharding
  %max = shard.shard %x to %s_max annotate_for_users : tensor<9x6xui32>
  %s_min = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial min>]]} : !shard.sharding
  %min = shard.shard %max to %s_min annotate_for_users : tensor<9x6xui32>
  %s_sum = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %sum = shard.shard %x to %s_sum annotate_for_users : tensor<9x6xui32>
  %s_product = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial product>]]} : !shard.sharding
  %product = shard.shard %sum to %s_product annotate_for_users : tensor<9x6xui32>
  %s_average = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial average>]]} : !shard.sharding
  %average = shard.shard %x to %s_average annotate_for_users : tensor<9x6xui32>
  %s_bitwise_and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %bitwise_and = shard.shard %average to %s_bitwise_and annotate_for_users : tensor<9x6xui32>
  %s_bitwise_or = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %bitwise_or = shard.shard %x to %s_bitwise_or annotate_for_users : tensor<9x6xui32>
  %s_bitwise_xor = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_xor>]]} : !shard.sharding
  %bitwise_xor = shard.shard %bitwise_or to %s_bitwise_xor annotate_for_users : tensor<9x6xui32>
  return %max, %min, %sum, %product, %average, %bitwise_and, %bitwise_or, %bitwise_xor
      : tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>, tensor<9x6xui32>
}

func.func @si64(%x_in: tensor<9x6xsi64>) -> (tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x6xsi64>
  %s_max = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial max>]]} : !shard.sharding
  %max = shard.shard %x to %s_max annotate_for_users : tensor<9x6xsi64>
  %s_min = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial min>]]} : !shard.sharding
  %min = shard.shard %max to %s_min annotate_for_users : tensor<9x6xsi64>
  %s_sum = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %sum = shard.shard %x to %s_sum annotate_for_users : tensor<9x6xsi64>
  %s_product = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial product>]]} : !shard.sharding
  %product = shard.shard %sum to %s_product annotate_for_users : tensor<9x6xsi64>
  %s_average = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial average>]]} : !shard.sharding
  %average = shard.shard %x to %s_average annotate_for_users : tensor<9x6xsi64>
  %s_bitwise_and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %bitwise_and = shard.shard %average to %s_bitwise_and annotate_for_users : tensor<9x6xsi64>
  %s_bitwise_or = shard.sharding @g split_axes = [[]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %bitwise_or = shard.shard %x to %s_bitwise_or annotate_for_users : tensor<9x6xsi64>
  %s_bitwise_xor = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_xor>]]} : !shard.sharding
  %bitwise_xor = shard.shard %bitwise_or to %s_bitwise_xor annotate_for_users : tensor<9x6xsi64>
  return %max, %min, %sum, %product, %average, %bitwise_and, %bitwise_or, %bitwise_xor
      : tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>, tensor<9x6xsi64>
}
