// SPDX-License-Identifier: Apache-2.0
// Both sockets of a table service. They are closed and made anew when they stay silent, for ZeroMQ
// does not connect again by itself once a key was refused.

import { Dealer, Subscriber } from "zeromq";

const SILENCE_MS = 5000;
const COMMON = {
  linger: 0, maxMessageSize: -1, reconnectInterval: 50, reconnectMaxInterval: 1000,
};

export class Link {
  /** `keys`: `{ servers, publicKey, secretKey }` in Z85, or null on the studio's own machine. */
  constructor({ table, events, requests, keys, onMessage, onAnswer }) {
    Object.assign(this, { table, events, requests, keys, onMessage, onAnswer });
    this.turn = 0;
    this.open();
  }

  open() {
    const options = { ...COMMON, ...this.#curve() };
    this.subscriber = new Subscriber({ ...options, receiveHighWaterMark: 10000 });
    this.dealer = new Dealer({ ...options, receiveHighWaterMark: 10 });
    this.subscriber.connect(this.events);
    this.subscriber.subscribe(`${this.table}/`);
    this.dealer.connect(this.requests);
    this.heard = performance.now();
    this.sending = Promise.resolve();
    this.#listen(this.subscriber, ([, payload]) => payload && this.onMessage(payload));
    this.#listen(this.dealer, ([frame]) => this.onAnswer(frame));
  }

  close() {
    this.subscriber.close();
    this.dealer.close();
  }

  send(request) {
    const { dealer } = this;
    this.sending = this.sending
      .then(() => dealer.send(JSON.stringify(request)))
      .catch(() => {}); // closed in the meantime: it will be asked again
  }

  /** To be called now and then. */
  tick() {
    if (performance.now() - this.heard < SILENCE_MS) return;
    this.turn += 1;
    this.close();
    this.open();
  }

  #curve() {
    if (this.keys === null) return {};
    const { servers, publicKey, secretKey } = this.keys;
    return {
      curveServerKey: servers[this.turn % servers.length],
      curvePublicKey: publicKey,
      curveSecretKey: secretKey,
    };
  }

  async #listen(socket, take) {
    for await (const frames of socket) {
      this.heard = performance.now();
      take(frames);
    }
  }
}
