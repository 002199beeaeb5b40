// Submits uploads, and takes them back.
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {submissions} from '../../store/submissions.js';

await i18n.also('submitted.');

/** Submits those that do not wait and were not approved. */
export const submit = async (tracks) => {
  const open = tracks.filter(({status}) => status === null || status === 'rejected');
  try {
    for (const track of open) await submissions.submit(track);
    if (open.length) toast(tn('submitted.done', open.length), {kind: 'ok'});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

export const withdraw = async (tracks) => {
  try {
    for (const track of tracks) await submissions.withdraw(track);
    toast(t('submitted.withdrawn', {title: tracks[0].title}), {kind: 'ok'});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};
