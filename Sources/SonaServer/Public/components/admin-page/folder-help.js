// How a server gets a music folder: folders are named when it starts, never over the network.
import {command} from './parts.js';
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';

/** Commands and lines that name a folder, to be copied. Source: deploy/configuration.md, "music". */
export const folderHelp = () => [
  h('p', {}, t('admin.folders.none.about')),
  command('sona serve --music "Music=/srv/music"', t('admin.folders.none.command')),
  h('p', {}, t('admin.folders.none.file')), command('music = Music=/srv/music', t('admin.folders.none.line')),
  h('p', {class: 'muted small'}, t('admin.folders.none.after')),
];
