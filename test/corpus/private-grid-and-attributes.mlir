// A private grid that is declared after its use, a module with attributes, a named location.
// RUN-CHECK: --grid 1,2,4 --seed 1
module attributes {mpi.dlti = #dlti.map<"MPI:comm_world_rank" = 0>} {
  func.func @main(%x_in: tensor<10x4xf32>) -> tensor<10x4xf32> attributes {llvm.emit_c_interface} {
    %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
    %x = shard.shard %x_in to %s : tensor<10x4xf32>
    %y = arith.addf %x, %x {some.attribute} : tensor<10x4xf32> loc("sum")
    return %y : tensor<10x4xf32>
  }
  shard.grid @g(shape = 4) {sym_visibility = "private"}
}
