// Where the sound goes: the devices that there are, the one that was chosen, and one that goes away.
import {settings} from '../store/settings.js';

/** Whether this browser lets a page choose. */
export const canChoose = typeof AudioContext === 'function' && 'setSinkId' in AudioContext.prototype;

/** The devices by name: `{id, name}`. Empty as long as the browser names none; `ask` may change that. */
export const outputs = async () => {
  const all = await navigator.mediaDevices?.enumerateDevices?.() ?? [];
  return all.filter(({kind, deviceId, label}) => kind === 'audiooutput' && deviceId && label).map(({deviceId, label}) => ({id: deviceId, name: label}));
};

/**
 * Asks the browser for a device, or for the names of all. To be called from a click. Where there is no dialog for it, the
 * names come with the permission for a microphone, which is let go of at once.
 */
export const ask = async () => {
  const {mediaDevices} = navigator;
  if (mediaDevices?.selectAudioOutput) {
    const {deviceId} = await mediaDevices.selectAudioOutput();
    settings.set('output', deviceId);
    return;
  }
  const stream = await mediaDevices.getUserMedia({audio: true});
  for (const track of stream.getTracks()) track.stop();
};

/** Has a context or an element sound where it was chosen, now and later. A device that is gone is given up. */
export const follow = (sounding) => {
  if (!sounding.setSinkId) return;
  const apply = async () => {
    const wanted = settings.get('output') ?? '';
    if ((sounding.sinkId ?? '') === wanted) return;
    try {
      await sounding.setSinkId(wanted);
    } catch {
      if (wanted) settings.set('output', null);
    }
  };
  settings.addEventListener('change', ({detail}) => { if (detail.key === 'output') apply(); });
  apply();
};

const sounding = [];
let known = null;

const count = async () => (await navigator.mediaDevices.enumerateDevices()).filter(({kind, deviceId}) => kind === 'audiooutput' && deviceId !== 'default' && deviceId !== 'communications').length;

/**
 * Calls `pause` when a device has gone away, such as headphones that were pulled out: the sound would go on over the
 * loudspeaker, for everybody around. Only browsers that name devices tell.
 */
export const pauseWhenLost = (pause) => {
  sounding.push(pause);
  if (known !== null || !navigator.mediaDevices?.enumerateDevices) return;
  known = count();
  navigator.mediaDevices.addEventListener('devicechange', async () => {
    const before = await known, now = await (known = count());
    if (now < before) for (const each of sounding) each();
  });
};
