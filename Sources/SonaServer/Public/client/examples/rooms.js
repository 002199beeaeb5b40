// Public rooms: what plays in them. Address: ?server=https://sona.example
import {connect} from '../sona.js';

const query = new URLSearchParams(location.search), at = (id) => document.getElementById(id);
const say = (error) => { at('problem').textContent = error?.message ?? ''; };

try {
  const sona = await connect(query.get('server') ?? new URL(import.meta.url).origin);
  const search = async () => {
    const {rooms} = await sona.request('room.search', {query: at('words').value.trim()});
    at('rooms').replaceChildren(...rooms.map((room) => {
      const line = document.createElement('li'), link = document.createElement('a');
      link.href = `listen.html?${new URLSearchParams({server: sona.address, room: room.id})}`;
      link.textContent = room.title;
      line.append(link, ` ${room.live ? room.track?.title ?? 'live' : 'silent'} · ${room.listeners}`);
      return line;
    }));
    say(rooms.length ? null : {message: 'No room was found.'});
  };
  at('form').onsubmit = (event) => { event.preventDefault(); search().catch(say); };
  await search();
} catch (error) { say(error); }
