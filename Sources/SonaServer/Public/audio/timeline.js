// What is to be heard, by server time: runs of frames at 48 kHz that follow each other without a gap.
//
// Runs do not overlap, and stand in the order of their times. A piece that begins where a run ends lengthens it, whatever
// epoch it is of: that is how one track follows another without a seam. Any other begins a run of its own, and what an
// older run has from there on is cut off. Protocol/spec/audio.md, "The timeline".

const PER_MICROSECOND = 0.048;
/** How far a piece may begin from where the one before ends and still belong to it, µs. */
const TOLERANCE = 100;
/** Most that is held, frames: the longest lead and what may be sent ahead of it. And the furthest a piece may lie ahead, µs. */
const FRAMES_MAX = 20 * 48000, AHEAD_MAX = 60e6;
const RUNS_MAX = 512;

/** Frames that belong together. Each piece pins its first frame to its server time; between pins times are interpolated. */
class Run {
  pieces = [];
  /** The frame after the last one, counted from the run's first. */
  end = 0;
  /** Whether it ends by intent: then it is not faded out. */
  isEnd = false;

  constructor(number, isBeginning) {
    this.number = number;
    /** Whether it begins by intent: then it is not faded in. */
    this.isBeginning = isBeginning;
  }

  get startTime() { return this.pieces[0].time - this.pieces[0].first / PER_MICROSECOND; }
  get endTime() { return this.timeOf(this.end); }

  append({time, left, right, isEnd, gain = 1}) {
    this.pieces.push({time, left, right, gain, first: this.end, frames: left.length});
    this.end += left.length;
    this.isEnd = isEnd;
  }

  /** The frame that sounds at a server time, with its fraction; beyond the ends as if the run went on there. */
  frameAt(time) {
    const {pieces} = this;
    let at = pieces.length - 1;
    while (at > 0 && pieces[at].time > time) at -= 1;
    return pieces[at].first + (time - pieces[at].time) * PER_MICROSECOND;
  }

  timeOf(frame) {
    const {pieces} = this;
    let at = pieces.length - 1;
    while (at > 0 && pieces[at].first > frame) at -= 1;
    return pieces[at].time + (frame - pieces[at].first) / PER_MICROSECOND;
  }

  /**
   * Copies the frames from `from` on into two arrays; what the run does not have is silence.
   *
   * @param levelled How much of each piece's gain is applied, 0 to 1.
   */
  copy(from, count, left, right, levelled = 0) {
    left.fill(0, 0, count);
    right.fill(0, 0, count);
    for (const piece of this.pieces) {
      const begin = Math.max(from, piece.first), end = Math.min(from + count, piece.first + piece.frames, this.end);
      if (begin >= end) {
        if (piece.first >= from + count) break;
        continue;
      }
      left.set(piece.left.subarray(begin - piece.first, end - piece.first), begin - from);
      right.set(piece.right.subarray(begin - piece.first, end - piece.first), begin - from);
      const factor = 1 + levelled * (piece.gain - 1);
      if (factor === 1) continue;
      for (let at = begin - from; at < end - from; at += 1) {
        left[at] *= factor;
        right[at] *= factor;
      }
    }
  }
}

export class Timeline {
  runs = [];
  #nextNumber = 0;

  get frames() { return this.runs.reduce((sum, run) => sum + run.end - run.pieces[0].first, 0); }

  clear() { this.runs = []; }

  /**
   * Takes a piece in: {time, left, right, isBeginning, isEnd, gain}.
   *
   * @param now Server time up to which everything has been rendered, µs; null before there was anything.
   * @returns Whether it was taken.
   */
  insert(piece, now) {
    const frames = piece.left.length;
    if (frames === 0 || now !== null && piece.time > now + AHEAD_MAX) return false;
    if (this.frames + frames > FRAMES_MAX || this.runs.length >= RUNS_MAX) return false;
    const last = this.runs.at(-1);
    if (last && Math.abs(last.endTime - piece.time) <= TOLERANCE) {
      last.append(piece);
      return true;
    }
    // Too late to be heard, and nothing follows from it.
    if (now !== null && piece.time + frames / PER_MICROSECOND <= now) return true;
    this.#cut(piece.time);
    const run = new Run(this.#nextNumber++, piece.isBeginning);
    run.append(piece);
    this.runs.push(run);
    return true;
  }

  /** Forgets what sounds at or after a time. */
  #cut(time) {
    for (let run = this.runs.at(-1); run && run.endTime > time; run = this.runs.at(-1)) {
      const keep = Math.round(run.frameAt(time));
      if (run.startTime >= time || keep <= run.pieces[0].first) {
        this.runs.pop();
        continue;
      }
      run.end = keep;
      while (run.pieces.length > 1 && run.pieces.at(-1).first >= keep) run.pieces.pop();
      const piece = run.pieces.at(-1);
      piece.frames = Math.min(piece.frames, keep - piece.first);
      run.isEnd = false;
      return;
    }
  }

  /** Copies frames from a server time on; what is not there is silence. */
  copy(time, count, left, right, levelled) {
    left.fill(0, 0, count);
    right.fill(0, 0, count);
    for (const run of this.runs) {
      const first = Math.round(run.frameAt(time)), begin = Math.max(0, -first), end = Math.min(count, run.end - first);
      if (begin >= end) continue;
      run.copy(first + begin, end - begin, left.subarray(begin, end), right.subarray(begin, end), levelled);
    }
  }

  /**
   * Returns the sound at a server time, or the first after it. A run that `read` says has been read to its end does not
   * count.
   */
  at(time, read) {
    return this.runs.find(run => Math.max(run.frameAt(time), read?.run === run ? read.frame : 0) < run.end) ?? null;
  }

  /** Forgets what has been played: everything more than `kept` frames before a server time. */
  prune(time, kept = 64) {
    // The last run stays even when it is over: the next piece may begin where it ends.
    while (this.runs.length > 1 && this.runs[0].frameAt(time) > this.runs[0].end + kept) this.runs.shift();
    const pieces = this.runs[0]?.pieces;
    if (!pieces) return;
    const played = this.runs[0].frameAt(time) - kept;
    let gone = 0;
    while (gone < pieces.length - 1 && pieces[gone].first + pieces[gone].frames <= played) gone += 1;
    if (gone > 0) pieces.splice(0, gone);
  }
}
