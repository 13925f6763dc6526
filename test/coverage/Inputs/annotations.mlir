// The annotations of the `mesh` documents in whole programs, each an entry: the oracle is the same
// program on one device. The mesh is the documents' 2x2x4.
mesh.mesh @mesh0(shape = 2x2x4)

func.func @replicated(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = mesh.sharding @mesh0 split_axes = [[]]
  %0 = mesh.shard %arg0 to %s : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @only_result_annotated(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @only_operand_annotated(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @two_operands_annotated(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>)
    -> tensor<4x16xf32> {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  %1 = mesh.shard %arg1 to %sharding annotate_for_users : tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x16xf32>)
    outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}
// Axis 2 of the document's example is dimension 0's here: its `[[2]]` is an axis of the mesh.
func.func @both_result_and_multi_operands_annotated(%arg0: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding : tensor<4x8xf32>
  %sharding1 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %1 = mesh.shard %0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %sharding2 = mesh.sharding @mesh0 split_axes = [[2]] : !mesh.sharding
  %2 = mesh.shard %0 to %sharding2 annotate_for_users : tensor<4x8xf32>
  %3 = math.exp %1 : tensor<4x8xf32>
  %4 = math.sin %2 : tensor<4x8xf32>
  return %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}
func.func @two_axes_on_a_dimension(%arg0: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %s = mesh.sharding @mesh0 split_axes = [[1], [2, 0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %s : tensor<4x10xf32>
  %1 = math.exp %0 : tensor<4x10xf32>
  return %1 : tensor<4x10xf32>
}
func.func @partial_sum(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = mesh.sharding @mesh0 split_axes = [[0], []] partial = sum[1]
  %0 = mesh.shard %arg0 to %s : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @partial_max(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sharding3 = mesh.sharding @mesh0 split_axes = [[0]] partial = max[1]
  %sharded0 = mesh.shard %arg0 to %sharding3 : tensor<4x8xf32>
  %1 = math.exp %sharded0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @halo(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %halo_sharding = mesh.sharding @mesh0 split_axes = [[0]] halo_sizes = [1, 2]
  %sharded1 = mesh.shard %arg0 to %halo_sharding : tensor<4x8xf32>
  %1 = math.exp %sharded1 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @halos_of_two_dimensions(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = mesh.sharding @mesh0 split_axes = [[0], [1]] halo_sizes = [1, 2, 2, 3]
  %0 = mesh.shard %arg0 to %s : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  %2 = mesh.shard %1 to %s : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// On mesh axis 2, which has the 4 devices of @mesh1d_4.
func.func @offsets(%arg0: tensor<4x14xf32>) -> tensor<4x14xf32> {
  %sharding4 = mesh.sharding @mesh0 split_axes = [[], [2]] sharded_dims_offsets = [0, 2, 5, 9, 14]
  %sharded2 = mesh.shard %arg0 to %sharding4 : tensor<4x14xf32>
  %1 = math.exp %sharded2 : tensor<4x14xf32>
  %2 = mesh.shard %1 to %sharding4 : tensor<4x14xf32>
  return %2 : tensor<4x14xf32>
}
func.func @offsets_of_two_dimensions(%arg0: tensor<32x32x32xf32>) -> tensor<32x32x32xf32> {
  %s = mesh.sharding @mesh0 split_axes = [[0], [1]] sharded_dims_offsets = [0, 24, 32, 0, 20, 32]
  %0 = mesh.shard %arg0 to %s : tensor<32x32x32xf32>
  %1 = math.exp %0 : tensor<32x32x32xf32>
  return %1 : tensor<32x32x32xf32>
}
// What the documents call undefined: the first in block order defines, the others are for users, and
// the result is right all the same.
func.func @annotate_on_same_result_with_different_sharding(%arg0: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 : tensor<4x8xf32>
  %2 = math.exp %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @annotate_on_same_result_same_value_with_different_sharding(%arg0: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 : tensor<4x8xf32>
  %1 = mesh.shard %arg0 to %sharding2 : tensor<4x8xf32>
  %2 = arith.addf %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @annotate_on_same_operand_with_different_sharding(%arg0: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 annotate_for_users : tensor<4x8xf32>
  %2 = math.exp %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @result_annotated_after_operand(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 : tensor<4x8xf32>
  %2 = math.exp %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
