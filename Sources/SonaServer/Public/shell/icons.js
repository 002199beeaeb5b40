// Icons of 24 × 24, drawn in lines of the text's colour. Ours.
import {s} from './dom.js';

const shapes = {
  album: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  'arrow-left': 'M19 12H5m6-6-6 6 6 6',
  chat: 'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-5 4v-4.05A2.5 2.5 0 0 1 4 13.5z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  compass: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM15.8 8.2l-2.2 5.4-5.4 2.2 2.2-5.4z',
  copy: 'M9 9h9.5v10.5H9zM15 9V4.5H5.5V15H9',
  crown: 'M4 18h16M4 15l-.5-8 4.7 3.8L12 5l3.8 5.8L20.5 7l-.5 8z',
  door: 'M6 20V4h9v16M4 20h16M12 12h.01M18 20V8h-3',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11m-4.5-4.2L12 15.3l4.5-4.5M5 19.5h14',
  edit: 'M5 19.5 6 15 16.2 4.8l3.5 3.5L9.5 18.5zM14 7l3.5 3.5',
  flag: 'M6 21V4.5M6 5h11.5l-2.5 4 2.5 4H6',
  grid: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  heart: 'M12 19.5S4 14.8 4 9.3A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 8 2.1c0 5.5-8 10.2-8 10.2z',
  history: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4 9m0-5v5h5m3-1v4.5l3 1.8',
  home: 'M4 11.5 12 4.5l8 7M6.5 9.5V19.5h11V9.5M10 19.5v-5h4v5',
  keyboard: 'M3.5 6.5h17v11h-17zM7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M8 14h8',
  library: 'M5 4.5v15M9.5 4.5v15M13.5 5.2l4.8 14.2',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  list: 'M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  lower: 'M12 5v14m-6-6 6 6 6-6',
  mail: 'M3.5 6h17v12h-17zm.5.5 8 6.5 8-6.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  mic: 'M12 4a2.8 2.8 0 0 1 2.8 2.8v4.4a2.8 2.8 0 0 1-5.6 0V6.8A2.8 2.8 0 0 1 12 4zM6 11a6 6 0 0 0 12 0M12 17v3.5',
  minus: 'M5 12h14',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  music: 'M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  mute: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  people: 'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.3-3.5 3-5.5 6.5-5.5s6.2 2 6.5 5.5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.4c2.3.7 3.8 2.5 4 5.1',
  play: 'M8 5.2v13.6L19 12z',
  plus: 'M12 5v14M5 12h14',
  previous: 'M18 5.5v13L9 12zM5.5 5.5v13',
  qr: 'M4.5 4.5h5.5v5.5H4.5zM14 4.5h5.5v5.5H14zM4.5 14h5.5v5.5H4.5zM14 14h2v2h-2zM19.5 14v2.5h-2M14 19.5h2.5v-1.5M19.5 19.5h.01',
  queue: 'M4 6.5h16M4 11.5h10M4 16.5h7M16.5 13.2v6.6l5-3.3z',
  raise: 'M12 19V5m-6 6 6-6 6 6',
  repeat: 'M4.5 12.5V11A3.5 3.5 0 0 1 8 7.5h11.5m-3-3 3 3-3 3M19.5 11.5V13a3.5 3.5 0 0 1-3.5 3.5H4.5m3 3-3-3 3-3',
  'repeat-one': 'M4.5 12.5V11A3.5 3.5 0 0 1 8 7.5h11.5m-3-3 3 3-3 3M19.5 11.5V13a3.5 3.5 0 0 1-3.5 3.5H4.5m3 3-3-3 3-3M11.2 10.6l1.3-.8v4.6',
  reply: 'M9.5 6.5 4 12l5.5 5.5M4 12h9.5a6.5 6.5 0 0 1 6.5 6.5',
  rooms: 'M4 10.5v6.5M20 10.5v6.5M4 17h16M6.5 17v2.5M17.5 17v2.5M4 12.5a2 2 0 0 1 4 0V14h8v-1.500a2 2 0 0 1 4 0M6.5 10V7.500A2.5 2.5 0 0 1 9 5h6a2.5 2.5 0 0 1 2.5 2.500V10',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.2 16.2 20.5 20.5',
  settings: 'M4 7.5h9M17.5 7.5H20M4 16.5h2.5M11 16.5h9M15.2 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.8 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  share: 'M12 15V4m-4 3.5L12 3.8l4 3.7M6 11.5v8h12v-8',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6z',
  shuffle: 'M4 7.500h2.500c4.5 0 6 9 10.5 9h3m-2.5-2.8 2.8 2.8-2.8 2.800M4 16.500h2.500c1.6 0 2.8-1.1 3.8-2.600M13.2 9.900c1-1.4 2.2-2.4 3.8-2.400h3m-2.5-2.8 2.8 2.8-2.8 2.8',
  skip: 'M6 5.5v13L15 12zM18.5 5.5v13',
  sleep: 'M19.5 14.200A8 8 0 0 1 9.8 4.500a8 8 0 1 0 9.7 9.700zM14.5 5h4l-4 4.500h4',
  star: 'm12 4 2.4 5.1 5.6.7-4.1 3.8 1.1 5.5L12 16.4l-5 2.7 1.1-5.5L4 9.8l5.6-.7z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  together: 'M8.5 12.500a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.400zM2.5 19c.4-3 2.9-4.7 6-4.700s5.6 1.7 6 4.700M18.5 8v6M15.5 11h6',
  trash: 'M5 7h14M9.5 7V4.500h5V7M7 7l.8 12.500h8.400L17 7M10.2 10.500v5.500M13.8 10.500v5.5',
  up: 'm6 14.5 6-6 6 6',
  upload: 'M12 15.500V4.500M7.5 8.8 12 4.300l4.5 4.500M5 19.500h14',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.5-4 3.6-6 7.5-6s7 2 7.5 6',
  volume: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.7 7.7 0 0 1 0 11',
  wave: 'M3.5 12h1M8 8v8M12 4.5v15M16 8v8M19.5 12h1',
};
const solid = new Set(['play']);

/** An icon; with a label it is an image of that name, without one it is passed over by readers of the screen. */
export const icon = (name, label) => s(
  'svg',
  {
    class: 'icon', viewBox: '0 0 24 24', fill: solid.has(name) ? 'currentColor' : 'none', stroke: 'currentColor',
    'stroke-width': 1.75, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', focusable: 'false',
    ...(label ? {role: 'img', 'aria-label': label} : {'aria-hidden': 'true'}),
  },
  s('path', {d: shapes[name] ?? ''}));

/** Our mark: one moment, and those who hear it. */
export const mark = () => s(
  'svg', {class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false'},
  s('circle', {cx: 16, cy: 16, r: 4.5, fill: 'currentColor'}),
  s('path', {
    d: 'M9.2 8.6a10 10 0 0 0 0 14.8M22.8 8.6a10 10 0 0 1 0 14.8M5 4.6a15.5 15.5 0 0 0 0 22.8M27 4.6a15.5 15.5 0 0 1 0 22.8',
    fill: 'none', stroke: 'currentColor', 'stroke-width': 2.6, 'stroke-linecap': 'round',
  }));
