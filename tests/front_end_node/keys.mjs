// SPDX-License-Identifier: Apache-2.0
// Keys as people tell them, 64 characters of hex, and as libzmq wants them, 40 of Z85.

const DIGITS =
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** A key in Z85, from either. */
export function z85(key) {
  if (!/^[0-9a-fA-F]{64}$/.test(key)) return key;
  const bytes = Buffer.from(key, "hex");
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let number = bytes.readUInt32BE(at);
    let five = "";
    for (let digit = 0; digit < 5; digit += 1) {
      five = DIGITS[number % 85] + five;
      number = Math.floor(number / 85);
    }
    text += five;
  }
  return text;
}

/** Keys with commas between them, while the studio changes from one to the next. */
export const several = (text) => (text ?? "").split(",").filter(Boolean);
