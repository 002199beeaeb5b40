// A button that plays what goes with an artist or a genre, where the server knows what that is.
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {heroButton} from './music-page.js';
import {startRadio} from '../track-menu/track-acts.js';

/** `seed` is `{artist}`, `{genre}` or `{playlist}`. Null where there is no radio. */
export const radioButton = (seed, name) => session.features.has('discovering')
  ? heroButton('wave', t('track.act.radio'), () => startRadio(seed, name).catch((error) => toast(describe(error), {kind: 'error'})), 'radio') : null;
