// One connection to the server, from its handshake to its end: Protocol/spec/connection.md. No state of its own outlives it.

import {parse} from '../wire/frames.js';

/** The error of a refused or unanswered request. */
export class RequestError extends Error {
  /** @param error The error object of the protocol, or one of ours: `connection.lost`, `connection.timeout`. */
  constructor(error) {
    super(error.message ?? error.code);
    this.name = 'RequestError';
    this.code = error.code;
    this.field = error.field ?? null;
    this.permission = error.permission ?? null;
    /** When to try again, ms; null where waiting does not help. */
    this.retryAfter = error.retry_after_ms ?? null;
  }
}

const lost = () => new RequestError({code: 'connection.lost', message: 'The connection was lost.'});

/**
 * A WebSocket that speaks `sona.v1`.
 *
 * States: opening → open (`onopen`) → ended (`onend`, once, with the close code).
 */
export class Line {
  #socket; #pending = new Map(); #nextId = 1; #ended = false;
  /** When anything came last, ms of `performance.now()`. */
  heardAt = performance.now();
  onopen = null;
  onmessage = null;
  onframe = null;
  onend = null;

  constructor(url) {
    this.#socket = new WebSocket(url, 'sona.v1');
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onopen = () => this.onopen?.();
    this.#socket.onmessage = ({data}) => this.#take(data);
    this.#socket.onclose = ({code}) => this.#end(code);
  }

  /** Whether the socket has not ended although we take no notice of it any more. */
  get isLeftOpen() { return this.#socket.readyState < WebSocket.CLOSING; }

  get isOpen() { return !this.#ended && this.#socket.readyState === WebSocket.OPEN; }

  #take(data) {
    if (this.#ended) return;
    this.heardAt = performance.now();
    if (data instanceof ArrayBuffer) {
      const frame = parse(data);
      if (frame) this.onframe?.(frame, data);
      return;
    }
    let message;
    try { message = JSON.parse(data); } catch { return; }
    if (message?.type === 'ok' || message?.type === 'error') {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.type === 'ok') pending?.resolve(message.data);
      else pending?.reject(new RequestError(message.error));
    } else if (typeof message?.type === 'string') {
      this.onmessage?.(message);
    }
  }

  /** Sends bytes. Without an open connection they are dropped. */
  send(bytes) {
    if (this.isOpen) this.#socket.send(bytes);
  }

  /** Sends a request and gives its answer's data, or throws a RequestError. */
  request(type, data = {}, {timeout = 20_000, signal} = {}) {
    if (!this.isOpen) return Promise.reject(lost());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const stop = error => {
        if (this.#pending.delete(id)) done(reject)(error);
      };
      const timer = setTimeout(() => stop(new RequestError({code: 'connection.timeout', message: 'No answer came.'})), timeout);
      const aborted = () => stop(signal.reason);
      const done = settle => value => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        settle(value);
      };
      signal?.addEventListener('abort', aborted, {once: true});
      this.#pending.set(id, {resolve: done(resolve), reject: done(reject)});
      this.#socket.send(JSON.stringify({type, id, data}));
    });
  }

  /**
   * Takes no notice of it any more, and leaves it as it is: a close frame that arrived would end the session that
   * another connection is to go on with.
   */
  abandon() { this.#end(1006); }

  /** Closes it for good: the session ends with it, unless another connection has gone on with it. */
  close() {
    this.#socket.close(1000);
    this.#end(1000);
  }

  #end(code) {
    if (this.#ended) return;
    this.#ended = true;
    for (const {reject} of this.#pending.values()) reject(lost());
    this.#pending.clear();
    this.onend?.(code);
  }
}
