// UTF-8 that was taken for Windows-1252 or ISO-8859-1 and encoded once more: `MÃ¼ller`.
import { isUtf8 } from 'node:buffer';

const DECODED = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
/** Some programs take it for ISO-8859-1, which has control characters where the other has signs. */
const BYTES = new Map(
  Array.from(DECODED, (sign, byte): [string, number][] => [
    [sign, byte],
    [String.fromCharCode(byte), byte],
  ]).flat(),
);
const RUN = /[^\0-\x7f]+/g;

/** A text with what was encoded twice put right, and all else as it is. */
export const encodedOnce = (text: string): string =>
  text.replace(RUN, (run) => {
    const bytes = Array.from(run, (sign) => BYTES.get(sign));
    if (!bytes.every((byte) => byte !== undefined)) return run;
    const whole = Buffer.from(bytes);
    return isUtf8(whole) ? whole.toString('utf8') : run;
  });
