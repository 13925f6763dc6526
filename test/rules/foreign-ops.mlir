// tessera.rule says how ops of other dialects are split: alike where letters are, whole at a dot, partial
// over letters that are combined. A rule that cannot be read has the op run whole, and says why.
// RUN: %mlir_opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize)' | FileCheck %s
// RUN: %mlir_opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(tessera-propagate)' 2>&1 >/dev/null | FileCheck %s --check-prefix=MISTAKE

shard.grid @g(shape = 2x2)

// CHECK-LABEL: @product
// CHECK: "my.product"({{.*}}) {{.*}} : (tensor<8x32xf32>, tensor<32x32xf32>, f32) -> tensor<8x32xf32>
// CHECK: shard.all_reduce {{.*}} grid_axes = [1]
func.func @product(%x_in: tensor<16x64xf32>, %w: tensor<64x32xf32>, %v: f32) -> tensor<16x32xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x64xf32>
  %z = "my.product"(%x, %w, %v) {tessera.rule = "bi, ik, -> bk; i = sum"} : (tensor<16x64xf32>, tensor<64x32xf32>, f32) -> tensor<16x32xf32>
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole_rows = shard.shard %z to %rows : tensor<16x32xf32>
  return %whole_rows : tensor<16x32xf32>
}

// A letter that no reduction combines, and a dot, stay whole; results have letters of their own.
// CHECK-LABEL: @rows
// CHECK: all_gather
// CHECK: "my.rows"({{.*}}) {{.*}} : (tensor<8x64xf32>) -> (tensor<8x5xf32>, tensor<8xi32>)
func.func @rows(%x_in: tensor<16x64xf32>) -> (tensor<16x5xf32>, tensor<16xi32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x64xf32>
  %y, %z = "my.rows"(%x) {tessera.rule = "bi -> b., b"} : (tensor<16x64xf32>) -> (tensor<16x5xf32>, tensor<16xi32>)
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %y to %rows : tensor<16x5xf32>
  %b = shard.shard %z to %rows : tensor<16xi32>
  return %a, %b : tensor<16x5xf32>, tensor<16xi32>
}

// -----

shard.grid @g(shape = 2)
func.func @mistakes(%x_in: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>, f32) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: 'my.op' runs whole on every device: its tessera.rule cannot be read: a letter stands for dimensions of different extents
  %a = "my.op"(%x) {tessera.rule = "ij -> ji"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: {{.*}}cannot be read: expected a letter, or '.', for each dimension
  %b = "my.op"(%x) {tessera.rule = "i -> ij"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: {{.*}}cannot be read: expected '->' behind the operands
  %c = "my.op"(%x) {tessera.rule = "ij, ij"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: {{.*}}cannot be read: expected '=' and a kind of reduction behind the letter (k = sum)
  %d = "my.op"(%x) {tessera.rule = "ij -> j; i = some"} : (tensor<16x8xf32>) -> tensor<8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: {{.*}}cannot be read: averages of pieces do not make the average of all: expected a sum
  %e = "my.op"(%x) {tessera.rule = "ij -> j; i = average"} : (tensor<16x8xf32>) -> tensor<8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: {{.*}}cannot be read: expected results that are tensors where devices combine them (tensor<f32> for a number)
  %f = "my.op"(%x) {tessera.rule = "ij -> ; i = sum, j = sum"} : (tensor<16x8xf32>) -> f32
  return %a, %b, %c, %d, %e, %f : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>, f32
}

// -----

// What is known of an op holds.
shard.grid @g(shape = 2)
func.func @known(%x_in: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x8xf32>
  // MISTAKE: [[@LINE+1]]:8: warning: the tessera.rule of 'math.tanh' is not read: it is for ops that are not known, and how this one may be split is; remove it
  %y = math.tanh %x {tessera.rule = "ij -> .."} : tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// Of a letter that no operand has a device could not know its part.
// CHECK-LABEL: @made
// CHECK: "my.make"({{.*}}) {{.*}} : (tensor<8x6xf32>) -> tensor<8x8xf32>
shard.grid @g(shape = 2)
func.func @made(%x: tensor<8x6xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %y = "my.make"(%x) {tessera.rule = "bi -> bk"} : (tensor<8x6xf32>) -> tensor<8x8xf32>
  %z = shard.shard %y to %s : tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}
