// SPDX-License-Identifier: Apache-2.0
// The studio is told of each correction that was paid, until it has answered.

import { randomUUID } from "node:crypto";

const PATIENCE_MS = 2000;
const AT_A_TIME = 50;

const now = () => performance.now();

export class Acknowledging {
  constructor(books, alarm) {
    this.books = books;
    this.alarm = alarm;
    this.said = new Map(); // by id
  }

  /** What to send now. */
  requests(table) {
    for (const [id, { at }] of this.said) {
      if (now() - at >= PATIENCE_MS) this.said.delete(id);
    }
    const underWay = new Set([...this.said.values()].map(({ key }) => key));
    const waiting = [...this.books.toAcknowledge].filter(([key]) => !underWay.has(key));
    return waiting.slice(0, Math.max(0, AT_A_TIME - underWay.size)).map(([key, what]) => {
      const id = randomUUID();
      this.said.set(id, { key, round: what.round, at: now() });
      return { v: 1, id, ask: "acknowledge", table, ...what };
    });
  }

  /** Whether it answers one of these. */
  isOurs(answer) {
    return this.said.has(answer.id);
  }

  /** The round that must be asked for, if any. */
  answered(answer) {
    const { key, round } = this.said.get(answer.id);
    this.said.delete(answer.id);
    this.books.toAcknowledge.delete(key);
    if (answer.answer !== "error") return null;
    this.alarm(answer.code, answer.text);
    return answer.code === "epoch_changed" ? round : null;
  }
}
