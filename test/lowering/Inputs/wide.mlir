// What takes more than 64 bits: maximumf and minimumf, of which LLVM makes no code there (NaN wins, and
// -0 is less than 0), and division, which it calls a library for.
func.func @i128(%a: tensor<?xi64>, %b: tensor<?xi64>) -> tensor<?xi64> {
  %x = arith.extsi %a : tensor<?xi64> to tensor<?xi128>
  %y = arith.extsi %b : tensor<?xi64> to tensor<?xi128>
  %0 = arith.muli %x, %x : tensor<?xi128>
  %1 = arith.divsi %0, %y : tensor<?xi128>
  %2 = arith.trunci %1 : tensor<?xi128> to tensor<?xi64>
  return %2 : tensor<?xi64>
}
func.func @f80(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<?xi1>, tensor<?xi1>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tensor.splat %one[%n] : tensor<?xf32>
  %x = arith.extf %a : tensor<?xf32> to tensor<?xf80>
  %y = arith.extf %b : tensor<?xf32> to tensor<?xf80>
  %0 = arith.maximumf %x, %y : tensor<?xf80>
  %1 = arith.minimumf %x, %y : tensor<?xf80>
  %2 = arith.truncf %0 : tensor<?xf80> to tensor<?xf32>
  %3 = arith.truncf %1 : tensor<?xf80> to tensor<?xf32>
  %4 = math.copysign %ones, %2 : tensor<?xf32>
  %5 = math.copysign %ones, %3 : tensor<?xf32>
  %low = arith.constant dense<-9.0> : tensor<f80>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<?xf80>) outs(%low : tensor<f80>) dimensions = [0]
  %6 = arith.truncf %r : tensor<f80> to tensor<f32>
  %7 = arith.cmpf uno, %2, %2 : tensor<?xf32>
  %8 = arith.cmpf uno, %3, %3 : tensor<?xf32>
  return %2, %3, %4, %5, %6, %7, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<?xi1>, tensor<?xi1>
}
func.func @f128(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<?xi1>, tensor<?xi1>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tensor.splat %one[%n] : tensor<?xf32>
  %x = arith.extf %a : tensor<?xf32> to tensor<?xf128>
  %y = arith.extf %b : tensor<?xf32> to tensor<?xf128>
  %0 = arith.maximumf %x, %y : tensor<?xf128>
  %1 = arith.minimumf %x, %y : tensor<?xf128>
  %2 = arith.truncf %0 : tensor<?xf128> to tensor<?xf32>
  %3 = arith.truncf %1 : tensor<?xf128> to tensor<?xf32>
  %4 = math.copysign %ones, %2 : tensor<?xf32>
  %5 = math.copysign %ones, %3 : tensor<?xf32>
  %low = arith.constant dense<-9.0> : tensor<f128>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<?xf128>) outs(%low : tensor<f128>) dimensions = [0]
  %6 = arith.truncf %r : tensor<f128> to tensor<f32>
  %7 = arith.cmpf uno, %2, %2 : tensor<?xf32>
  %8 = arith.cmpf uno, %3, %3 : tensor<?xf32>
  return %2, %3, %4, %5, %6, %7, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<?xi1>, tensor<?xi1>
}
