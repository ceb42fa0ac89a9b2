// SPDX-License-Identifier: Apache-2.0
// What the studio signs, and whether it did. A key that comes with a message proves nothing.

import { createHash, createPublicKey, verify } from "node:crypto";

export class Signatures {
  /** `keys`: the studio's, in hex. */
  constructor(keys) {
    this.isUsed = keys.length > 0;
    this.keys = new Map(keys.map((hex) => [hex.toLowerCase(), publicKey(hex)]));
  }

  /** What is wrong with a signature of these lines; null if nothing is. */
  fault(signature, lines) {
    if (!signature || signature.algorithm !== "ed25519") return "not signed";
    const key = this.keys.get(signature.key);
    if (key === undefined) return `signed with the key ${signature.key}`;
    const value = Buffer.from(String(signature.value), "hex");
    return verify(null, Buffer.from(lines.join("\n")), key, value) ? null : "wrongly signed";
  }
}

/** The lines that are signed of a heartbeat. */
export const ofHeartbeat = ({ table, epoch, seq, at, data }) =>
  ["sabot heartbeat 1", table, epoch, String(seq), data.head, at, data.suspended ?? ""];

/** The lines that are signed of a snapshot or a round; `bytes` are those of the answer. */
export function ofAnswer(answer, bytes) {
  const { id, table } = answer;
  if (answer.answer === "round") {
    return ["sabot round 1", id, table, answer.round, sha256(answer.payloads.join("\n"))];
  }
  const state = sha256(rawMember(bytes.toString(), "state"));
  return ["sabot snapshot 1", id, table, answer.epoch, String(answer.seq), answer.head, state];
}

export function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** A member of a JSON object, as it is written there. */
export function rawMember(json, name) {
  let at = json.indexOf("{") + 1;
  for (;;) {
    const [key, colon] = token(json, at);
    const [value, end] = token(json, colon + 1);
    if (JSON.parse(key) === name) return value;
    if (json[end] !== ",") return "";
    at = end + 1;
  }
}

// The key or value that begins at or after `start`, and where the next sign after it is.
function token(json, start) {
  let depth = 0;
  let inText = false;
  for (let at = start; at < json.length; at += 1) {
    const sign = json[at];
    if (inText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inText = false;
    } else if (depth === 0 && ",:}]".includes(sign)) return [json.slice(start, at).trim(), at];
    else if (sign === '"') inText = true;
    else if ("{[".includes(sign)) depth += 1;
    else if ("}]".includes(sign)) depth -= 1;
  }
  return [json.slice(start).trim(), json.length];
}

function publicKey(hex) {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
}
