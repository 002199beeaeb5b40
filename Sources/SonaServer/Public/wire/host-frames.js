// The frames of a host: Protocol/spec/hosting.md, "AUDIO_UP" and "CAPTURE".

/**
 * One packet. `samplePos` counts from the first sample that the decoder emits in the epoch, `samples` is what the
 * packet adds to the timeline, 1 to 5760.
 */
export function audioUp({flags = 0, epoch, seq, samplePos, samples, packet}) {
  const bytes = new Uint8Array(20 + packet.byteLength), view = new DataView(bytes.buffer);
  view.setUint8(0, 0x20);
  view.setUint8(1, flags);
  view.setUint16(2, epoch);
  view.setUint32(4, seq);
  view.setBigInt64(8, BigInt(samplePos));
  view.setUint32(16, samples);
  bytes.set(packet, 20);
  return bytes.buffer;
}

/** When a sample was captured: server time and how far off that may be, µs. */
export function captureFrame({epoch, samplePos, serverTime, error}) {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint8(0, 0x31);
  view.setUint16(2, epoch);
  view.setBigInt64(4, BigInt(samplePos));
  view.setBigInt64(12, BigInt(serverTime));
  view.setUint32(20, Math.max(0, Math.min(0xffffffff, Math.ceil(error))));
  return view.buffer;
}
