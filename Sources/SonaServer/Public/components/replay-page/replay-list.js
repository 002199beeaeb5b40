// The evenings that a room has kept, newest first: links to their pages.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {spoken} from './replay-words.js';

await i18n.also('replays.');

const PAGE = 10;

/** A section about a room; hidden while there is none. */
export const replayList = (room) => {
  let before = null;
  const list = h('ol', {class: 'list entries'});
  const failed = h('p', {class: 'muted small', role: 'alert', hidden: true});
  const older = h('button', {class: 'quiet small-button', type: 'button', hidden: true, onclick: () => load()}, t('replays.older'));
  const element = h('section', {class: 'stack replays', hidden: true}, h('h2', {class: 'row tight'}, icon('history'), t('replays')), list, failed, older);
  const row = ({id, start_ms: start, end_ms: end, plays}) => h('li', {class: 'entry'}, h('div', {class: 'grow'},
    h('p', {class: 'entry-title'}, h('a', {href: `/replay/${id}`}, i18n.date(start))),
    h('p', {class: 'small muted'}, [end === null ? t('replay.goes-on') : spoken(end - start), tn('replay.plays', plays)].join(' · '))));
  const load = async () => {
    older.disabled = true;
    failed.hidden = true;
    try {
      const page = await askPatiently('replay.list', {room: room.id, limit: PAGE, ...before ? {before} : {}});
      list.append(...page.replays.map(row));
      before = page.next_before;
      older.hidden = before === null;
      element.hidden = list.childElementCount === 0;
    } catch (error) {
      failed.textContent = describe(error);
      failed.hidden = false;
    } finally {
      older.disabled = false;
    }
  };
  load();
  return element;
};
