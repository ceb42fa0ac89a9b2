// SPDX-License-Identifier: Apache-2.0
// Which heartbeats to believe.

import { createPublicKey, verify } from "node:crypto";

import { microseconds } from "./messages.mjs";

const APART_US = 60e6; // from this machine's own clock
const YOUNG_MS = 3000;

const now = () => performance.now();

export class Heartbeats {
  /** `signingKeys`: the studio's, in hex; none: every heartbeat is believed. */
  constructor(signingKeys, alarm) {
    this.isSigned = signingKeys.length > 0;
    this.alarm = alarm;
    this.keys = new Map(signingKeys.map((hex) => [hex.toLowerCase(), publicKey(hex)]));
    this.at = -Infinity; // of the newest, by the studio's clock, in microseconds
    this.heard = -Infinity; // by this machine's steady clock, in milliseconds
  }

  /** Whether it is to be believed: it is the studio's, and new. */
  believe(message) {
    const at = microseconds(message.at);
    const fault = this.isSigned ? this.#fault(message, at) : null;
    if (fault) this.alarm("impostor", fault);
    if (fault || at < this.at || (this.isSigned && at === this.at)) return false;
    [this.at, this.heard] = [at, now()];
    return true;
  }

  get isYoung() {
    return now() - this.heard < YOUNG_MS;
  }

  #fault(message, at) {
    const signature = message.data.signature;
    if (!signature || signature.algorithm !== "ed25519") return "a heartbeat without a signature";
    const key = this.keys.get(signature.key);
    if (key === undefined) return `a heartbeat signed with ${signature.key}`;
    const lines = ["sabot heartbeat 1", message.table, message.epoch, String(message.seq),
      message.data.head, message.at, message.data.suspended ?? ""];
    const value = Buffer.from(String(signature.value), "hex");
    if (!verify(null, Buffer.from(lines.join("\n")), key, value)) return "a wrong signature";
    if (Math.abs(at - Date.now() * 1000) > APART_US) return `a heartbeat of ${message.at}`;
    return null;
  }
}

function publicKey(hex) {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
}
