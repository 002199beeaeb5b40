// The server's name: it stands in the configuration, so that the page shows how, and when it has changed.
import {command} from '../admin-page/parts.js';
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';
import {server} from '../../store/server.js';

export const nameStep = ({tell, signal}) => {
  const name = h('strong', {class: 'setup-name', dir: 'auto'});
  let before = server.title;
  const draw = () => {
    name.textContent = server.title;
    if (server.title !== before) tell(t('setup.name.done', {name: server.title}));
    before = server.title;
  };
  server.addEventListener('change', draw, {signal});
  draw();
  return [
    h('p', {}, t('setup.name.about')), h('p', {class: 'setup-is'}, h('span', {class: 'muted'}, t('setup.name.now')), ' ', name),
    h('p', {}, t('setup.name.file')), command('name = Our server', t('setup.name.line')),
    h('p', {}, t('setup.name.reload')), command('kill -HUP $(pidof sona)', t('setup.name.command')),
    h('p', {class: 'muted small'}, t('setup.name.more')),
  ];
};
