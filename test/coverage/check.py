# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# The suite behind docs/coverage.md: the documents' examples, then what their text states. Knows the
# lists of cases and nothing of what is in them. usage: check.py BUILD [REGEX of module names]
import re
import sys
import tempfile

import collectives
import examples
import statements
from programs import Runner

build, wanted = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."

with tempfile.TemporaryDirectory() as folder:
    runner = Runner(build, folder)
    for module in [*examples.modules(), *collectives.modules(), collectives.every_reduction(),
                   *statements.modules()]:
        if re.search(wanted, module.name):
            runner.check_all(module)
sys.exit(runner.failures > 0)
