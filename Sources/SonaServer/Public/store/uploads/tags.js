// The tags of one or several tracks as a form has them: text of each field, and what of it is a change. No DOM.
// Source: Protocol/spec/tracks.md, "track.update".

/** What stands between several names. A comma would be part of "Earth, Wind & Fire". */
export const BETWEEN = '; ';
export const NAMES_MAX = 16, BYTES_MAX = 500;

/** The fields: those that hold several names, one line, or a number. */
export const KINDS = {title: 'line', artists: 'names', album: 'line', album_artists: 'names', year: 'number', disc: 'number', place: 'number', genres: 'names'};
/** The fields that make sense for several tracks at once. */
export const SHARED = ['artists', 'album', 'album_artists', 'year', 'disc', 'genres'];

export const namesIn = text => [...new Set(text.split(';').map(name => name.trim()).filter(Boolean))];

/** The text of a field of a track. `albums` has the artists of albums by the album's id. */
export const textOf = (track, field, albums = new Map()) => {
  switch (field) {
    case 'title': return track.title;
    case 'album': return track.album?.name ?? '';
    case 'album_artists': return (track.album && albums.get(track.album.id) || []).join(BETWEEN);
    case 'artists': case 'genres': return track[field].map(({name}) => name).join(BETWEEN);
    default: return track[field] === null ? '' : String(track[field]);
  }
};

/** The text that all tracks have in a field, or null where they differ. */
export const sharedText = (tracks, field, albums) => {
  const [first, ...others] = tracks.map(track => textOf(track, field, albums));
  return others.every(text => text === first) ? first : null;
};

/** The value that `track.update` takes for the text of a field. */
export const valueOf = (field, text) => {
  if (KINDS[field] === 'names') return namesIn(text);
  return KINDS[field] === 'number' ? Number(text || 0) : text.trim();
};

/** The key of what is wrong with the text of a field, or null. `bytes(text)` says how long a text is for the server. */
export const faultIn = (field, text, bytes) => {
  if (KINDS[field] === 'number') return /^\d{0,4}$/.test(text.trim()) ? null : 'uploads.tags.number';
  if (field === 'title' && !text.trim()) return 'field.needed';
  const names = KINDS[field] === 'names' ? namesIn(text) : [text.trim()];
  if (names.length > NAMES_MAX) return 'uploads.tags.too-many';
  return names.some(name => bytes(name) > BYTES_MAX) ? 'field.too-long' : null;
};

/**
 * What `track.update` has to be told so that a track has these texts: the fields whose text differs from the track's.
 * `texts` has the fields that were typed in.
 */
export const changesOf = (track, texts, albums) => Object.fromEntries(Object.entries(texts)
  .filter(([field, text]) => text.trim() !== textOf(track, field, albums).trim())
  .map(([field, text]) => [field, valueOf(field, text)]));
