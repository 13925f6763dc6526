// What `tessera.refined` names has the same devices, each axis as one or several.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-propagate)'

// expected-error @+1 {{'tessera.refined' of grid @grid is 'other': expected the name of a grid of the same devices, each axis as one or several}}
shard.grid @grid(shape = 4) {tessera.refined = @other}

// -----

// expected-error @+1 {{'tessera.refined' of grid @grid is 'fine': expected the name of a grid of the same devices, each axis as one or several}}
shard.grid @grid(shape = 4x2) {tessera.refined = @fine}
shard.grid @fine(shape = 2x4)

// -----

// expected-error @+1 {{'tessera.refined' of grid @grid is '': expected the name of a grid of the same devices, each axis as one or several}}
shard.grid @grid(shape = 4) {tessera.refined = 2}

// -----

// expected-error @+1 {{'tessera.refined' says nothing here: expected it on a 'grid'}}
func.func private @f() attributes {tessera.refined = @grid}

// -----

// expected-error @+1 {{'tessera.refined' of grid @grid leads to no last grid: expected grids that do not name each other in a circle}}
shard.grid @grid(shape = 4) {tessera.refined = @twin}
shard.grid @twin(shape = 4) {tessera.refined = @grid}
