// x ^ x and comparisons of x with itself, which upstream folds to constants, of sizes of the run.
func.func @folds(%a: tensor<?x3xi32>, %i: tensor<?xindex>) -> (tensor<?x3xi32>, tensor<?xindex>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>) {
  %x = arith.xori %a, %a : tensor<?x3xi32>
  %n = arith.xori %i, %i : tensor<?xindex>
  %eq = arith.cmpi eq, %a, %a : tensor<?x3xi32>
  %ne = arith.cmpi ne, %a, %a : tensor<?x3xi32>
  %slt = arith.cmpi slt, %a, %a : tensor<?x3xi32>
  %sle = arith.cmpi sle, %a, %a : tensor<?x3xi32>
  %sgt = arith.cmpi sgt, %a, %a : tensor<?x3xi32>
  %sge = arith.cmpi sge, %a, %a : tensor<?x3xi32>
  %ult = arith.cmpi ult, %a, %a : tensor<?x3xi32>
  %ule = arith.cmpi ule, %a, %a : tensor<?x3xi32>
  %ugt = arith.cmpi ugt, %a, %a : tensor<?x3xi32>
  %uge = arith.cmpi uge, %a, %a : tensor<?x3xi32>
  return %x, %n, %eq, %ne, %slt, %sle, %sgt, %sge, %ult, %ule, %ugt, %uge : tensor<?x3xi32>, tensor<?xindex>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>, tensor<?x3xi1>
}
