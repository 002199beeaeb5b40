// A moment of a track as an address: `/track/<id>?t=<seconds>`. No DOM. Source: Protocol/spec/sharing.md, "Links".

/** The address of a track from `place` ms on, in whole seconds. */
export const momentPath = (id, place = 0) => {
  const seconds = Math.floor(place / 1000);
  return `/track/${id}${seconds > 0 ? `?t=${seconds}` : ''}`;
};

/** The place that an address's query names in a track, ms; 0 if it names none, and where only a preview is heard. */
export const placeOf = (query, {duration_ms: duration, access}) => {
  const text = new URLSearchParams(query).get('t') ?? '';
  if (!/^[0-9]{1,6}$/.test(text) || access === 'preview') return 0;
  const place = Number(text) * 1000;
  return place < duration ? place : 0;
};
