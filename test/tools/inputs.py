# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Makes folders and archives of arrays, whole and damaged, and compares what was written, with numpy.
# It must not know how programs run.
"""usage: inputs.py make | inputs.py compare GOT WANT.npy[=NAME]..."""
import os
import struct
import sys
import zipfile

import numpy as np


def load(name):
    return np.load(name + ".npy")


def save_folder(folder, **arrays):
    os.makedirs(folder)
    for name, array in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), array)


def patched(source, target, change):
    data = bytearray(open(source, "rb").read())
    with open(target, "wb") as file:
        file.write(change(data) or data)


def flip_data(data):
    data[data.index(b"}", data.index(b"NUMPY")) + 80] ^= 1


def large_list(data):
    """The same archive with its numbers in zip64 records, as one of more than 4 GiB has them."""
    end = data.rindex(b"PK\5\6")
    count, size, start = struct.unpack_from("<HII", data, end + 10)
    entries, at, listed = [], start, bytearray()
    for _ in range(count):
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        stored, length, offset = *struct.unpack_from("<II", data, at + 20), *struct.unpack_from("<I", data, at + 42)
        record = bytearray(data[at:at + 46])
        struct.pack_into("<II", record, 20, 0xFFFFFFFF, 0xFFFFFFFF)
        struct.pack_into("<I", record, 42, 0xFFFFFFFF)
        field = struct.pack("<HHHH", 0x9999, 2, 7, 1)[:6] + struct.pack("<HHQQQ", 1, 24, length, stored, offset)
        struct.pack_into("<HH", record, 30, len(field), 0)
        listed += record + data[at + 46:at + 46 + name] + field
        at += 46 + name + extra + comment
    data = data[:start] + listed
    place = len(data)
    data += b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(listed), start)
    data += b"PK\6\7" + struct.pack("<IQI", 0, place, 1)
    return data + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def make():
    a, b = load("a"), load("b")
    save_folder("named", b=b, a=a)
    open("named/README.txt", "w").write("no array\n")
    open("named/.hidden.npy", "w").write("no array\n")
    os.mkdir("named/more")
    save_folder("slip", a=a, c=b)
    save_folder("extra", a=a, b=b, c=b)
    save_folder("ordered", **{"x2": a, "x10": b})
    os.mkdir("empty")
    np.savez("named.npz", b=np.asfortranarray(b), a=a)
    np.savez("ordered.npz", a, b)
    np.savez("slip.npz", a=a, c=b)
    np.savez("none.npz")
    np.savez_compressed("compressed.npz", a=a, b=b)
    np.savez("scalars.npz", load("count"), load("factor"), load("zero_d"))
    np.savez("nothing.npz", x=np.zeros((0, 3), "f4"))
    np.savez("bf16.npz", load("moved_bf16"))
    np.savez("i4.npz", load("moved_i4"))
    np.savez("i1.npz", load("moved_i1"))
    with zipfile.ZipFile("named.npz") as source, zipfile.ZipFile("reordered.npz", "w") as target:
        target.writestr("notes.txt", "no array")
        for name, new in (("b", "arr_10"), ("a", "arr_2")):
            target.writestr(new + ".npy", source.read(name + ".npy"))
        target.comment = b"PK\5\6 is not the end"
    with zipfile.ZipFile("twice.npz", "w") as target:
        for _ in range(2):
            target.writestr("a.npy", open("a.npy", "rb").read())
    with zipfile.ZipFile("text.npz", "w") as target:
        target.writestr("a.npy", "not an array")
        target.writestr("b.npy", "not an array")
    patched("named.npz", "cut.npz", lambda data: data[:-30])
    patched("named.npz", "short.npz", lambda data: data[100:])
    patched("named.npz", "damaged.npz", flip_data)
    patched("named.npz", "large.npz", large_list)
    assert np.array_equal(np.load("large.npz")["a"], a)
    open("zero.npz", "w").close()


def compare(got, wanted):
    """Exact in type, shape and bits, and nothing more is there."""
    if os.path.isdir(got):
        names = sorted(name[:-4] for name in os.listdir(got))
        arrays = {name: np.load(os.path.join(got, name + ".npy")) for name in names}
    else:
        with zipfile.ZipFile(got) as archive:
            assert archive.testzip() is None
        arrays = dict(np.load(got))
    pairs = [pair.split("=") for pair in wanted]
    assert sorted(arrays) == sorted(pair[1] for pair in pairs), sorted(arrays)
    for file, name in pairs:
        want = np.load(file)
        assert arrays[name].dtype == want.dtype and arrays[name].shape == want.shape, name
        if want.dtype.kind == "V" or not want.dtype.kind == "f":
            assert arrays[name].tobytes() == want.tobytes(), name
        else:
            assert np.allclose(arrays[name], want, rtol=1e-5, atol=1e-5), name


if sys.argv[1] == "make":
    make()
else:
    compare(sys.argv[2], sys.argv[3:])
