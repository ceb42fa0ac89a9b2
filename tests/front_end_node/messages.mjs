// SPDX-License-Identifier: Apache-2.0
// What a message must look like. More types and more members than these are welcome.

import { isDecimal } from "./money.mjs";

/** What cannot be acted on; it is then a gap. */
export class Unreadable extends Error {}

const AT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

const text = (value) => typeof value === "string";
const flag = (value) => typeof value === "boolean";
const count = (value) => Number.isSafeInteger(value) && value >= 0;
const number = (value) => typeof value === "number";
const time = (value) => text(value) && AT.test(value) && !Number.isNaN(microseconds(value));
const card = (value) => text(value) && /^[A2-9TJQK][SHDC]$/.test(value);
const total = (value) => count(value) && value <= 9;
const oneOf = (...values) => (value) => values.includes(value);
const orNull = (check) => (value) => value === null || check(value);
const many = (check) => (value) => Array.isArray(value) && value.every(check);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const of = (shape) => (value) =>
  isObject(value) && Object.entries(shape).every(([name, check]) => check(value[name]));
const map = (check) => (value) => isObject(value) && Object.values(value).every(check);

const hands = { player: many(card), banker: many(card) };
const shownTotals = { player_total: orNull(total), banker_total: orNull(total) };
const ruled = { set_aside: many(card), text };
const pairs = of({ player: flag, banker: flag });
const bets = map(isDecimal);
const result = {
  revision: count, outcome: oneOf("player", "banker", "tie"), ...hands, player_total: total,
  banker_total: total, natural: flag, pairs, bets, amendable_until: time,
};
const tableFacts = {
  environment: text, house: text, decks: count, shoe_mode: text, currency: text,
  limits: many(of({ min: isDecimal, max: isDecimal })), paytable: map(map(isDecimal)),
  dealer: text, stream: orNull(text), picture_delay_ms: count,
  software: of({ version: text, digest: text }),
};

const ENVELOPE = {
  v: oneOf(1), table: text, epoch: text, seq: count, shoe: orNull(text), round: orNull(text),
  type: text, at: time, source: text, data: isObject,
};

const DATA = {
  table_opened: tableFacts,
  table_closed: { reason: text },
  table_suspended: { reason: text },
  table_resumed: { reason: text },
  dealer_changed: { dealer: text },
  shoe_loaded: { decks: count },
  shoe_ended: { rounds: count, burned: count, left: count },
  cut_card_seen: { last_coup: text },
  bets_opened: { seconds: number, closes_at: time },
  bets_closed: {},
  card_dealt: { position: oneOf("P1", "B1", "P2", "B2", "P3", "B3"), card, ...shownTotals },
  round_held: { reason: text },
  round_released: ruled,
  round_reconstructed: { ...hands, ...shownTotals, ...ruled },
  result,
  result_amended: { ...result, supersedes: count, reason: text },
  round_voided: { revision: count, reason: text, ...ruled, supersedes: orNull(count) },
  round_closed: {},
  manual_mode: { on: flag },
  heartbeat: { head: text, suspended: orNull(text) },
};

const OF_A_ROUND = new Set(["bets_opened", "result", "result_amended", "round_voided"]);

const STATE = {
  ...tableFacts, phase: text, suspended: orNull(text), manual_mode: flag, shoe: orNull(text),
  round: orNull(text), closes_at: orNull(time), ...hands, ...shownTotals,
  last_coup: orNull(text), cards_out: count,
  results: many(of({
    ...result, round: text, seq: count, outcome: orNull(result.outcome), ...shownTotals,
    amendable_until: orNull(time),
  })),
};

const ANSWERS = {
  snapshot: { table: text, epoch: text, seq: count, head: text, state: of(STATE) },
  history: { table: text, epoch: text, payloads: many(text), more: flag },
  round: { table: text, round: text, payloads: many(text) },
  acknowledged: { table: text, round: text, revision: count },
  error: { code: text, text },
};

/** The message in these bytes; null if it is another table's. */
export function readMessage(bytes, table) {
  const message = parse(bytes);
  if (isObject(message) && text(message.table) && message.table !== table) return null;
  demand(message, ENVELOPE, "a message");
  demand(message.data, DATA[message.type] ?? {}, message.type);
  if (OF_A_ROUND.has(message.type) && message.round === null) {
    throw new Unreadable(`${message.type} of no round`);
  }
  return message;
}

/** The answer in these bytes. */
export function readAnswer(bytes) {
  const answer = parse(bytes);
  demand(answer, { v: oneOf(1), answer: text, id: orNull(text) }, "an answer");
  demand(answer, ANSWERS[answer.answer] ?? {}, answer.answer);
  return answer;
}

/** Microseconds since 1970, exact. */
export function microseconds(at) {
  const [, seconds, fraction = ""] = AT.exec(at);
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
}

function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Unreadable(error.message);
  }
}

function demand(value, shape, what) {
  if (!isObject(value)) throw new Unreadable(`${what}: no object`);
  for (const [name, check] of Object.entries(shape)) {
    if (!check(value[name])) throw new Unreadable(`${what}: ${name}`);
  }
}
