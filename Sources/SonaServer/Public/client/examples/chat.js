// The chat of a room, as a guest. Address: ?server=https://sona.example&room=@ada
import {connect} from '../sona.js';

const query = new URLSearchParams(location.search), at = (id) => document.getElementById(id);
const say = (error) => { at('problem').textContent = error?.message ?? ''; };

try {
  const sona = await connect(query.get('server') ?? new URL(import.meta.url).origin);
  const room = await sona.enter(query.get('room') ?? '');
  const show = () => {
    at('messages').replaceChildren(...room.chat.filter(({deleted}) => !deleted).map(({user, text}) => {
      const line = document.createElement('li');
      line.textContent = `${user.username ?? 'Guest'}: ${text}`;
      return line;
    }));
    at('messages').lastElementChild?.scrollIntoView({block: 'nearest'});
  };
  room.addEventListener('change', ({detail}) => { if (detail === 'chat') show(); });
  show();
  at('form').onsubmit = async (event) => {
    event.preventDefault();
    try {
      await room.send(at('text').value);
      at('text').value = '';
      say(null);
    } catch (error) { say(error); }
  };
} catch (error) { say(error); }
