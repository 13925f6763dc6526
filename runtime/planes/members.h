/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which ranks take part in a call.
 * It must not know collectives. */
#ifndef TESSERA_RUNTIME_PLANES_MEMBERS_H
#define TESSERA_RUNTIME_PLANES_MEMBERS_H

/* Those along the site's axes, or all of the context. */
typedef enum tr_membership { TR_MEMBERS_OF_SITE, TR_MEMBERS_ALL } tr_membership;

#endif /* TESSERA_RUNTIME_PLANES_MEMBERS_H */
