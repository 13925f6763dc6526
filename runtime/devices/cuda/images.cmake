# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Writes texts as arrays of C: OUTPUT, a header; FILES, each NAME.ptx becomes tr_cuda_NAME_ptx.
set(text "/* Made when Tessera is built: the device's own kernels. */\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const char tr_cuda_${name}_ptx[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
