// A program that calls libm (tanh of f64 has no polynomial) loads into a tool that does not.
// RUN: %tesserac %s -o %t.so
// RUN: %tessera_run %t.so --output %t.npy
func.func @main() -> tensor<4xf64> {
  %empty = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<4xf64>) {
  ^bb0(%out: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %t = math.tanh %f : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}
