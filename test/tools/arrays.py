# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes the inputs of the hand-written program and compares its outputs, with numpy alone.
# It must not know how programs run.
"""usage: arrays.py make DIRECTORY | arrays.py compare GOT WANT [TOLERANCE]"""
import os
import sys

import numpy as np


def make(directory):
    random = np.random.RandomState(7)

    def save(name, array):
        np.save(os.path.join(directory, name + ".npy"), array)

    a = random.standard_normal((10, 7)).astype(np.float32)
    b = random.standard_normal((7, 5)).astype(np.float32)
    save("a", a)
    save("b", b)
    save("b_fortran", np.asfortranarray(b))
    save("c", a @ b)
    x = random.standard_normal(9)
    padded = np.concatenate([[0], x, [0]])
    save("nine", x)
    for halo in (-1, 0, 1, 7, 2**63 - 1):
        save(f"halo{halo}", np.array(halo, dtype="i8"))
    save("stencil", padded[:-2] + 10 * padded[1:-1] + 100 * padded[2:])
    save("twelve", np.arange(12, dtype=np.int32))
    x = random.standard_normal((3, 20)).astype(np.float32)
    save("factors", x)
    save("factors_plus_one", x + np.float32(1))
    save("count", np.int32(3))
    save("factor", np.float32(1.5))
    save("zero_d", np.float64(4.25))
    save("product", np.float32(4.5))
    save("twice_zero_d", np.float64(8.5))
    for rows in (0, 1, 11):
        x = random.standard_normal((rows, 3)).astype(np.float32)
        save("dynamic%d" % rows, x)
        save("twice_dynamic%d" % rows, 2 * x)
    bits = random.randint(0, 1 << 15, 7)
    save("moved_i1", bits % 2 == 1)
    save("moved_i4", (bits % 16 - 8).astype(np.int8))
    save("moved_i8", bits.astype(np.int8))
    save("moved_u16", bits.astype(np.uint16))
    save("moved_i64", bits.astype(np.int64) << 40)
    save("moved_index", bits.astype(np.int64))
    save("moved_f16", random.standard_normal(7).astype(np.float16))
    save("moved_bf16", bits.astype(np.uint16).view("V2"))
    save("bf16_bits", bits.astype(np.uint16))
    save("moved_f8", bits.astype(np.uint8).view("V1"))
    save("f8_bits", bits.astype(np.uint8))
    for width in (8, 16, 32, 64):
        low, high = 1 << (width - 1), (1 << width) - 1
        values = np.array([0, 1, low - 1, low, low + 1, high - 1, high], dtype="u%d" % (width // 8))
        save("unsigned%d" % width, values)
        save("signless%d" % width, values.view("i%d" % (width // 8)))
    complex_values = random.standard_normal(7) + 1j * random.standard_normal(7)
    save("moved_c64", complex_values.astype(np.complex64))
    save("moved_c128", complex_values)
    save("partial_sum_f16", random.standard_normal(7).astype(np.float16))
    save("partial_average_f32", random.standard_normal(7).astype(np.float32))
    save("partial_max_f32", random.standard_normal(7).astype(np.float32))
    with_nan = random.standard_normal(7).astype(np.float32)
    with_nan[2] = np.nan
    save("partial_maxnum_f32", with_nan)
    save("partial_min_i8", bits.astype(np.int8))
    save("partial_umin_i32", (bits << 16).astype(np.int32))
    save("partial_product_f64", random.standard_normal(7))
    save("partial_and_i64", bits.astype(np.int64) - 4000)
    save("partial_xor_i16", bits.astype(np.int16))
    for rank in range(4):
        save("rank%d" % rank, np.int64(rank))
    save("strings", np.array(["no", "numbers"]))
    save("double", a.astype(np.float64))
    save("big_endian", a.astype(">f4"))
    save("short_rows", a[:9])
    with open(os.path.join(directory, "truncated.npy"), "wb") as file:
        file.write(open(os.path.join(directory, "a.npy"), "rb").read()[:-4])
    with open(os.path.join(directory, "longer.npy"), "wb") as file:
        file.write(open(os.path.join(directory, "a.npy"), "rb").read() + b"tail")
    with open(os.path.join(directory, "text.npy"), "w") as file:
        file.write("not an array\n")


def compare(got, want, tolerance):
    got, want = np.load(got), np.load(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        print("got %s%s, want %s%s" % (got.dtype, got.shape, want.dtype, want.shape))
        return 1
    if got.dtype.kind == "V":
        equal = got.tobytes() == want.tobytes()
    else:
        equal = np.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not equal:
        print("got\n%s\nwant\n%s" % (got, want))
    return 0 if equal else 1


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    sys.exit(compare(sys.argv[2], sys.argv[3], float(sys.argv[4]) if len(sys.argv) > 4 else 0))
