// A button that plays what goes with an artist or a genre, where the server knows what that is.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {startRadio} from '../track-menu/track-acts.js';

/** `seed` is `{artist}` or `{genre}`. Null where there is no radio. */
export const radioButton = (seed, name) => session.features.has('discovering') ? h('button', {
  type: 'button', class: 'hero-shuffle', onclick: () => startRadio(seed, name).catch((error) => toast(describe(error), {kind: 'error'})),
}, icon('wave'), t('track.act.radio')) : null;
