// The cover of a track, an album, an artist or a genre of the library; where there is none, a drawing of its identifier.
import {colorOf, cover} from './cover.js';

/** `{cover: {path, color} | null, id, album}`; `size` is '64', '256' or 'full'. A track without one looks like its album. */
export const musicCover = ({cover: picture = null, id = '', album = null}, size = '256') => {
  const element = cover({artwork: picture?.path ? `${picture.path}/${size}` : null, id: album?.id ?? id});
  if (picture?.color) element.style.background = picture.color;
  return element;
};

/** The colour by which a page may be tinted while it is shown. */
export const colorOfMusic = ({cover: picture = null, id = '', album = null}) => colorOf({picture, id: album?.id ?? id});
