// The base of the parts of the host's page: they are built once, and then follow the host.
import {toast} from '../../shell/toasts.js';
import {MINUTES_MAX, Unmixed, Unplayable} from '../../audio/hosting/files.js';
import {NoSound} from '../../audio/hosting/capture.js';
import {CannotEncode} from '../../audio/hosting/encoder.js';
import {NotLoaded} from '../../audio/hosting/not-loaded.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {NoFile, Refused} from '../../store/hosting/follower.js';

// The words of hosting are not fetched before somebody hosts.
await i18n.also('host.');

/** `build()` makes what stands; `update()` shows what changes, at each change of the host or its list, and twice a second. */
export class HostPart extends HTMLElement {
  #ending = null;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    const draw = () => {
      this.build();
      this.update();
    };
    draw();
    i18n.addEventListener('change', draw, {signal});
    host.addEventListener('change', () => this.update(), {signal});
    host.playlist.addEventListener('change', () => this.update(), {signal});
    const timer = setInterval(() => this.update(), 500);
    signal.addEventListener('abort', () => clearInterval(timer));
    this.begin?.(signal);
  }

  disconnectedCallback() { this.#ending?.abort(); }

  /** Writes a text that is not written yet. */
  write(element, text) { if (element.textContent !== text) element.textContent = text; }
}

/** The browser's errors when it does not give a microphone or a tab. */
const REFUSALS = new Set(['NotAllowedError', 'NotFoundError', 'NotReadableError', 'OverconstrainedError', 'AbortError', 'NotSupportedError']);

/** The sentence for an error, with what to do about it. */
export function saying(error) {
  if (error instanceof Unplayable && error.reason === 'gone') return t('desk.gone');
  if (error instanceof Unplayable) return t(`host.unplayable.${error.reason}`, {minutes: MINUTES_MAX});
  if (error instanceof Unmixed) return t('host.voice.unmixed', {minutes: MINUTES_MAX});
  if (error instanceof NoFile) return error.count === 1 ? t('desk.passed-over', {name: error.name}) : tn('desk.passed-over-many', error.count);
  if (error instanceof Refused) {
    const [{name, failure}] = error.songs, {length} = error.songs;
    return length === 1 ? `${t('desk.unplayable', {name})} ${describe(failure)}` : tn('desk.unplayables', length);
  }
  if (error instanceof NoSound) return t('host.input.no-sound');
  if (error instanceof NotLoaded) return t('host.cannot.load');
  if (error instanceof CannotEncode) return t('host.cannot.encode');
  if (error instanceof DOMException && REFUSALS.has(error.name)) return t(`host.input.${error.name}`);
  return describe(error);
}

/** Does something, and says what it failed at. Returns whether it was done. */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    toast(saying(error), {kind: 'error'});
    return false;
  }
}

/** The address of a cover that is only shown here; the same for the same picture. */
const addresses = new WeakMap();
export function pictureOf(song) {
  if (!song?.cover) return null;
  if (!addresses.has(song.cover)) addresses.set(song.cover, URL.createObjectURL(song.cover));
  return addresses.get(song.cover);
}
