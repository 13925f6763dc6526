// Functions that are called inside other ops, in branches and in ops that run whole: annotated ones
// (which call others), plain ones, and scalar code.
// RUN-CHECK: --entry branches --grid 4,2x2,3
// RUN-CHECK: --entry repeats --grid 4,2x2,8
// RUN-CHECK: --entry bodies --grid 4,2x3
// RUN-CHECK: --entry generates --grid 4,2x3

shard.grid @g(shape = 4x1)

func.func private @inner(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %r = math.sin %a : tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

func.func private @annotated(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %b = arith.addf %a, %a : tensor<10x6xf32>
  %r = func.call @inner(%b) : (tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

func.func private @plain(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %r = arith.mulf %x, %x : tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

func.func private @square(%x: f32) -> f32 {
  %r = arith.mulf %x, %x : f32
  return %r : f32
}

// Called by name as well: the pieces of one call and the copy of the other do not mix.
func.func @branches(%x: tensor<10x6xf32>, %p: i1) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %r = scf.if %p -> tensor<10x6xf32> {
    %b = func.call @annotated(%a) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    scf.yield %b : tensor<10x6xf32>
  } else {
    %b = func.call @plain(%a) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    scf.yield %b : tensor<10x6xf32>
  }
  %c = func.call @annotated(%r) : (tensor<10x6xf32>) -> tensor<10x6xf32>
  return %c : tensor<10x6xf32>
}

func.func @repeats(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r:2 = scf.while (%i = %zero, %t = %a) : (index, tensor<10x6xf32>) -> (index, tensor<10x6xf32>) {
    %more = arith.cmpi slt, %i, %three : index
    scf.condition(%more) %i, %t : index, tensor<10x6xf32>
  } do {
  ^bb0(%i: index, %t: tensor<10x6xf32>):
    %next = arith.addi %i, %one : index
    %u = func.call @annotated(%t) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    scf.yield %next, %u : index, tensor<10x6xf32>
  }
  return %r#1 : tensor<10x6xf32>
}

func.func @bodies(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %e = tensor.empty() : tensor<10x6xf32>
  %r = linalg.map ins(%a : tensor<10x6xf32>) outs(%e : tensor<10x6xf32>) (%v: f32, %o: f32) {
    %q = func.call @square(%v) : (f32) -> f32
    linalg.yield %q : f32
  }
  return %r : tensor<10x6xf32>
}

func.func @generates(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<10x6xf32>
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %b = func.call @annotated(%a) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %c = func.call @plain(%b) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %v = tensor.extract %c[%i, %j] : tensor<10x6xf32>
    tensor.yield %v : f32
  } : tensor<10x6xf32>
  %r = func.call @annotated(%g) : (tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}
