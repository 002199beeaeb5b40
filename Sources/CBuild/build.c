#include "build.h"

#ifndef SONA_COMMIT
#define SONA_COMMIT ""
#endif

const char *sona_build_commit(void) { return SONA_COMMIT; }
