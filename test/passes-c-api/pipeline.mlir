// The passes run in a compiler that links them: by pipeline, by name, by constructor.
// RUN: %build/bin/passes-c-api %s 'builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s
// RUN: %build/bin/passes-c-api %s --pass propagate '' --pass partition '' | FileCheck %s
// RUN: %build/bin/passes-c-api %s 'builtin.module(tessera-pipeline)' | FileCheck %s --check-prefix=LOWERED
// RUN: not %build/bin/passes-c-api %s --pass propagate 'no-such-option=1' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// RUN: not %build/bin/passes-c-api %s 'builtin.module(func.func(tessera-propagate))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ANCHOR

// OPTION: tessera-propagate
// ANCHOR: error: 'tessera-propagate' needs a whole 'builtin.module', but was run on 'func.func'

shard.grid @g(shape = 4)
// CHECK: func.func @double(%{{.*}}: tensor<2x4xf32>
// CHECK-NOT: shard.shard
// LOWERED: func.func @tessera.fn.double({{.*}}) -> memref<2x4xf32>
// LOWERED-NOT: tensor<2x4xf32>
func.func @double(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x4xf32>
  %0 = arith.addf %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
