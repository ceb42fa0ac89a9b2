// SPDX-License-Identifier: Apache-2.0
// A betting front-end's half of the feed, written from the integrators' page alone. It follows one
// table and prints its view of it, one JSON object a line, whenever that has changed.
//
//   SABOT_TABLE         what to follow
//   SABOT_ENVIRONMENT   whether that must be live or test
//   SABOT_EVENTS, SABOT_REQUESTS           the studio's sockets
//   SABOT_SERVER_KEY, SABOT_SIGNING_KEY    its keys; two of a kind with a comma between them
//   SABOT_PUBLIC_KEY, SABOT_SECRET_KEY     our own. Keys of sockets are in Z85 or in hex
//   SABOT_RELAY         unless empty: the sockets are of somebody in between, whom we do not trust
//   SABOT_STORE         a file for what must outlive this process; without it, nothing does
//   SABOT_PICTURE       unless empty: each view has the whole state, as `picture`

import fs from "node:fs";

import { Follower } from "./follower.mjs";
import { several, z85 } from "./keys.mjs";
import { Link } from "./link.mjs";

const TICK_MS = 100;

const settings = process.env;
const table = needed("SABOT_TABLE");
const servers = several(settings.SABOT_SERVER_KEY).map(z85);
const keys = servers.length === 0 ? null : {
  servers, publicKey: z85(needed("SABOT_PUBLIC_KEY")), secretKey: z85(needed("SABOT_SECRET_KEY")),
};
const store = settings.SABOT_STORE;

const follower = new Follower({
  table,
  environment: needed("SABOT_ENVIRONMENT"),
  signingKeys: several(settings.SABOT_SIGNING_KEY),
  isKeyed: keys !== null,
  isRelayed: Boolean(settings.SABOT_RELAY),
  alarm: (what, text) => process.stderr.write(`${what}: ${text}\n`),
  stored: store && fs.existsSync(store) ? JSON.parse(fs.readFileSync(store, "utf8")) : undefined,
});
const link = new Link({
  table,
  events: needed("SABOT_EVENTS"),
  requests: needed("SABOT_REQUESTS"),
  keys,
  onMessage: (payload) => later(() => follower.message(payload)),
  onAnswer: (frame) => later(() => follower.answer(frame)),
});
const clock = setInterval(() => {
  link.tick();
  act();
}, TICK_MS);

let isDue = false;
let shown = "";
let kept = "";

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(0));
process.stdout.on("error", () => stop(0)); // nobody reads it

// What is waiting is taken in first, then acted upon once.
function later(take) {
  take();
  if (isDue) return;
  isDue = true;
  setImmediate(act);
}

// On disk before anybody hears of it.
function act() {
  isDue = false;
  keep();
  for (const request of follower.requests()) link.send(request);
  const view = follower.view();
  if (settings.SABOT_PICTURE) view.picture = follower.state;
  const line = JSON.stringify(view);
  if (line !== shown) process.stdout.write(`${line}\n`);
  shown = line;
  if (follower.isRefused) stop(1);
}

function keep() {
  if (!store || follower.epoch === null) return;
  const now = JSON.stringify(follower.stored());
  if (now === kept) return;
  const file = fs.openSync(`${store}.new`, "w", 0o600);
  fs.writeSync(file, now);
  fs.fsyncSync(file);
  fs.closeSync(file);
  fs.renameSync(`${store}.new`, store);
  kept = now;
}

function stop(status) {
  clearInterval(clock);
  link.close();
  process.exitCode = status;
}

function needed(name) {
  const value = settings[name];
  if (value) return value;
  process.stderr.write(`${name} is not set; see the first lines of front_end.mjs\n`);
  process.exit(2);
}
