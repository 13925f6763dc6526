/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* With TESSERA_CHECK=1 a message of the program carries what it is: its receiver compares that. It
 * knows views and element types; it must not know how messages travel. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_LABEL_H
#define TESSERA_RUNTIME_COLLECTIVES_LABEL_H

#include "compiled/site_call.h"

/* As the backend's send and receive, from and to member `member` (-1: any) of the call's group. */
tessera_status tr_label_send(const tr_call *call, int32_t member, const tr_view *from);
tessera_status tr_label_receive(const tr_call *call, int32_t member, const tr_view *to);

#endif /* TESSERA_RUNTIME_COLLECTIVES_LABEL_H */
