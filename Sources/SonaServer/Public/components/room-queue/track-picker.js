// Music of the library for the queue of a room: searched, and added with one press each.
import {musicCover} from '../cover/music-cover.js';
import {dialog} from '../../shell/dialogs.js';
import {arrange, debounced, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';

await Promise.all([i18n.also('order.'), looks('track-picker.css', import.meta.url)]);

const DELAY = 300, SHOWN = 50;

/** Opens the search. `add(track)` puts a track into the queue, and may throw what the server refused. */
export const openTrackPicker = (add) => {
  const list = h('ul', {class: 'list picker-list', tabindex: '-1'}), status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
  let asked = 0;
  const row = (track) => {
    const said = h('span', {class: 'small error', role: 'alert'});
    const button = h('button', {
      type: 'button', class: 'picker-row', 'aria-label': t('picker.add', {title: track.title}),
      onclick: async () => {
        if (button.getAttribute('aria-busy') === 'true' || button.hasAttribute('data-added')) return;
        button.setAttribute('aria-busy', 'true');
        said.textContent = '';
        try {
          await add(track);
          button.toggleAttribute('data-added', true);
          button.lastElementChild.replaceWith(icon('check'));
          button.setAttribute('aria-label', t('picker.added', {title: track.title}));
        } catch (error) { said.textContent = describe(error); }
        button.removeAttribute('aria-busy');
      },
    }, musicCover(track, '64'), h('span', {class: 'picker-words'},
      h('strong', {class: 'truncate', dir: 'auto'}, track.title),
      h('span', {class: 'muted small truncate', dir: 'auto'}, track.artists.map(({name}) => name).join(', ')), said), icon('plus'));
    return h('li', {}, button);
  };
  const search = async () => {
    const query = input.value.trim(), number = asked += 1;
    try {
      const {tracks} = query ? await askPatiently('search', {query, kind: 'tracks', limit: SHOWN}) : await askPatiently('library.list', {sort: 'added', limit: SHOWN});
      // An earlier answer never comes over a later one.
      if (number !== asked) return;
      arrange(list, tracks.map(row));
      status.textContent = tracks.length ? '' : t('picker.nothing');
    } catch (error) { if (number === asked) status.textContent = describe(error); }
  };
  const later = debounced(DELAY, search);
  const input = h('input', {type: 'search', 'aria-label': t('picker.find'), placeholder: t('picker.find'), autocomplete: 'off', oninput: later});
  const element = dialog({title: t('picker'), body: [h('div', {class: 'search', role: 'search'}, icon('search'), input), list, status]});
  element.classList.add('picker-dialog');
  search();
  return element;
};
