// How much louder or softer a track is played, so that all sound about as loud: EBU R 128, as the library measures it.

/** What tracks are brought to, LUFS; how much louder one may be made, dB; where peaks may reach, dBTP. */
const TARGET = -18, UP_MAX = 6, PEAK = -1;

/**
 * The gain of a track, dB. Louder only as far as its peak allows; without a known peak never louder.
 *
 * @param loudness Hundredths of LUFS, or null.
 * @param peak The largest sample, 0 to 1, or null.
 */
export const gainOfTrack = (loudness, peak = null) => {
  if (loudness === null || loudness === undefined || loudness <= -7000) return 0;
  const wanted = TARGET - loudness / 100;
  if (wanted <= 0) return wanted;
  const room = peak > 0 ? PEAK - 20 * Math.log10(peak) : 0;
  return Math.max(0, Math.min(wanted, room, UP_MAX));
};

export const linear = (decibels) => 10 ** (decibels / 20);
