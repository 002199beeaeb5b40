// How a track of the library is told in words.
import {h} from '../../shell/dom.js';
import {t} from '../i18n.js';

/** The artists of a track, each a link, with commas between them. */
export const artistsLine = ({artists}) => artists.length === 0
  ? [t('solo.unknown-artist')]
  : artists.flatMap(({id, name}, at) => [at > 0 ? ', ' : null, h('a', {class: 'plain-link', href: `/artist/${id}`, dir: 'auto'}, name)]).filter(Boolean);

/** The artists of a track in one line of text. */
export const artistsText = ({artists}) => artists.length === 0 ? t('solo.unknown-artist') : artists.map(({name}) => name).join(', ');
