// The web player's files as they lie in Sources/SonaServer/Public, inside the program: an installed one needs nothing
// beside it.
#include <stddef.h>

struct sona_site_file {
    const char *path;  // From Public, without a slash at the beginning.
    const unsigned char *bytes;
    size_t size;
};

/// The file at an index counted from 0; NULL past the last.
const struct sona_site_file *sona_site_file_at(size_t index);
