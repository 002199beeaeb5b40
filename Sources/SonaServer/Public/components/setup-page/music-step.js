// The music folders that the server was started with, and their scans as they go on.
import {folderCard} from '../admin-page/folder-card.js';
import {folderHelp} from '../admin-page/folder-help.js';
import {ask} from '../admin-page/parts.js';
import {polling} from '../admin-page/polling.js';
import {arrange, h} from '../../shell/dom.js';
import {describe, t, tn} from '../../store/i18n.js';

/** How often is asked while a scan runs, and while none does, ms. */
const SCANNING = 1000, IDLE = 5000;

export const musicStep = ({tell, signal}) => {
  const cards = new Map(), list = h('ul', {class: 'list folder-cards'}), help = h('div', {class: 'stack', hidden: true}, folderHelp());
  const status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
  const draw = (folders) => {
    status.textContent = '';
    help.hidden = folders.length > 0;
    for (const folder of folders) {
      if (!cards.has(folder.name)) cards.set(folder.name, folderCard(all => { draw(all); asking.again(); }));
      cards.get(folder.name).put(folder);
    }
    arrange(list, folders.map(({name}) => cards.get(name).element));
    const tracks = folders.reduce((sum, {tracks: count}) => sum + count, 0);
    if (folders.some(({scanning}) => scanning)) tell(t('setup.music.scanning'));
    else tell(tracks > 0 ? tn('setup.music.done', tracks) : '');
  };
  const asking = polling(async () => {
    try {
      const {folders} = await ask('library.folders');
      if (!signal.aborted) draw(folders);
      return folders.some(({scanning}) => scanning) ? SCANNING : IDLE;
    } catch (error) {
      status.textContent = describe(error);
      return IDLE;
    }
  });
  signal.addEventListener('abort', asking.end, {once: true});
  return [h('p', {}, t('setup.music.about')), h('h2', {class: 'visually-hidden'}, t('admin.folders')), list, help, status];
};
