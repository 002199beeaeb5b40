// libjpeg-turbo's TurboJPEG interface, 2.1: errors come back as codes, not through setjmp. Everything imports as it is.
#include <turbojpeg.h>
