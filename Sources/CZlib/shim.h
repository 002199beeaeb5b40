// zlib. deflateInit2 and inflateInit are macros, which Swift does not see.
#include <zlib.h>

static inline int sona_deflate_init(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY);
}

static inline int sona_inflate_init(z_stream *stream) {
    return inflateInit(stream);
}
