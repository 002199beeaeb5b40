// A photo of one's own or of a room: chosen or dropped; shown at once, sent, taken away.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** Source: Protocol/spec/people.md, "Photos". */
const BYTES_MAX = 5 << 20;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Sends a picture to a path and answers with the reply's data; `onprogress` hears a share of 0 to 1. */
const sendPicture = async (path, file, onprogress = () => {}) => {
  const token = await session.freshToken();
  return new Promise((resolve, reject) => {
    // fetch() does not say how far a body has gone.
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.responseType = 'text';
    request.upload.onprogress = ({loaded, total}) => onprogress(total ? loaded / total : 0);
    request.onload = () => {
      let reply = null;
      try { reply = JSON.parse(request.responseText); } catch { /* Not a reply of the protocol. */ }
      if (reply?.type === 'ok') resolve(reply.data);
      else reject(Object.assign(new Error('refused'), {code: reply?.error?.code ?? (request.status === 413 ? 'photo.too_large' : 'server.internal'), retryAfter: reply?.error?.retry_after_ms ?? null}));
    };
    request.onerror = () => reject(Object.assign(new Error('lost'), {code: 'connection.lost'}));
    request.send(file);
  });
};

/**
 * A field for a picture: `path` is where it is sent, `take` gets the reply's data and `remove` takes the picture away;
 * `show` makes what is seen of it, `has` says whether there is one. The element has `.draw()` for when that has changed.
 */
export const photoField = ({path, take = () => {}, remove: takeAway, show, has}) => {
  const shown = h('div', {class: 'photo-shown'});
  const status = h('div', {role: 'status', 'aria-live': 'polite'});
  const progress = h('progress', {max: 1, value: 0, hidden: true, 'aria-label': t('photo.sending')});
  const input = h('input', {type: 'file', accept: TYPES.join(','), class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true'});
  const pick = h('button', {type: 'button', onclick: () => input.click()}, icon('plus'), t('photo.choose'));
  const remove = h('button', {type: 'button', class: 'quiet'}, t('photo.remove'));
  const element = h('div', {class: 'photo-field'}, shown,
    h('div', {class: 'stack tight grow'}, h('p', {class: 'muted small'}, t('photo.about')), h('div', {class: 'row tight'}, pick, remove), input, progress, status));

  const draw = () => {
    shown.replaceChildren(show());
    remove.hidden = !has();
  };
  element.draw = draw;
  const fail = (error) => status.replaceChildren(h('p', {class: 'notice error'}, icon('close'), h('span', {}, describe(error))));
  const send = async (file) => {
    if (!file) return;
    status.replaceChildren();
    if (file.size > BYTES_MAX) return fail({code: 'photo.too_large'});
    if (file.type && !TYPES.includes(file.type)) return fail({code: 'photo.type_unsupported'});
    progress.hidden = false;
    pick.disabled = true;
    try {
      take(await sendPicture(path, file, (share) => { progress.value = share; }));
      draw();
      status.replaceChildren(h('p', {class: 'notice ok'}, icon('check'), h('span', {}, t('photo.done'))));
    } catch (error) {
      fail(error);
    } finally {
      progress.hidden = true;
      pick.disabled = false;
      input.value = '';
    }
    return undefined;
  };
  input.addEventListener('change', () => send(input.files[0]));
  // A file dropped here must not reach other parts of the page that accept files.
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) element.addEventListener(type, (event) => event.stopPropagation());
  element.addEventListener('dragover', (event) => { event.preventDefault(); element.toggleAttribute('data-over', true); });
  element.addEventListener('dragleave', () => element.toggleAttribute('data-over', false));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    element.toggleAttribute('data-over', false);
    send(event.dataTransfer.files[0]);
  });
  remove.addEventListener('click', async () => {
    try {
      take(await takeAway());
      draw();
      pick.focus();
    } catch (error) { fail(error); }
  });
  draw();
  return element;
};
