// How much louder or softer a track is played, so that all sound about as loud: Protocol/spec/tracks.md, "Loudness".

/**
 * The gain of an entry, dB: that of its album where a neighbour on the album plays before or after it.
 *
 * @param entry `{track, isInOrder}`.
 */
export const gainOfEntry = ({track, isInOrder}) => ((isInOrder ? track.album_gain : null) ?? track.gain ?? 0) / 100;

export const linear = (decibels) => 10 ** (decibels / 20);
