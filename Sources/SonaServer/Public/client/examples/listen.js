// A room, heard in step with everybody else. Address: ?server=https://sona.example&room=@ada
import {Blocked, connect} from '../sona.js';

const query = new URLSearchParams(location.search), at = (id) => document.getElementById(id);
const say = (error) => { at('problem').textContent = error.message; };

try {
  const sona = await connect(query.get('server') ?? new URL(import.meta.url).origin);
  const room = await sona.enter(query.get('room') ?? '');
  const show = () => {
    at('title').textContent = room.track?.title ?? 'Silence';
    at('artist').textContent = room.track?.artist ?? '';
    at('about').textContent = `${room.info.title}, ${room.info.listeners} listening, ${room.state}`;
  };
  for (const type of ['track', 'change', 'state']) room.addEventListener(type, show);
  show();
  at('play').disabled = false;
  at('play').onclick = async () => {
    try {
      if (room.isPlaying) room.pause();
      else await room.play();
      at('play').textContent = room.isPlaying ? 'Pause' : 'Play';
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      say(error);
    }
  };
  at('volume').oninput = () => { room.volume = Number(at('volume').value); };
} catch (error) { say(error); }
