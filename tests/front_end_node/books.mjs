// SPDX-License-Identifier: Apache-2.0
// The money: what was paid on each round, by which revision, and which corrections the studio has
// not yet heard that we have. One unit is staked on every bet of every round.

import { microseconds } from "./messages.mjs";
import { minus, plus } from "./money.mjs";

const DAY_US = 24 * 3600 * 1e6;

export class Books {
  constructor(alarm, stored = { rounds: [], toAcknowledge: [] }) {
    this.alarm = alarm;
    this.rounds = new Map(stored.rounds);
    this.toAcknowledge = new Map(stored.toAcknowledge);
  }

  stored() {
    return { rounds: [...this.rounds], toAcknowledge: [...this.toAcknowledge] };
  }

  /** A round under way. */
  open(id) {
    if (!this.rounds.has(id)) {
      this.rounds.set(id, { revision: 0, outcome: null, until: null, payments: [] });
    }
  }

  /** A round as a snapshot has it, which is new to us. What we know already stays as it is. */
  found(result) {
    if (!this.rounds.has(result.round)) this.#pay(result.round, result, result.amendable_until);
  }

  /** A result, an amendment or a void: pay the difference, unless a higher revision was paid. */
  stand(message) {
    const { round: id, data } = message;
    const round = this.rounds.get(id);
    if (round !== undefined && data.revision <= round.revision) return;
    if (round?.until && microseconds(message.at) > microseconds(round.until)) {
      this.alarm("late", `revision ${data.revision} of ${id} is not paid: it came too late`);
      return;
    }
    this.#pay(id, { revision: data.revision, ...owed(message) }, data.amendable_until ?? null,
      message.at);
    if (message.type !== "result") {
      this.toAcknowledge.set(`${id} ${data.revision}`,
        { round: id, revision: data.revision, epoch: message.epoch });
    }
  }

  /** What stands for a round, as the studio says after a restore; undefined: it is under way. */
  confirm(id, message) {
    this.open(id);
    const paid = this.rounds.get(id);
    const revision = message?.data.revision ?? 0;
    const isOther = revision === paid.revision && revision > 0
      && JSON.stringify(owed(message)) !== JSON.stringify(paid.owed);
    if (revision < paid.revision || isOther) {
      this.alarm("lost revision", `${id} was paid by revision ${paid.revision}; call the studio`);
      this.suspend(id);
    } else if (message) this.stand(message);
  }

  suspend(id) {
    this.open(id);
    this.rounds.get(id).unknown = true;
  }

  /** Rounds that have no result yet, or one that may still be amended. */
  openRounds(clock) {
    return [...this.rounds].filter(([, round]) => !isOver(round, clock)).map(([id]) => id);
  }

  /** Rounds of long ago go. */
  forget(clock) {
    for (const [id, round] of this.rounds) {
      if (isOver(round, clock - DAY_US)) this.rounds.delete(id);
    }
  }

  /** Every round with a result, and what was paid on it in all. */
  results() {
    const known = [...this.rounds].filter(([, round]) => round.revision > 0);
    return Object.fromEntries(known.map(([id, round]) =>
      [id, { revision: round.revision, outcome: round.outcome, paid: paidOn(round) }]));
  }

  unknown() {
    return [...this.rounds].filter(([, round]) => round.unknown).map(([id]) => id);
  }

  #pay(id, { revision, outcome, bets }, until, at = null) {
    this.open(id);
    const round = this.rounds.get(id);
    const paid = paidOn(round);
    for (const bet of new Set([...Object.keys(bets), ...Object.keys(paid)])) {
      const amount = minus(bets[bet] ?? "0", paid[bet] ?? "0");
      if (amount !== "0" || !(bet in paid)) round.payments.push({ revision, bet, amount });
    }
    const stands = { revision, outcome, owed: { outcome, bets }, until, at, unknown: false };
    Object.assign(round, stands);
  }
}

const owed = ({ type, data }) => (type === "round_voided"
  ? { outcome: null, bets: {} } : { outcome: data.outcome, bets: data.bets });

// A void does not say until when it may be amended.
function isOver(round, clock) {
  if (round.revision === 0) return false;
  if (round.until === null) return round.at !== null && microseconds(round.at) + DAY_US < clock;
  return microseconds(round.until) < clock;
}

function paidOn(round) {
  const paid = {};
  for (const { bet, amount } of round.payments) paid[bet] = plus(paid[bet] ?? "0", amount);
  return paid;
}
