// The picture of a playlist: its own; else the first four covers as a square, fewer as the first alone, none as a drawing.
import {cover} from './cover.js';
import {h} from '../../shell/dom.js';

/** `{id, picture?, covers}`; `size` is '64', '256' or 'full'. */
export const mosaic = ({id, picture = null, covers = []}, size = '256') => {
  if (picture) return cover({picture, id}, size === '64' ? '64' : 'full');
  if (covers.length < 4) {
    const element = cover({artwork: covers[0] ? `${covers[0].path}/${size}` : null, id});
    if (covers[0]?.color) element.style.background = covers[0].color;
    return element;
  }
  const small = size === 'full' ? '256' : '64';
  return h('span', {class: 'cover mosaic', 'aria-hidden': 'true'}, covers.slice(0, 4).map(({path, color}) => {
    const image = h('img', {src: `${path}/${small}`, alt: '', loading: 'lazy', decoding: 'async', onerror: ({target}) => target.remove()});
    const part = h('span', {}, image);
    if (color) part.style.background = color;
    return part;
  }));
};
