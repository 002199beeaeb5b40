// What looks wrong in the tags of a track: what somebody would want to correct after an upload. No DOM.

/** Titles that programs write, or that are a file's name: "Track 03", "03 - Song", "song_final.mp3", "AUD-20240101". */
const WRITTEN = /^(audio ?|track ?|titel ?|pista ?|utw[oó]r ?|ścieżka ?)\d+$|^\d{1,3}[ ._-]+\S|\.(mp3|flac|m4a|ogg|opus|wav|aiff?|wma|wv|ape)$|^(aud|rec|voice|vid)[-_ ]?\d{4,}|^untitled/i;
/** UTF-8 that was read as Latin-1, or letters that were lost. */
const GARBLED = /Ã[\u0080-\u00bf©¤¶¼³±¡]|Â[\u00a0-\u00bf]|Å[\u0080-\u00bf›‚„º¼]|\ufffd|\?{3}/;
const UNKNOWN = /^(unknown|various|no)[ _]?(artist|album|title)?s?$|^(nieznany|desconocid)/i;

const withoutEnd = name => name.replace(/\.[^.]{1,5}$/, '');

/**
 * What looks wrong: an array of `[field, reason]`. The reasons are `none`, `file`, `garbled` and `unknown`; a title, an
 * artist, an album and a year are looked at.
 *
 * @param fileName The name of the file where it is known.
 */
export const oddities = (track, fileName = null) => {
  const found = [], artists = track.artists.map(({name}) => name), album = track.album?.name ?? null;
  const look = (field, text) => {
    if (GARBLED.test(text)) found.push([field, 'garbled']);
    else if (UNKNOWN.test(text)) found.push([field, 'unknown']);
  };
  const isFileName = fileName !== null && withoutEnd(fileName).trim() === track.title.trim() && /[_\d]|-/.test(track.title);
  if (WRITTEN.test(track.title) || isFileName || track.title.includes('_') && !track.title.includes(' ')) found.push(['title', 'file']);
  else look('title', track.title);
  if (artists.length === 0) found.push(['artists', 'none']);
  else look('artists', artists.join(' '));
  if (album === null) found.push(['album', 'none']);
  else look('album', album);
  if (track.year === null) found.push(['year', 'none']);
  return found;
};
