# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The rounds of a side (sides.py) that is a function in Python. It must not know what it computes.

import contextlib
import re
import sys
import time
from pathlib import Path


def serve_rounds(call):
    """Runs `call` as often as lines of the input ask for, and tells its times, then the most MiB."""
    print("same", flush=True)
    with contextlib.suppress(OSError):  # the most memory is counted from here on
        Path("/proc/self/clear_refs").write_text("5")
    for line in sys.stdin:
        for _ in range(int(line)):
            begin = time.perf_counter()
            call()
            print("round", f"{1e3 * (time.perf_counter() - begin):.4f}", flush=True)
    status = Path("/proc/self/status").read_text()
    most, files = (int(re.search(rf"{name}:\s*(\d+) kB", status)[1]) for name in ("VmHWM", "RssFile"))
    print("peak", (most - files) / 1024, flush=True)  # without mapped files, which stay
