// libpng's simplified interface, png_image_*, 1.6: errors come back as codes, not through setjmp. Everything imports
// as it is.
#include <png.h>
