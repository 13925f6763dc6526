// feed_forward_4.mlir with annotations on the arguments alone.

module attributes {mpi.dlti = #dlti.map<"MPI:Implementation" = "MPICH",
                                        "MPI:comm_world_size" = 4,
                                        "MPI:comm_world_rank" = 0>} {
shard.grid @grid(shape = 4) {sym_visibility = "private"}

// What a host program calls to make the buffers: each device gets its own piece.
func.func @alloc_activation() -> tensor<128x512xf32> attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %empty = tensor.empty() : tensor<128x512xf32>
  %defined = shard.shard %empty to %sharding : tensor<128x512xf32>
  %used = shard.shard %defined to %sharding annotate_for_users : tensor<128x512xf32>
  return %used : tensor<128x512xf32>
}

func.func @alloc_weight_in() -> tensor<512x256xf32> attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %empty = tensor.empty() : tensor<512x256xf32>
  %defined = shard.shard %empty to %sharding : tensor<512x256xf32>
  %used = shard.shard %defined to %sharding annotate_for_users : tensor<512x256xf32>
  return %used : tensor<512x256xf32>
}

func.func @alloc_weight_out() -> tensor<256x512xf32> attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %empty = tensor.empty() : tensor<256x512xf32>
  %defined = shard.shard %empty to %sharding : tensor<256x512xf32>
  %used = shard.shard %defined to %sharding annotate_for_users : tensor<256x512xf32>
  return %used : tensor<256x512xf32>
}

// And to see a distributed value as a whole.
func.func @gather_activation(%piece: tensor<128x512xf32>) -> tensor<128x512xf32>
    attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %defined = shard.shard %piece to %sharding : tensor<128x512xf32>
  %used = shard.shard %defined to %whole annotate_for_users : tensor<128x512xf32>
  return %used : tensor<128x512xf32>
}

func.func @gather_weight_in(%piece: tensor<512x256xf32>) -> tensor<512x256xf32>
    attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %defined = shard.shard %piece to %sharding : tensor<512x256xf32>
  %used = shard.shard %defined to %whole annotate_for_users : tensor<512x256xf32>
  return %used : tensor<512x256xf32>
}

func.func @gather_weight_out(%piece: tensor<256x512xf32>) -> tensor<256x512xf32>
    attributes {llvm.emit_c_interface} {
  %sharding = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %whole = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %defined = shard.shard %piece to %sharding : tensor<256x512xf32>
  %used = shard.shard %defined to %whole annotate_for_users : tensor<256x512xf32>
  return %used : tensor<256x512xf32>
}

func.func @feed_forward(%a_in: tensor<128x512xf32>, %b_in: tensor<512x256xf32>,
                        %c_in: tensor<256x512xf32>, %r_in: tensor<128x512xf32>)
    -> tensor<128x512xf32> attributes {llvm.emit_c_interface} {
  %act = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %w_in = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %w_out = shard.sharding @grid split_axes = [[0], []] : !shard.sharding

  %a = shard.shard %a_in to %act : tensor<128x512xf32>
  %b = shard.shard %b_in to %w_in : tensor<512x256xf32>
  %c = shard.shard %c_in to %w_out : tensor<256x512xf32>
  %r = shard.shard %r_in to %act : tensor<128x512xf32>

  %zero = arith.constant 0.0 : f32
  %mm0_empty = tensor.empty() : tensor<128x256xf32>
  %mm0_zero = linalg.fill ins(%zero : f32) outs(%mm0_empty : tensor<128x256xf32>)
      -> tensor<128x256xf32>
  %mm0 = linalg.matmul ins(%a, %b : tensor<128x512xf32>, tensor<512x256xf32>)
      outs(%mm0_zero : tensor<128x256xf32>) -> tensor<128x256xf32>
  %hidden = tosa.sigmoid %mm0 : (tensor<128x256xf32>) -> tensor<128x256xf32>

  %mm1_empty = tensor.empty() : tensor<128x512xf32>
  %mm1_zero = linalg.fill ins(%zero : f32) outs(%mm1_empty : tensor<128x512xf32>)
      -> tensor<128x512xf32>
  %mm1 = linalg.matmul ins(%hidden, %c : tensor<128x256xf32>, tensor<256x512xf32>)
      outs(%mm1_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
  %result = bufferization.materialize_in_destination %mm1 in %r
      : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
  return %result : tensor<128x512xf32>
}
}
