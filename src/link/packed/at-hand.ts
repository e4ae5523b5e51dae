// Packed records in memory that threads share.
import type { Essence } from '../record.ts';
import { type Pack, UNIT } from './pack.ts';
import { unpacking } from './unpack.ts';

/** What another thread needs to read them. */
export interface AtHandView {
  pieces: SharedArrayBuffer[];
  /** By row: where its record begins, in units over all pieces; nothing where it is not there. */
  places: Uint32Array;
}

export interface AtHand {
  view(): AtHandView;
  /** Takes in records with their rows, or leaves them out where there is no room for more. */
  put(rows: ArrayLike<number>, pack: Pack): void;
}

/** Units of a piece. */
const PIECE = 2 ** 21;

/** @param rows one more than the highest row @param mostBytes what is beyond is left out */
export function atHandFor(rows: number, mostBytes: number): AtHand {
  const places = new Uint32Array(new SharedArrayBuffer(rows * Uint32Array.BYTES_PER_ELEMENT));
  const pieces: SharedArrayBuffer[] = [];
  // Nothing begins at the first unit.
  let next = 1;
  return {
    view: () => ({ pieces, places }),
    put(of, { bytes, starts }) {
      const ends = [...starts.subarray(1), bytes.byteLength / UNIT];
      const room = Math.min(PIECE, mostBytes / UNIT - next);
      const count = ends.findLastIndex((end) => end <= room) + 1;
      const units = ends[count - 1] ?? 0;
      if (units === 0) return;
      const left = PIECE - (next % PIECE);
      if (units > left) next += left;
      const piece = Math.floor(next / PIECE);
      pieces[piece] ??= new SharedArrayBuffer(PIECE * UNIT);
      new Uint8Array(pieces[piece]).set(new Uint8Array(bytes, 0, units * UNIT), (next % PIECE) * UNIT);
      for (const [i, start] of starts.subarray(0, count).entries()) places[of[i] ?? 0] = next + start;
      next += units;
    },
  };
}

/** Reads records by their rows; null where one is not at hand. */
export function readingAtHand({ pieces, places }: AtHandView): (row: number) => Essence | null {
  const readers = pieces.map(unpacking);
  return (row) => {
    const place = places[row] ?? 0;
    if (place === 0) return null;
    return readers[Math.floor(place / PIECE)]?.(place % PIECE) ?? null;
  };
}
