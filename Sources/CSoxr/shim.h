// The SoX resampler, of which Sona uses one stream at one ratio. Everything imports as it is.
#include <soxr.h>
