// Places in a track: the protocol counts microseconds, what is sent samples at 48 kHz.
export const microseconds = samples => Math.floor(samples * 125 / 6);
/** The sample nearest to a place. */
export const sampleAt = position => Math.round(position * 0.048);
