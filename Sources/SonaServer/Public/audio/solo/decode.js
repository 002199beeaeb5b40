// Opus packets to samples, by the browser's own decoder for files. It needs no secure context, and every engine has it.
import {oggOpus} from '../../wire/ogg.js';

/**
 * Decodes a span of packets to a buffer with the samples from `from` to `to`, at 48 kHz from the beginning of the file.
 * Packets before `from` settle the decoder and are left out.
 */
export async function decode(context, packets, from, to) {
  const file = oggOpus(packets.map(({data, samples}) => ({packet: data, samples})));
  const whole = await context.decodeAudioData(file.buffer);
  const scale = whole.sampleRate / 48_000, total = packets.reduce((sum, {samples}) => sum + samples, 0);
  // Browsers leave out some samples of a file's beginning; its end is where it should be.
  const begin = whole.length - Math.round(total * scale) + Math.round((from - packets[0].start) * scale);
  const count = Math.round((to - from) * scale);
  const cut = new AudioBuffer({length: Math.max(1, count), numberOfChannels: whole.numberOfChannels, sampleRate: whole.sampleRate});
  for (let channel = 0; channel < whole.numberOfChannels; channel += 1) {
    const source = whole.getChannelData(channel), at = Math.max(0, begin);
    cut.copyToChannel(source.subarray(at, at + count), channel, Math.max(0, -begin));
  }
  return cut;
}
