// Typing, scanning and hearing mistakes in entered values, from data/generate/typos.json.
import table from '../../data/generate/typos.json' with { type: 'json' };
import type { Random } from './random.ts';

const NEIGHBOURS: Readonly<Record<string, string>> = table.neighbours;
/** Letters that a scanner confuses: the letters on paper, and what the scanner reads. */
const LOOKS = Object.entries(table.looks);
/** Letters that sound alike: the true spelling, and how a listener may write it. */
const SOUNDS = Object.entries(table.sounds);

/** Input method of a text, which determines the type of mistakes. */
export type TextEntryMethod = 'keyed' | 'scanned' | 'heard';

/** Adds one mistake to a text. A text of one letter stays unchanged. */
export function addTypo(text: string, entry: TextEntryMethod, random: Random): string {
  if (text.length < 2) return text;
  if (entry === 'scanned') return replaceOne(text, LOOKS, random);
  if (entry === 'heard') return replaceOne(text, SOUNDS, random);
  return misskey(text, random);
}

function replaceOne(text: string, pairs: [string, string][], random: Random): string {
  const start = random.int(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    const [from, to] = pairs[(start + i) % pairs.length] ?? ['', ''];
    const place = text.indexOf(from, 1);
    if (place > 0) return text.slice(0, place) + to + text.slice(place + from.length);
  }
  return misskey(text, random);
}

/**
 * Adds a typing error: replaces a letter by a neighbour on the keyboard, swaps two letters, or drops or doubles one. The first letter is rarely
 * changed.
 */
function misskey(text: string, random: Random): string {
  const place = random.chance(0.08) ? 0 : random.between(1, text.length - 1);
  const letter = text.charAt(place);
  const [before, after] = [text.slice(0, place), text.slice(place + 1)];
  const kind = random.next();
  if (kind < 0.3) return before + neighbour(letter, random) + after;
  if (kind < 0.55 && after !== '') return before + after.charAt(0) + letter + after.slice(1);
  return kind < 0.8 ? before + after : before + letter + letter + after;
}

function neighbour(letter: string, random: Random): string {
  if (letter >= '0' && letter <= '9') return String((Number(letter) + (random.chance(0.5) ? 1 : 9)) % 10);
  const others = NEIGHBOURS[letter.toLowerCase()] ?? '';
  return others === '' ? letter : others.charAt(random.int(others.length));
}

/** Changes one of the last six digits, or swaps two of them. */
export function addDigitTypo(digits: string, random: Random): string {
  const place = digits.length - random.between(2, 6);
  const [before, digit, next, after] = [
    digits.slice(0, place),
    digits.charAt(place),
    digits.charAt(place + 1),
    digits.slice(place + 2),
  ];
  if (digit !== next && random.chance(0.5)) return before + next + digit + after;
  return before + String((Number(digit) + random.between(1, 9)) % 10) + next + after;
}
