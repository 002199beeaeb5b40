// libogg, of which Sona uses the page checksum. Everything imports as it is.
#include <ogg/ogg.h>
