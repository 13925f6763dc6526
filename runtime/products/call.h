/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What calls of products and of convolutions share.
 * It must not know how a device computes them. */
#ifndef TESSERA_RUNTIME_PRODUCTS_CALL_H
#define TESSERA_RUNTIME_PRODUCTS_CALL_H

#include "compiled/site_call.h"

/* TESSERA_ERROR_UNSUPPORTED where sums of products have no meaning for the types. */
tessera_status tr_products_check_types(tessera_dtype input, tessera_dtype output);

/* Has the context's workspace made if it is not there. */
tessera_status tr_products_begin(tessera_context *context);

#endif /* TESSERA_RUNTIME_PRODUCTS_CALL_H */
