// Barriers. The statistics that are kept of the hidden layer must not have it split as they are: what is
// known of their copy does not pass the annotation back to it. It is moved there, once.
shard.grid @grid(shape = 4)

func.func @main(%input: tensor<64x64xf32>, %kept: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %any = shard.sharding @grid split_axes = [[]] {tessera.open} : !shard.sharding
  %statistics = shard.shard %kept to %columns : tensor<64x64xf32>
  %hidden = math.tanh %input : tensor<64x64xf32>
  %copy = shard.shard %hidden to %any {tessera.flow = "none"} : tensor<64x64xf32>
  %next = arith.addf %statistics, %copy : tensor<64x64xf32>
  return %hidden, %next : tensor<64x64xf32>, tensor<64x64xf32>
}
