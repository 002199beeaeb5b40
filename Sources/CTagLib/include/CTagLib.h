#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What TagLib says of a file's sound; 0 where it does not know. */
struct sona_tags_sound {
    int32_t duration_ms, bitrate_kbps, sample_rate, channels;
    /* Whether a picture is embedded. */
    int32_t has_picture;
};

/* Called for each value of each property, UTF-8, keys in TagLib's unified names ("ALBUMARTIST"); words with times of ID3v2 as
   "SYNCEDLYRICS", in LRC. */
typedef void (*sona_tags_property)(void *context, const char *key, const char *value);

/* Reads tags and sound properties of a file that is open for reading. The kind is one of mp3, flac, ogg, wav, aiff, wavPack, ape,
   asf, mp4, tta, musepack; others have no tags that TagLib 1.13 reads. 0, or -1 if the file is not of that kind. */
int sona_tags_read(int file, const char *kind, struct sona_tags_sound *sound, sona_tags_property property, void *context);

/* The picture that stands for the album: the front cover if one says so, else the first. 0, or -1 if there is none. The bytes are
   the context's to copy. */
int sona_tags_picture(
    int file, const char *kind, void (*take)(void *context, const unsigned char *bytes, size_t count), void *context);

#ifdef __cplusplus
}
#endif
