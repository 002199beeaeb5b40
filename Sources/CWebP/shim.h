// libwebp: the decoder, the encoder and the picture it takes. Everything imports as it is.
#include <webp/decode.h>
#include <webp/encode.h>
