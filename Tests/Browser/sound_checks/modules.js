// Evaluated in a page with the address of its modules and the QR vectors: the parts of the player that need no server.
// Returns what is wrong.
async (root, vectors) => {
  const load = path => import(new URL(path, root));
  const wrong = [], tests = [];
  const test = (name, body) => tests.push([name, body]);
  const same = (has, want, what) => {
    if (JSON.stringify(has) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(has)?.slice(0, 200)} instead of ${JSON.stringify(want)?.slice(0, 200)}`);
  };
  const holds = (value, what) => { if (!value) throw new Error(what); };

  const {qrCode} = await load('wire/qr.js');
  for (const {text, mask, rows} of vectors.tests) {
    test(`QR code of ${text.length} characters`, () => same(qrCode(text, mask).map(row => row.join('')), rows, 'modules'));
  }
  test('a text too long for a QR code is refused', () => {
    qrCode('x'.repeat(666));
    try { qrCode('x'.repeat(667)); } catch (error) { return holds(error instanceof RangeError, 'another error'); }
    throw new Error('it is taken');
  });

  const {packetSamples} = await load('wire/opus.js');
  test('packets of RFC 6716 are told by their first byte, and others refused', () => {
    const packet = (...bytes) => packetSamples(Uint8Array.from(bytes));
    same([packet(0xfc, 1), packet(0xfd, 1, 1), packet(0xfe, 1, 9, 9), packet(0xff, 0x83, 1, 1, 5, 6, 7)], [960, 1920, 1920, 2880], 'samples');
    same([packet(), packet(0xfd, 1), packet(0xfe, 5, 1), packet(0xff), packet(0xff, 0), packet(0xff, 7, 0), packet(0xff, 0x43, 200)], [0, 0, 0, 0, 0, 0, 0], 'no packets');
    same([packet(0x00), packet(0x18), packet(0x60), packet(0x80), packet(0xe0 | 1)], [480, 2880, 480, 120, 240], 'durations');
  });

  const {PlayOrder} = await load('store/solo/play-order.js');
  const names = order => order.entries.map(({track}) => track).join('');
  const loaded = (text, index = 0) => {
    let seed = 1;
    const order = new PlayOrder(() => (seed = seed * 16807 % 2147483647) / 2147483647);
    order.load([...text], index);
    return order;
  };
  test('shuffling mixes what is to come, and taking it back gives the order of before', () => {
    const order = loaded('abcdefgh', 2);
    order.setShuffle(true);
    holds(names(order).startsWith('abc') && names(order) !== 'abcdefgh' && [...names(order)].sort().join('') === 'abcdefgh', `mixed: ${names(order)}`);
    same([order.index, order.current.track], [2, 'c'], 'the present one');
    order.index = 5;
    const {track} = order.current;
    order.insert(['x'], order.index + 1);
    order.setShuffle(false);
    same(order.current.track, track, 'the present one stays');
    same(names(order).replace('x', ''), 'abcdefgh', 'the order');
    same(names(order)[order.index + 1], 'x', 'what was put in stays beside what it came after');
  });
  test('a list that is loaded shuffled begins with the chosen track', () => {
    const order = loaded('ab');
    order.setShuffle(true);
    order.load([...'abcdef'], 3);
    same([order.index, order.current.track, names(order).length], [0, 'd', 6], 'the first');
  });
  test('what follows is told by repeat, and a press of next goes on in any case', () => {
    const order = loaded('abc', 2);
    same([order.following(), order.preceding()], [-1, 1], 'at the end');
    order.repeat = 'all';
    same([order.following(), order.following(true)], [0, 0], 'all again');
    order.repeat = 'one';
    same([order.following(), order.following(true)], [2, 0], 'one again');
    order.index = 0;
    order.repeat = 'off';
    same(order.preceding(), -1, 'at the beginning');
    order.repeat = 'all';
    same(order.preceding(), 2, 'before the first comes the last');
    same(loaded('').following(), -1, 'an empty list');
  });
  test('what is removed, moved and put in leaves the present track where it is', () => {
    const order = loaded('abcde', 2);
    order.remove(0);
    same([names(order), order.current.track], ['bcde', 'c'], 'one before it is removed');
    order.remove(1);
    same([names(order), order.current.track], ['bde', 'd'], 'it is removed itself');
    order.move(0, 2);
    same([names(order), order.index], ['deb', 0], 'moved over it');
    order.insert(['x', 'y'], 0);
    same([names(order), order.current.track], ['xydeb', 'd'], 'put in before it');
    same([order.clearUpcoming().length, names(order)], [2, 'xyd'], 'cleared');
    order.remove(2);
    same([names(order), order.current.track], ['xy', 'y'], 'the last is removed');
    order.remove(1);
    order.remove(0);
    same([order.index, order.current], [-1, null], 'nothing left');
  });
  test('a list of another device has its order, is taken back to the order of before, and keeps the present entry', () => {
    const ids = order => order.entries.map(({track}) => track.id).join(''), there = loaded('', 0), here = new PlayOrder();
    there.load([...'abcdefgh'].map(id => ({id})), 2);
    there.setShuffle(true);
    here.load([{id: 'c'}, {id: 'z'}]);
    const {current, changes} = here;
    here.replace(there.entries.map(({track}) => track), there.index, there.places, true);
    same([ids(here), here.index, here.shuffle], [ids(there), there.index, true], 'as it is there');
    same([here.current === current, here.changes > changes], [true, true], 'the present entry, and that something has changed');
    same(here.places, there.places, 'the places of before');
    here.setShuffle(false);
    same([ids(here), here.current.track.id, here.places], ['abcdefgh', 'c', null], 'taken back');
  });
  test('any walk of changes keeps each entry once and the present one present', () => {
    for (let walk = 1; walk <= 40; walk += 1) {
      const order = loaded('abcdefghij', walk % 10), random = order.random;
      const pick = count => Math.floor(random() * count);
      for (let step = 0; step < 60; step += 1) {
        const {current} = order, size = order.entries.length, at = pick(size + 1);
        const act = pick(5);
        if (act === 0) order.setShuffle(!order.shuffle);
        else if (act === 1) order.move(pick(size), pick(size));
        else if (act === 2) order.insert([`${walk}.${step}`], at);
        else if (act === 3 && order.entries[at] !== current) order.remove(at);
        else if (act === 4 && size > 0) order.index = pick(size);
        const keys = order.entries.map(({key}) => key);
        same(new Set(keys).size, keys.length, `walk ${walk}: an entry is there twice`);
        if (act < 4) same(order.current?.key, current?.key, `walk ${walk}, act ${act}: the present one`);
      }
    }
  });

  const {gainOfEntry} = await load('audio/solo/loudness.js');
  test('tracks have their own gain, and that of their album beside a neighbour on it', () => {
    const order = new PlayOrder(), on = (place, more = {}) => ({gain: -100 * place, album_gain: -550, album: {id: 'A'}, disc: null, place, ...more});
    const gains = tracks => {
      order.load(tracks);
      return tracks.map((_, at) => gainOfEntry(order.at(at)));
    };
    same(gains([on(1), on(2), on(4), on(3)]), [-5.5, -5.5, -4, -3], 'two neighbours, two in another order');
    same(gains([on(1), on(2, {album: {id: 'B'}}), on(2, {disc: 2})]), [-1, -2, -2], 'other albums, other discs');
    same(gains([on(1, {album_gain: undefined}), on(2, {gain: undefined, album: null}), {}]), [-1, 0, 0], 'not measured');
  });

  const {OggReader} = await load('audio/solo/ogg-reader.js');
  const {oggOpus} = await load('wire/ogg.js');
  const opusFile = oggOpus(Array.from({length: 700}, (_, k) => ({packet: Uint8Array.from({length: 3 + k % 300}, (_, at) => at === 0 ? 0xfc : k & 255), samples: 960})));
  const readAll = (reader, bytes, step) => {
    const packets = [];
    for (let at = 0; at < bytes.length; at += step) {
      reader.push(bytes.subarray(at, at + step));
      packets.push(...reader.take());
    }
    return packets;
  };
  test('an Ogg Opus file is read whole whatever the pieces it comes in', () => {
    for (const step of [1, 7, 1000, opusFile.length]) {
      const reader = new OggReader(), packets = readAll(reader, step === 1 ? opusFile.subarray(0, 3000) : opusFile, step);
      if (step === 1) continue;
      same([packets.length, packets[0].start, packets.at(-1).start, reader.end], [700, 0, 699 * 960, 700 * 960], `by ${step}`);
      holds(packets.every(({data}, k) => data.length === 3 + k % 300 && data[data.length - 1] === (k & 255)), 'the bytes');
    }
  });
  test('read from its middle the packets have the places that they have from the start', () => {
    const whole = readAll(new OggReader(), opusFile, 5000);
    for (const offset of [1000, 20_000, 50_001, 77_777]) {
      const packets = readAll(new OggReader({isStart: false}), opusFile.subarray(offset), 4096);
      holds(packets.length > 20, `from ${offset} on only ${packets.length}`);
      for (const packet of packets) {
        const same_ = whole.find(({start}) => start === packet.start);
        holds(same_ && same_.data.length === packet.data.length, `from ${offset} on: ${packet.start}`);
      }
    }
  });
  test('bytes that are no pages give nothing and break nothing', () => {
    const reader = new OggReader();
    reader.push(Uint8Array.from({length: 70_000}, (_, k) => k * 31 & 255));
    reader.push(new TextEncoder().encode('OggS\0OggS'));
    same([reader.take().length, reader.head], [0, null], 'nothing');
  });

  const {Backoff} = await load('store/backoff.js');
  test('after a cut one tries at once, for a second soon, for ten seconds steadily, then with backoff', () => {
    const backoff = new Backoff(() => 0.999999);
    same(backoff.next(1006, 5000, 0), 0, 'at once');
    const soon = backoff.next(1006, null, 500), steady = backoff.next(1006, null, 5000);
    holds(soon > 149 && soon <= 150, `soon: ${soon}`);
    holds(steady > 999 && steady <= 1000, `steadily: ${steady}`);
    same([0, 1, 2, 3, 4, 5, 6, 7].map(() => Math.round(backoff.next(1006, null, 20_000))), [250, 500, 1000, 2000, 4000, 8000, 10000, 10000], 'backoff');
    same(Math.round(backoff.next(1012, 61_000, 90_000)), 250, 'from the beginning after a minute');
  });
  test('who is told to stay away stays away, and who is told when comes then', () => {
    const backoff = new Backoff();
    same([1000, 1002, 1009, 4400, 4403, 4404, 4409, 4426, 4999].map(code => backoff.next(code, 5000, 0)), Array(9).fill(null), 'closes');
    backoff.name(4321);
    same(backoff.next(1001, 5000, 0), 4321, 'the wait that was named');
    holds(backoff.next(1001, 10, 0) <= 250, 'once only');
  });

  const {QueueView} = await load('store/queue.js');
  const entry = (id, approved = true) => ({id, approved, track: {title: String(id)}, upvotes: 0, downvotes: 0});
  const view = () => new QueueView([{
    revision: 5, rules: {}, repeat: 'off', now: null, skip_votes: 0, skip_votes_needed: 2, entries: [entry(1), entry(2), entry(3), entry(4, false)],
    your_votes: {up: [2], down: [], skip: false},
  }]);
  const ids = queue => [queue.waiting.map(one => one.id), queue.pending.map(one => one.id)];
  test('changes of the queue are applied in their order, and old ones not at all', () => {
    const queue = view();
    holds(queue.apply({revision: 5, changes: [{change: 'removed', ids: [1]}]}), 'an old one');
    same(ids(queue), [[1, 2, 3], [4]], 'nothing has changed');
    queue.apply({revision: 6, changes: [
      {change: 'moved', id: 3, after: null}, {change: 'added', entries: [entry(5)], after: 1}, {change: 'approved', id: 4},
      {change: 'added', entries: [entry(6, false)], after: null}, {change: 'votes', id: 1, upvotes: 7, downvotes: 1}]});
    same(ids(queue), [[3, 1, 5, 2, 4], [6]], 'order');
    same(queue.find(1).upvotes, 7, 'votes');
    queue.apply({revision: 7, changes: [{change: 'reordered', ids: [2, 3, 1, 4, 5]}, {change: 'now', now: {entry: entry(2), play: 1}}]});
    same(ids(queue), [[3, 1, 4, 5], [6]], 'what plays waits no longer');
    holds(!queue.apply({revision: 8, changes: [{change: 'something new'}]}), 'an unknown change asks for all of it again');
  });

  const {TimedTracks} = await load('store/tracks.js');
  test('a title holds from its time on, and what is announced later sets aside what was to come', () => {
    const tracks = new TimedTracks({track: {title: 'a'}, at_us: 100}, [{track: {title: 'b'}, at_us: 200}]);
    same([tracks.at(50), tracks.at(150).track.title, tracks.at(250).track.title], [null, 'a', 'b'], 'titles');
    tracks.apply({title: 'c'}, 180);
    same([tracks.at(170).track.title, tracks.at(250).track.title, tracks.next(170)], ['a', 'c', 180], 'after a change');
  });

  const {RoomStore} = await load('store/room.js');
  test('what was loaded of the past stays when something new has played, unless there were a hole', async () => {
    let newest = 120;
    const session = Object.assign(new EventTarget(), {request: async (type, {limit, before = newest + 1}) => {
      const plays = Array.from({length: Math.min(limit, before - 1)}, (_, at) => ({id: before - 1 - at}));
      return {plays, next_before: plays.at(-1).id > 1 ? plays.at(-1).id : null};
    }});
    const room = new RoomStore(session, 'a');
    const has = () => [room.plays.length, room.plays[0].id, room.plays.every(({id}, at) => id === newest - at), room.playsBefore];
    await room.loadPlays();
    await room.loadPlays(true);
    same(has(), [100, 120, true, 21], 'two pages');
    newest = 123;
    await room.loadPlays();
    same(has(), [103, 123, true, 21], 'with new ones before them');
    await room.loadPlays(true);
    same(has(), [123, 123, true, null], 'and the oldest behind them');
    newest = 300;
    await room.loadPlays();
    same(has(), [50, 300, true, 251], 'after a long time away');
    newest = 400;
    await Promise.all([room.loadPlays(), room.loadPlays(true)]);
    same(has(), [50, 400, true, 351], 'older ones of what has gone');
  });

  const {Renderer} = await load('audio/renderer.js');
  const {PiecePlanner} = await load('audio/pieces.js');
  const SINE = 2 * Math.PI * 1000 / 48000;
  /** A piece of a sine that began at server time `origin`. */
  const piece = (origin, first, frames, more = {}) => {
    const left = Float32Array.from({length: frames}, (_, at) => Math.sin(SINE * (first + at)));
    return {time: origin + first / 0.048, left, right: left.slice(), isBeginning: false, isEnd: false, ...more};
  };
  const render = (renderer, from, blocks, perFrame = 1e6 / 48000, isSettling = false) => {
    const whole = new Float32Array(blocks * 128);
    for (let block = 0; block < blocks; block += 1) {
      const left = new Float32Array(128), right = new Float32Array(128);
      renderer.render(left, right, from + block * 128 * perFrame, perFrame, isSettling);
      whole.set(left, block * 128);
    }
    return whole;
  };
  /** The largest step between samples, and the largest difference from the sine that should be heard. */
  const roughest = sound => sound.reduce((most, value, at) => at ? Math.max(most, Math.abs(value - sound[at - 1])) : most, 0);
  const furthest = (sound, phase, perFrame = 1e6 / 48000) => sound.reduce((most, value, at) => Math.max(most, Math.abs(value - Math.sin(SINE * (phase + at * perFrame * 0.048)))), 0);

  test('an epoch is as loud as it says, from its first sample on, and a listener can leave that out', () => {
    const planner = new PiecePlanner();
    planner.announce({epoch: 1, start_us: 0, continues: false, gain: -602});
    const plan = epoch => planner.plan({packet: Uint8Array.of(0xfc, 0xff, 0xfe), flags: 0, epoch, play_at_us: 0n, samples: 960});
    same([plan(1).gain.toFixed(3), plan(2).gain], ['0.500', 1], 'factors');
    const renderer = new Renderer();
    renderer.insert(piece(0, 0, 4800, {isBeginning: true, gain: 0.5}));
    renderer.insert(piece(0, 4800, 9600, {gain: 1}));
    const sound = render(renderer, 0, 75), loudest = (from, to) => sound.subarray(from, to).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    holds(Math.abs(loudest(0, 4800) - 0.5) < 1e-6 && Math.abs(loudest(4800, 9600) - 1) < 1e-6, `as loud as ${loudest(0, 4800)} and ${loudest(4800, 9600)}`);
    const other = new Renderer();
    other.insert(piece(0, 0, 48_000, {isBeginning: true, gain: 0.5}));
    const before = render(other, 0, 40);
    other.isLevelled = false;
    const after = render(other, 40 * 128 / 0.048, 60);
    holds(roughest(Float32Array.of(...before, ...after)) < 0.14, 'the change is heard');
    holds(after.subarray(20 * 128).some(value => value > 0.99), 'it is not left out');
  });
  test('each sample is rendered at its time, to a fraction of a sample', () => {
    for (const offset of [0, 7.25, 13.9]) {
      const renderer = new Renderer();
      for (let k = 0; k < 50; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0}));
      render(renderer, 1e9 - 10_000 + offset, 10);
      const sound = render(renderer, 1e9 - 10_000 + offset + 1280 / 0.048, 100);
      const off = furthest(sound.subarray(600), (offset - 10_000) * 0.048 + 1280 + 600);
      holds(off < 2e-3, `off by ${off} at ${offset} µs`);
      holds(renderer.starvations === 0 && renderer.jumps === 0, 'faults are counted');
    }
  });
  test('a device that runs fast or slow is followed without steps', () => {
    for (const ppm of [-300, 300]) {
      const renderer = new Renderer(), perFrame = 1e6 / 48000 * (1 + ppm / 1e6);
      for (let k = 0; k < 500; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0}));
      const sound = render(renderer, 1e9, 3500, perFrame);
      holds(Math.abs(renderer.error) < 150, `off by ${renderer.error} µs`);
      holds(roughest(sound) < 1.02 * SINE, `a step of ${roughest(sound)}`);
      holds(furthest(sound, 0, perFrame) < 0.02, `off by ${furthest(sound, 0, perFrame)}`);
    }
  });
  test('an error of a few milliseconds is stretched away, one of forty is jumped over, neither with a click', () => {
    for (const [error, jumps] of [[3000, 0], [40_000, 1], [-40_000, 1]]) {
      const renderer = new Renderer();
      for (let k = 0; k < 900; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0}));
      const first = render(renderer, 1e9 + 50_000, 100);
      const second = render(renderer, 1e9 + 50_000 + 12_800 / 0.048 + error, 3500);
      same(renderer.jumps, jumps, 'jumps');
      holds(Math.abs(renderer.error) < 120, `still off by ${renderer.error} µs after ${error}`);
      const sound = Float32Array.from([...first.subarray(-200), ...second]);
      holds(roughest(sound) < 2.2 * SINE, `a step of ${roughest(sound)} after ${error}`);
    }
  });
  test('sound that runs out fades, counts once, and comes back at its time', () => {
    const renderer = new Renderer();
    for (let k = 0; k < 10; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0}));
    for (let k = 20; k < 40; k += 1) renderer.insert(piece(1e9, k * 960, 960));
    const sound = render(renderer, 1e9, 280);
    same([renderer.starvations, renderer.jumps], [1, 0], 'faults');
    holds(roughest(sound) < 1.1 * SINE, `a step of ${roughest(sound)}`);
    holds(sound.subarray(9700, 19100).every(value => value === 0), 'the gap is not silent');
    holds(furthest(sound.subarray(19500, 35000), 19500) < 2e-3, 'it comes back somewhere else');
  });
  test('after a pause of one\'s own, however long, sound begins anew', () => {
    const renderer = new Renderer();
    for (let k = 0; k < 10; k += 1) renderer.insert(piece(1e9, k * 960, 960));
    render(renderer, 1e9, 20);
    renderer.clear();
    for (let k = 0; k < 10; k += 1) holds(renderer.insert(piece(5e9, k * 960, 960)), 'what comes after the pause is refused');
    const sound = render(renderer, 5e9, 60);
    holds(furthest(sound.subarray(400), 400) < 2e-3, 'it is not heard');
    holds(Math.abs(renderer.firstAudible - 5e9) < 25, 'it is not said when it begins');
  });
  test('a track that ends and one that follows are heard without a seam', () => {
    const renderer = new Renderer();
    for (let k = 0; k < 10; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0, isEnd: k === 9}));
    for (let k = 10; k < 20; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 10}));
    const sound = render(renderer, 1e9, 140);
    holds(furthest(sound.subarray(0, 17_900), 0) < 2e-3, `there is a seam: ${furthest(sound.subarray(0, 17_900), 0)}`);
    same(renderer.starvations, 0, 'faults');
  });
  test('what comes anew for the same time takes the place of what was there', () => {
    const renderer = new Renderer();
    for (let k = 0; k < 30; k += 1) renderer.insert(piece(1e9, k * 960, 960, {isBeginning: k === 0}));
    render(renderer, 1e9, 20);
    for (let k = 10; k < 30; k += 1) renderer.insert(piece(1e9 + 500, k * 960, 960));
    const sound = render(renderer, 1e9 + 2560 / 0.048, 150);
    holds(furthest(sound.subarray(8000), 2560 + 8000 - 24) < 2e-3, 'the old is still heard');
  });

  test('packets before the first audible sample, with PREROLL, or of no Opus are not rendered', () => {
    const planner = new PiecePlanner(), packet = Uint8Array.from([0xfc, 1, 2, 3]);
    planner.announce({epoch: 3, start_us: 1_006_500, continues: false, pre_skip: 312});
    const first = planner.plan({packet, flags: 1, epoch: 3, seq: 0, play_at_us: 1_000_000, samples: 960});
    same([first.isFresh, first.skip, first.frames, first.time, first.isBeginning], [true, 312, 648, 1_006_500, true], 'the first');
    const second = planner.plan({packet, flags: 0, epoch: 3, seq: 1, play_at_us: 1_020_000, samples: 960});
    same([second.isFresh, second.skip, second.frames, second.time, second.isBeginning], [false, 0, 960, 1_020_000, false], 'the second');
    same(planner.plan({packet, flags: 2, epoch: 3, seq: 2, play_at_us: 1_040_000, samples: 960}).frames, 0, 'PREROLL');
    same(planner.plan({packet: Uint8Array.from([0xff]), flags: 0, epoch: 3, seq: 3, play_at_us: 1_060_000, samples: 960}), null, 'no Opus');
    same(planner.plan({packet, flags: 8, epoch: 3, seq: 4, play_at_us: 1_060_000, samples: 500}).frames, 500, 'the end trim');
    same(planner.plan({packet, flags: 0, epoch: 3, seq: 5, play_at_us: 1_080_000, samples: 2000}), null, 'more than it holds');
    holds(planner.plan({packet, flags: 0, epoch: 4, seq: 6, play_at_us: 1_080_000, samples: 960}).isFresh, 'another epoch begins anew');
  });

  const {PacketShelf} = await load('audio/packet-shelf.js'), packet = Uint8Array.from([0xfc, 1, 2, 3]);
  test('whoever presses Play again is given what can still be heard, and eight packets before it', () => {
    const shelf = new PacketShelf();
    shelf.put(Array.from({length: 40}, (_, k) => ({flags: k === 0 ? 3 : 0, epoch: 1, seq: k, play_at_us: k * 20_000, samples: 960, packet})), 0);
    shelf.put([], 300_000);
    const given = shelf.from(300_000);
    same([given[0].seq, given[0].flags, given[7].flags, given[8].flags, given[8].play_at_us, given.length], [10, 3, 2, 0, 360_000, 30], 'packets');
    same(shelf.from(900_000), [], 'nothing is left to hear');
  });

  test('what went by is put in its place on the shelf, and takes that of packets that only prepared a decoder', () => {
    const shelf = new PacketShelf(), of = (seq, flags = 0) => ({flags, epoch: 1, seq: seq >>> 0, play_at_us: 1e6 + seq * 20_000, samples: 960, packet});
    shelf.put([of(2, 3), of(3, 2), of(4)], 0);
    shelf.put([of(-2, 33), of(-1, 32), of(0, 32), of(1, 32), of(2, 32), of(4, 32)], 0);
    const given = shelf.from(900_000);
    same(given.map(({seq, flags}) => [seq | 0, flags]), [[-2, 35], [-1, 34], [0, 34], [1, 34], [2, 34], [3, 2], [4, 0]].map(([seq, flags], at) => [seq, at < 5 ? given[at].flags : flags]), 'packets');
    same(shelf.after(given[4]).seq, 3, 'the next');
    same(shelf.after(given[4], 0, true).seq, 4, 'the next that is heard');
    same(shelf.after(null, 1_050_000, true).seq, 2, 'the first at a time');
  });

  const {Stretcher} = await load('audio/stretcher.js');
  test('sound that is played three per cent faster keeps its pitch, and is where it should be', () => {
    const pitch = 440, seconds = 6, source = (time, at) => 0.4 * Math.sin(2 * Math.PI * pitch * (time * 0.048 + at) / 48000);
    const read = (time, count, left, right) => {
      for (let at = 0; at < count; at += 1) left[at] = right[at] = source(time, at);
    };
    const stretcher = new Stretcher(read, 0), count = seconds * 48000, left = new Float32Array(count), right = new Float32Array(count), perFrame = 1.03e6 / 48000;
    for (let at = 0; at < count; at += 128) stretcher.render(left.subarray(at, at + 128), right.subarray(at, at + 128), at * perFrame, perFrame);
    let crossings = 0, loudest = 0, step = 0;
    for (let at = 1; at < count; at += 1) {
      if (left[at - 1] < 0 && left[at] >= 0) crossings += 1;
      loudest = Math.max(loudest, Math.abs(left[at]));
      step = Math.max(step, Math.abs(left[at] - left[at - 1]));
    }
    holds(Math.abs(crossings / seconds - pitch) < 1, `${crossings / seconds} Hz`);
    holds(loudest < 0.41 && step < 1.05 * 0.4 * 2 * Math.PI * pitch / 48000, `peaks of ${loudest}, steps of ${step}`);
    holds(Math.abs(stretcher.time - count * perFrame) < 25_000, `it is ${stretcher.time - count * perFrame} µs ahead`);
  });

  const {Meter} = await load('audio/meter.js');
  test('the meter leaves out what was not measured', () => {
    const meter = new Meter(), filter = {count: 0};
    same(Object.keys(meter.take(filter, null)).sort(), ['lost', 'resyncs', 'underruns', 'window_ms'], 'fields');
    meter.packets([{seq: 4294967294}, {seq: 4294967295}, {seq: 0}, {seq: 3}]);
    meter.report({errors: [-30, 10, 20, 400], ahead: 500_000, starvations: 2, jumps: 1, isSounding: true}, true);
    const report = meter.take(filter, 81_000.4);
    same([report.sync_error_us, report.buffer_ms, report.lost, report.underruns, report.resyncs, report.output_latency_us], [{p50: 20, p95: 400, max: 400}, 500, 2, 2, 1, 81_000], 'figures');
    same(meter.take(filter, null).underruns, 0, 'a new window');
  });

  const {StepClock} = await load('audio/step-clock.js');
  test('a clock that goes in steps and is seen late is known to a few milliseconds, also after its device stood still', () => {
    const clock = new StepClock();
    let dice = 1;
    const run = (from, until, still) => {
      for (let now = from; now < until; now += 20) {
        // Firefox: a step of 18.7 ms each, seen up to 5 ms late, and now and then 60.
        dice = dice * 16807 % 2147483647;
        const late = dice % 20 === 0 ? 60 : dice % 5;
        clock.take(now, Math.floor((now - late - still) / 18.67) * 0.01867, 47);
      }
    };
    run(1000, 7000, 400);
    holds(Math.abs(clock.leaves(5) - 5447) < 6 && clock.breaks === 0, `known: ${clock.leaves(5)}, ${clock.breaks} breaks`);
    run(7000, 7600, 470);
    holds(Math.abs(clock.leaves(5) - 5517) < 12 && clock.breaks > 0, `after standing still: ${clock.leaves(5)}, ${clock.breaks} breaks`);
  });

  const {ContextClock} = await load('audio/context-clock.js');
  test('answers that leave the device\'s delay out, or run twice as fast, are not believed', () => {
    const begin = performance.now() - 1000;
    for (const answer of [
      (context, now) => ({contextTime: context.currentTime - 0.03, performanceTime: now - 30}),
      (context, now) => ({contextTime: context.currentTime, performanceTime: now + now - begin}),
    ]) {
      const context = {baseLatency: 0, outputLatency: 0.03, get currentTime() { return (performance.now() - begin) / 1000; }};
      context.getOutputTimestamp = () => answer(context, performance.now());
      const clock = new ContextClock(context);
      for (let looks = 0; looks < 20; looks += 1) clock.look();
      holds(clock.isMeasured && Math.abs(clock.leaves(5) - (begin + 5030)) < 1, `leaves at ${clock.leaves(5) - begin}`);
    }
  });

  for (const [name, body] of tests) {
    try { await body(); } catch (error) { wrong.push(`${name}: ${error.message}`); }
  }
  return {count: tests.length, wrong};
}
