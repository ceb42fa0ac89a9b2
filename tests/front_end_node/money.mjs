// SPDX-License-Identifier: Apache-2.0
// Amounts are decimal strings; they are reckoned as whole numbers and never as binary fractions.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

export const isDecimal = (text) => typeof text === "string" && DECIMAL.test(text);

/** a + b */
export function plus(a, b) {
  const places = Math.max(placesOf(a), placesOf(b));
  return written(whole(a, places) + whole(b, places), places);
}

/** a - b */
export const minus = (a, b) => plus(a, b.startsWith("-") ? b.slice(1) : `-${b}`);

const placesOf = (text) => (DECIMAL.exec(text)[3] ?? "").length;

function whole(text, places) {
  const [, sign, units, fraction = ""] = DECIMAL.exec(text);
  return BigInt(sign + units + fraction.padEnd(places, "0"));
}

function written(number, places) {
  const digits = (number < 0n ? -number : number).toString().padStart(places + 1, "0");
  const units = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return (number < 0n ? "-" : "") + units + (fraction ? `.${fraction}` : "");
}
