# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Prints programs that are small and have many ways through them. usage: blow_up.py ways|plans|slices|updates N
import sys


def ways(num):
    """Elementwise ops behind a join, each of which reads all before it: no product anywhere."""
    whole, wide = "tensor<4x16xf32>", "affine_map<(i, j) -> (i, j)>"
    lines = ["shard.grid @g(shape = 2)",
             f"func.func @main(%a_in: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> {whole} {{",
             "  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding",
             "  %a = shard.shard %a_in to %s : tensor<4x8xf32>",
             f"  %y0 = tensor.concat dim(1) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> {whole}",
             f"  %e = tensor.empty() : {whole}"]
    for i in range(1, num):
        names = ", ".join(f"%y{k}" for k in range(i))
        arguments = "".join(f"%x{k}: f32, " for k in range(i))
        lines += [f"  %y{i} = linalg.generic {{indexing_maps = [{', '.join([wide] * (i + 1))}], "
                  'iterator_types = ["parallel", "parallel"]}',
                  f"      ins({names} : {', '.join([whole] * i)}) outs(%e : {whole}) {{",
                  f"  ^bb0({arguments}%o: f32):"]
        last = "%x0"
        for k in range(1, i):
            lines.append(f"    %s{k} = arith.addf {last}, %x{k} : f32")
            last = f"%s{k}"
        lines += [f"    %q = math.tanh {last} : f32", "    linalg.yield %q : f32", f"  }} -> {whole}"]
    return lines + [f"  return %y{num - 1} : {whole}", "}"]


def plans(num):
    """Partial products of different sizes, on a grid of many axes that they are not partial along."""
    head, lines, results = [], [], []
    for i in range(num):
        m, k, n = 64 * (i + 1), 64 * (i + 2), 64 * (i + 3)
        a, w, h = (f"tensor<64x{x}x{y}xf32>" for x, y in ((m, k), (k, n), (m, n)))
        head.append(f"%a{i}_in: {a}, %w{i}_in: {w}")
        results.append((f"%t{i}", h))
        lines += [f"  %a{i} = shard.shard %a{i}_in to %sa : {a}",
                  f"  %w{i} = shard.shard %w{i}_in to %sw : {w}",
                  f"  %e{i} = tensor.empty() : {h}",
                  f"  %z{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {h}) -> {h}",
                  f"  %h{i} = linalg.batch_matmul ins(%a{i}, %w{i} : {a}, {w}) outs(%z{i} : {h}) -> {h}",
                  f"  %t{i} = math.tanh %h{i} : {h}"]
    names, types = (", ".join(parts) for parts in zip(*results))
    return ["shard.grid @g(shape = 4x4x4x4x4)", f"func.func @main({', '.join(head)}) -> ({types}) {{",
            "  %sa = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding",
            "  %sw = shard.sharding @g split_axes = [[0], [1], []] : !shard.sharding",
            "  %zero = arith.constant 0.0 : f32", *lines, f"  return {names} : {types}", "}"]


def slices(num):
    """Equal parts of one product, each of them many times."""
    whole, part = "tensor<16x512xf32>", "tensor<16x8xf32>"
    lines = ["shard.grid @g(shape = 2)",
             f"func.func @main(%a_in: tensor<16x64xf32>, %w: tensor<64x512xf32>) -> {part} {{",
             "  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding",
             "  %a = shard.shard %a_in to %s : tensor<16x64xf32>",
             f"  %e = tensor.empty() : {whole}",
             "  %zero = arith.constant 0.0 : f32",
             f"  %z = linalg.fill ins(%zero : f32) outs(%e : {whole}) -> {whole}",
             f"  %p = linalg.matmul ins(%a, %w : tensor<16x64xf32>, tensor<64x512xf32>) outs(%z : {whole}) -> {whole}",
             f"  %t0 = tensor.extract_slice %p[0, 0] [16, 8] [1, 1] : {whole} to {part}"]
    for i in range(1, num):
        lines += [f"  %s{i} = tensor.extract_slice %p[0, {i % 64 * 8}] [16, 8] [1, 1] : {whole} to {part}",
                  f"  %t{i} = arith.addf %t{i - 1}, %s{i} : {part}"]
    return lines + [f"  return %t{num - 1} : {part}", "}"]


def updates(num):
    """A value that reads itself shifted, each time by twice as much, and is wanted by rows, not by the columns that
    it passes."""
    size = 8 << num
    whole, half = f"tensor<{size}x8xf32>", f"tensor<{size // 2}x8xf32>"
    lines = ["shard.grid @g(shape = 4)", f"func.func @main(%a: {whole}) -> {whole} {{",
             "  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding",
             "  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding",
             "  %all = shard.sharding @g split_axes = [[], []] : !shard.sharding",
             f"  %h0 = shard.shard %a to %all : {whole}"]
    for i in range(num):
        lines += [f"  %u{i} = tensor.extract_slice %h{i}[1, 0] [{size // 2}, 8] [1, 1] : {whole} to {half}",
                  f"  %h{i + 1} = tensor.insert_slice %u{i} into %h{i}[{1 + (1 << i)}, 0] [{size // 2}, 8] [1, 1] : "
                  f"{half} into {whole}"]
    return lines + [f"  %by_rows = shard.shard %h{num} to %rows : {whole}",
                    f"  %on_the_way = shard.shard %by_rows to %columns : {whole}",
                    f"  %back = shard.shard %on_the_way to %rows : {whole}",
                    f"  %r = shard.shard %back to %rows annotate_for_users : {whole}", f"  return %r : {whole}", "}"]


print("\n".join({"ways": ways, "plans": plans, "slices": slices, "updates": updates}[sys.argv[1]](int(sys.argv[2]))))
