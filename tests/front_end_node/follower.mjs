// SPDX-License-Identifier: Apache-2.0
// One table, followed: what came is told to it, it tells what to ask. It knows no socket, no disk.

import { randomUUID } from "node:crypto";

import { Acknowledging } from "./acknowledging.mjs";
import { Books } from "./books.mjs";
import { Heartbeats } from "./heartbeats.mjs";
import { microseconds, readAnswer, readMessage, Unreadable } from "./messages.mjs";
import { changed } from "./picture.mjs";
import { ofAnswer, sha256, Signatures } from "./signatures.mjs";

const SILENCE_MS = 3000;
const PATIENCE_MS = 2000;
const AGAIN_MS = 250; // before an answer that brought nothing is asked for again
const REMEMBERED = 1000;
const KEPT = 10000;

const now = () => performance.now();

export class Follower {
  /** `isKeyed`: by CURVE. `isRelayed`: by somebody whom we do not trust. */
  constructor({ table, environment, signingKeys, isKeyed, isRelayed, alarm, stored }) {
    Object.assign(this, { table, environment, isKeyed, isRelayed, alarm });
    this.signatures = new Signatures(signingKeys);
    this.heartbeats = new Heartbeats(this.signatures, alarm);
    this.books = new Books(alarm, stored?.books);
    this.acknowledging = new Acknowledging(this.books, alarm);
    this.mode = stored ? "live" : "joining";
    this.epoch = stored?.epoch ?? null;
    this.last = stored?.last ?? 0;
    this.head = stored?.head ?? "";
    this.state = stored?.state ?? null;
    this.isBroken = stored?.isBroken ?? false;
    this.left = new Set(stored?.left);
    this.proven = stored?.proven ?? 0;
    this.provenView = null;
    this.unproven = stored?.unproven ?? []; // results that wait for a heartbeat
    this.isRefused = false;
    this.isStale = false;
    this.isFresh = false; // heard of the newest message again after silence
    this.isMore = stored !== undefined; // history may have more
    this.isCutOff = false; // history has no more of this epoch
    this.known = this.last;
    this.beat = null;
    this.heard = now();
    this.kept = new Map(); // by epoch and seq
    this.heads = new Map([[this.last, { head: this.head }]]);
    this.claims = new Map();
    this.toCheck = new Set();
    this.asked = null;
    this.notBefore = 0;
  }

  stored() {
    const { epoch, last, head, state, isBroken, left, proven, unproven } = this;
    return { epoch, last, head, state, isBroken, left: [...left], proven, unproven,
      books: this.books.stored() };
  }

  // --- what came ---------------------------------------------------------------------------------

  /** The payload of a message. */
  message(bytes) {
    const message = this.#read(() => readMessage(bytes, this.table));
    if (message === null || this.isRefused || this.isBroken) return;
    const isHeartbeat = message.type === "heartbeat";
    if (isHeartbeat && !this.heartbeats.believe(message)) return;
    if (!isHeartbeat && this.signatures.isUsed && !this.heartbeats.isYoung) return;
    if (this.left.has(message.epoch)) return;
    this.heard = now();
    if (this.epoch !== null && message.epoch !== this.epoch) this.#foreign(message, bytes);
    else if (isHeartbeat) this.#heartbeat(message);
    else if (this.epoch === null) this.#keep(message, bytes);
    else if (message.seq > this.last) {
      if (message.seq === this.last + 1) this.isFresh = true;
      this.known = Math.max(this.known, message.seq);
      this.#keep(message, bytes);
      this.#applyKept();
    } else this.#compare(message, bytes);
    this.#settleDown();
  }

  /** The frame of an answer. */
  answer(bytes) {
    const answer = this.#read(() => readAnswer(bytes));
    if (answer === null || this.isRefused) return;
    if (this.acknowledging.isOurs(answer)) {
      const round = this.acknowledging.answered(answer);
      if (round !== null) this.toCheck.add(round);
      return;
    }
    const asked = this.asked;
    if (asked === null || answer.id !== asked.id || !this.#isTheirs(answer, bytes)) return;
    this.asked = null;
    if (answer.answer === "error") this.#no(answer, asked);
    else if (answer.answer === asked.ask && answer.table === this.table) {
      if (answer.answer === "snapshot") this.#snapshot(answer);
      else if (answer.answer === "history") this.#history(answer);
      else if (answer.round === asked.round) this.#round(answer);
    }
    this.#settleDown();
  }

  /** What to send now. */
  requests() {
    const requests = this.isKeyed ? this.acknowledging.requests(this.table) : [];
    if (now() - this.heard >= SILENCE_MS && !this.isStale) {
      [this.isStale, this.isFresh] = [true, false];
    }
    const isWaiting = this.asked !== null && now() - this.asked.at < PATIENCE_MS;
    if (!isWaiting && now() >= this.notBefore && !this.isRefused && !this.isBroken) {
      const wanted = this.#wanted();
      this.asked = wanted && { ...wanted, id: randomUUID(), at: now() };
      if (wanted) requests.push({ v: 1, id: this.asked.id, table: this.table, ...wanted });
    }
    return requests;
  }

  // --- what is so --------------------------------------------------------------------------------

  /** Whether a bet would be taken now on the round under way. */
  get isOpen() {
    const { state, beat } = this;
    return this.mode === "live" && this.#isComplete() && this.#isTrusted()
      && state.phase === "bets_open" && state.suspended === null && beat.suspended === null
      && state.closes_at !== null && this.#clock < microseconds(state.closes_at);
  }

  get status() {
    if (this.isRefused) return "refused";
    if (this.isBroken) return "broken";
    if (this.mode !== "live") return this.mode;
    if (!this.#isTrusted()) return "stale";
    return this.#isComplete() ? "live" : "behind";
  }

  /** What we say of it. Behind a relay it is that of the last proven message, without bets. */
  view() {
    const isWaiting = this.isRelayed && this.proven < this.last && !this.isBroken;
    if (isWaiting && this.provenView !== null) {
      return { ...this.provenView, open: false, status: this.status };
    }
    this.provenView = {
      table: this.table, epoch: this.epoch, seq: this.last, open: !this.isRefused && this.isOpen,
      round: this.state?.round ?? null, results: this.books.results(),
      unknown: this.books.unknown(), status: this.status,
    };
    return this.provenView;
  }

  #isComplete() {
    return this.known <= this.last && !this.isMore && !this.isCutOff
      && !(this.isRelayed && this.proven < this.last);
  }

  #isTrusted() {
    return !this.isBroken && !this.isStale && now() - this.heard < SILENCE_MS
      && this.beat !== null && now() - this.beat.heard < SILENCE_MS;
  }

  // The studio's, in microseconds.
  get #clock() {
    return this.beat === null ? -Infinity : this.beat.at + (now() - this.beat.heard) * 1000;
  }

  // --- messages ----------------------------------------------------------------------------------

  #foreign(message, bytes) {
    if (message.type !== "heartbeat") this.#keep(message, bytes);
    this.#otherEpoch();
  }

  #otherEpoch() {
    if (this.mode === "other epoch") return;
    this.mode = "other epoch";
    this.toCheck = new Set(this.#openRounds());
  }

  #heartbeat(message) {
    const { seq, epoch, data: { head, suspended } } = message;
    this.beat = { seq, epoch, head, suspended, at: microseconds(message.at), heard: now() };
    if (this.epoch !== null) this.#believed();
  }

  // The newest heartbeat, of this epoch, compared with what we have.
  #believed() {
    const { seq, head } = this.beat;
    this.known = Math.max(this.known, seq);
    if (seq >= this.last) this.isFresh = true;
    if (seq > this.last) this.claims.set(seq, head);
    else if (this.heads.has(seq) && this.heads.get(seq).head !== head) this.#break(seq);
    else this.#prove(seq);
  }

  #keep(message, bytes) {
    if (this.kept.size >= KEPT) return; // history brings it again
    const key = `${message.epoch} ${message.seq}`;
    if (!this.kept.has(key)) this.kept.set(key, { message, bytes });
  }

  #compare(message, bytes) {
    const had = this.heads.get(message.seq)?.digest;
    if (had !== undefined && had !== sha256(bytes)) this.#break(message.seq);
  }

  #applyKept() {
    for (;;) {
      const key = `${this.epoch} ${this.last + 1}`;
      const next = this.kept.get(key);
      if (next === undefined || !this.#apply(next.message, next.bytes)) return;
      this.kept.delete(key);
    }
  }

  /** Whether it was applied. */
  #apply(message, bytes) {
    if (this.isRefused || this.isBroken) return false;
    if (message.type === "table_opened" && !this.#isMine(message.data.environment)) return false;
    const head = sha256(Buffer.from(this.head, "hex"), bytes);
    const claim = this.claims.get(message.seq);
    if (claim !== undefined && claim !== head) {
      this.#break(message.seq);
      return false;
    }
    [this.last, this.head] = [message.seq, head];
    this.heads.set(message.seq, { head, digest: sha256(bytes) });
    this.heads.delete(message.seq - REMEMBERED);
    this.state = changed(this.state, message);
    this.#account(message);
    if (this.claims.delete(message.seq)) this.#prove(message.seq);
    return true;
  }

  #account(message) {
    const { type, seq } = message;
    if (type === "bets_opened") {
      this.books.open(message.round);
      this.books.forget(this.#clock);
    }
    if (type === "table_resumed" && this.beat !== null && this.beat.seq < seq) {
      this.beat.suspended = null;
    }
    if (type === "result" || type === "result_amended" || type === "round_voided") {
      if (this.isRelayed) this.unproven.push(message);
      else this.books.stand(message);
    }
  }

  // The studio has signed for everything up to this one.
  #prove(seq) {
    this.proven = Math.max(this.proven, seq);
    while (this.unproven.length && this.unproven[0].seq <= this.proven) {
      this.books.stand(this.unproven.shift());
    }
  }

  // --- answers -----------------------------------------------------------------------------------

  #wanted() {
    if (this.mode === "joining") return { ask: "snapshot" };
    if ((this.known > this.last || this.isMore) && !this.isCutOff) {
      return { ask: "history", epoch: this.epoch, after: this.last, limit: 1000 };
    }
    const [round] = this.toCheck;
    if (round !== undefined) return { ask: "round", round };
    return this.mode === "other epoch" ? { ask: "snapshot" } : null;
  }

  #snapshot({ epoch, seq, head, state }) {
    if (this.mode === "other epoch" && epoch === this.epoch && !this.isCutOff) {
      for (const key of this.kept.keys()) this.#leave(key.split(" ")[0]);
      this.mode = "live";
      return;
    }
    if (!this.#isMine(state.environment)) return;
    this.toCheck = new Set(this.#openRounds());
    if (this.epoch !== null && this.epoch !== epoch) this.#leave(this.epoch);
    Object.assign(this, { epoch, last: seq, head, state, isMore: false, isCutOff: false });
    Object.assign(this, { proven: seq, unproven: [] }); // signed; and rounds are asked for
    this.heads = new Map([[seq, { head }]]);
    this.claims = new Map();
    for (const result of state.results) this.books.found(result);
    if (state.round !== null) this.books.open(state.round);
    this.mode = "live";
    this.known = seq;
    for (const [key, { message }] of this.kept) {
      if (message.epoch !== epoch || message.seq <= seq) this.kept.delete(key);
      else this.known = Math.max(this.known, message.seq);
    }
    if (this.beat?.epoch === epoch) this.#believed();
    else this.beat = null;
    this.#applyKept();
  }

  #leave(epoch) {
    if (epoch !== this.epoch || this.mode !== "live") this.left.add(epoch);
  }

  #history({ epoch, payloads, more }) {
    if (epoch !== this.epoch) return;
    const before = this.last;
    for (const payload of payloads) {
      const bytes = Buffer.from(payload);
      const message = this.#read(() => readMessage(bytes, this.table));
      if (message?.epoch === epoch && message.seq === this.last + 1) this.#apply(message, bytes);
    }
    this.isMore = more;
    this.#applyKept();
    if (this.last === before) this.notBefore = now() + AGAIN_MS;
  }

  #round({ round, payloads }) {
    this.toCheck.delete(round);
    const stood = payloads.map((payload) =>
      this.#read(() => readMessage(Buffer.from(payload), this.table)));
    if (stood.some((message) => message?.round !== round)) {
      this.alarm("unreadable", `what stands for ${round}`);
      this.books.suspend(round);
      return;
    }
    stood.sort((a, b) => a.data.revision - b.data.revision);
    this.books.confirm(round, stood.at(-1));
  }

  // Behind a relay only what is signed. What is signed wrongly is nobody's.
  #isTheirs(answer, bytes) {
    if (!["snapshot", "round"].includes(answer.answer) || !this.signatures.isUsed) return true;
    if (!answer.signature && !this.isRelayed) return true;
    const fault = this.signatures.fault(answer.signature, ofAnswer(answer, bytes));
    if (fault) this.alarm("impostor", `a ${answer.answer} is ${fault}`);
    return fault === null;
  }

  #no({ code, text }, asked) {
    if (code === "epoch_changed" || code === "too_old") {
      this.isCutOff = true;
      this.#otherEpoch();
    } else if (code === "unknown_round") {
      this.alarm("unknown round", asked.round);
      this.books.suspend(asked.round);
      this.toCheck.delete(asked.round);
    } else {
      this.alarm(code, text);
      this.notBefore = now() + PATIENCE_MS;
    }
  }

  // --- trouble -----------------------------------------------------------------------------------

  #read(read) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.alarm("unreadable", error.message);
      return null;
    }
  }

  #isMine(environment) {
    if (environment === this.environment) return true;
    this.isRefused = true;
    this.alarm("environment", `${this.table} is ${environment}, not ${this.environment}`);
    return false;
  }

  #break(seq) {
    this.isBroken = true;
    this.alarm("chain", `message ${seq} of ${this.epoch} is not what the studio says it told`);
  }

  #settleDown() {
    if (this.isStale && this.isFresh && this.#isComplete()) this.isStale = false;
  }

  #openRounds() {
    return this.books.openRounds(this.#clock);
  }
}
