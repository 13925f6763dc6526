# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# How lit runs the tests: every .mlir and .test file below test/, with the tools of this build.

import os
import shlex

import lit.formats

config.name = "tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "project"]
config.test_source_root = config.tessera_test
config.test_exec_root = config.tessera_build + "/test/lit"

bin_dir = config.tessera_build + "/bin"


def substitute(name, *words):
    config.substitutions.append((name, " ".join(shlex.quote(word) for word in words)))


mlir_opt = os.path.join(config.llvm_tools, "mlir-opt")
sanitize = config.sanitize.upper() in ("ON", "1", "TRUE", "YES")
# An instrumented plugin in a tool that is not needs the sanitizer's library from the start.
preload = ["env", "LD_PRELOAD=" + config.asan_library] if sanitize else []
substitute(
    "%mlir_opt",
    *preload,
    mlir_opt,
    "--load-pass-plugin=" + config.tessera_plugin,
    "--load-dialect-plugin=" + config.tessera_plugin,
)
# Upstream's tool alone, for what must be readable without us.
substitute("%stock_mlir_opt", mlir_opt)
substitute("%tesserac", os.path.join(bin_dir, "tesserac"))
substitute("%tessera_check", os.path.join(bin_dir, "tessera-check"))
substitute("%tessera_run", os.path.join(bin_dir, "tessera-run"))
substitute("%source", os.path.dirname(config.tessera_test))
substitute("%build", config.tessera_build)
substitute("%mpirun", config.mpiexec, "--oversubscribe")

# FileCheck, not, count, split-file.
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, os.environ["PATH"]])
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    config.environment[name] = "1"
for name in os.environ:
    if name.split("_")[0] in ("HOME", "TMPDIR", "ASAN", "UBSAN", "OMPI", "PRTE", "TESSERA"):
        config.environment[name] = os.environ[name]

# Nothing is taken from the user's cache, and nothing put there.
config.environment["TESSERA_CACHE"] = "none"

# What a test may ask for by REQUIRES.
for tool in ("tesserac", "tessera-check", "tessera-run"):
    if os.path.exists(os.path.join(bin_dir, tool)):
        config.available_features.add(tool)
if os.path.exists(config.mpiexec):
    config.available_features.add("mpi")
if sanitize:
    config.available_features.add("sanitize")
# Code for GPUs that clang makes when Tessera is built.
if os.path.exists(os.path.join(config.tessera_build, "lib", "libtessera_device_cuda.so")):
    config.available_features.add("clang")
