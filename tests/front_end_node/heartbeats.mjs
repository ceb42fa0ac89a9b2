// SPDX-License-Identifier: Apache-2.0
// Which heartbeats to believe.

import { microseconds } from "./messages.mjs";
import { ofHeartbeat } from "./signatures.mjs";

const APART_US = 60e6; // from this machine's own clock
const YOUNG_MS = 3000;

const now = () => performance.now();

export class Heartbeats {
  /** Without keys of signatures every heartbeat is believed. */
  constructor(signatures, alarm) {
    this.signatures = signatures;
    this.alarm = alarm;
    this.at = -Infinity; // of the newest, by the studio's clock, in microseconds
    this.heard = -Infinity; // by this machine's steady clock, in milliseconds
  }

  /** Whether it is to be believed: it is the studio's, and new. */
  believe(message) {
    const at = microseconds(message.at);
    const isSigned = this.signatures.isUsed;
    const fault = isSigned ? this.#fault(message, at) : null;
    if (fault) this.alarm("impostor", `a heartbeat is ${fault}`);
    if (fault || at < this.at || (isSigned && at === this.at)) return false;
    [this.at, this.heard] = [at, now()];
    return true;
  }

  get isYoung() {
    return now() - this.heard < YOUNG_MS;
  }

  #fault(message, at) {
    const fault = this.signatures.fault(message.data.signature, ofHeartbeat(message));
    if (fault) return fault;
    return Math.abs(at - Date.now() * 1000) > APART_US ? `of ${message.at}` : null;
  }
}
