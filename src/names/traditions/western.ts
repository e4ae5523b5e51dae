// Latin letters, whatever the language: how a word sounds, coarsely, as a string of the symbols of compare/symbols.ts, on which words of
// different spelling and script meet; and German umlauts.
import { byEnding } from './alphabet.ts';
import { foldLatin } from '../script.ts';
import { relation, type Token } from '../types.ts';
import type { Form, Tradition } from './tradition.ts';
import { FEMALE, MALE } from '../lexicon.ts';

const GRAPHEMES: Record<string, string> = {
  tts: 'T',
  ttz: 'T',
  cch: 'k',
  cks: 'ks',
  dt: 't',
  bb: 'b',
  tsch: 'C',
  dsch: 'J',
  shch: 'S',
  schtsch: 'S',
  sch: 'S',
  tch: 'C',
  dzh: 'J',
  eau: 'o',
  igh: 'ai',
  ght: 't',
  oux: 'u',
  kzh: 'Z',
  sh: 'S',
  zh: 'Z',
  kh: 'X',
  ch: 'K',
  gh: 'Y',
  ph: 'f',
  th: '^',
  dh: '~',
  dj: 'J',
  ts: 'T',
  tz: 'T',
  cz: 'C',
  sz: ':',
  ck: 'k',
  qu: 'kW',
  ou: 'u',
  oo: 'u',
  ee: 'i',
  ng: 'N',
  rh: 'r',
  wh: 'w',
  bh: 'b',
  jh: 'J',
  aa: 'a',
  ii: 'i',
  uu: 'u',
  ll: 'l',
  dz: 'T',
  gn: 'Yn',
  lh: 'lH',
  nh: 'nH',
  tl: 'tl',
  rz: 'Z',
  ij: 'ai',
  oe: 'o2',
  dg: 'J',
  b: 'b',
  d: 'd',
  f: 'f',
  h: 'H',
  j: 'j',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  p: 'p',
  q: 'q',
  r: 'r',
  s: 's',
  t: 't',
  v: 'v',
  w: 'W',
  z: 'z',
};
const VOWEL = /[aeiouy]/;
const RESPELLINGS: [RegExp, string][] = [
  [/schtsch/, 'shch'],
  [/^kn/, 'n'],
  [/^wr/, 'r'],
  [/^mc/, 'mak'],
  [/^x/, '\u0001'],
  [/^hs/, 'S'],
  [/^ps/, 's'],
  [/stle$/, 'sle'],
  [/([^qgaeiou])ue(?=[^aeiouy])/g, '$1u'],
];
const WEAK: Record<string, string> = { a: '1', e: '2', i: '3', o: '4', u: '5' };

/** Coarse sound of a folded Latin word (a-z), whatever its language. */
export function latinSound(word: string): string {
  let out = '';
  let text = word;
  for (const [pattern, to] of RESPELLINGS) text = text.replace(pattern, to);
  for (let i = 0; i < text.length;) {
    const [sound, used] = read(text, i);
    i += used;
    for (const s of sound) if (s !== out.at(-1)) out += strength(s, out.at(-1));
  }
  return ending(out, text);
}

/** A vowel after a vowel is half of a diphthong: it is easily written or heard otherwise. */
function strength(symbol: string, before: string | undefined): string {
  return before && /[aeiou]/.test(before) ? (WEAK[symbol] ?? symbol) : symbol;
}

function read(text: string, i: number): [string, number] {
  for (let size = 4; size > 1; size--) {
    const found = i + size <= text.length ? GRAPHEMES[text.slice(i, i + size)] : undefined;
    if (found !== undefined) return [found, size];
  }
  const c = text.charAt(i);
  const next = text[i + 1] ?? '';
  if (c === 'c') return [/[eiy]/.test(next) ? 'c' : 'k', 1];
  if (c === 'g') return [/[eiy]/.test(next) ? 'G' : 'g', 1];
  if (c === '\u0001') return ['x', 1];
  if (c === 'x') return ['ks', 1];
  if (c === 'y') return [VOWEL.test(next) ? 'y' : 'i', 1];
  if (c === 'h' && (next === '' || !VOWEL.test(next))) return ['', 1];
  return [GRAPHEMES[c] ?? c, 1];
}

const FINALS: Record<string, string> = { t: '7', s: '8', d: '9' };

/** A last e is often silent, a last t, s or d in French too; an r after a vowel in English. */
function ending(sound: string, text: string): string {
  const out = sound.replace(/(?<=[aeiou1-5])r(?![aeiou1-5])/g, '$$');
  if (out.length < 3) return out;
  const last = text.at(-1) ?? '';
  const before = out.at(-2) ?? '';
  if (last === 'e' && !/[aeiou1-5]/.test(before)) return out.slice(0, -1) + '6';
  if (FINALS[last] && out.at(-1) === last && /[aeiou1-5$n]/.test(before))
    return out.slice(0, -1) + FINALS[last];
  return out;
}

/** Mueller, Müller and Muller are one name. */
const SPELLED_OUT = relation('equal', 0.97);
const UMLAUTS: Form = {
  when: /e/,
  make: (text) => text.replace(/(?<![aeiouqg])([aou])e/g, '$1'),
  both: SPELLED_OUT,
  one: SPELLED_OUT,
};

const ENDS = byEnding([
  [/ah?$/, 'a'],
  // Silent in French: Dubois, Renault.
  [/[ou]i?l?[dstxz]$/, 'avct'],
  [/[eiouyw]$/, 'v'],
  [/t$/, 'ct'],
  [/[a-z]$/, 'c'],
]);

export const WESTERN: Tradition = {
  writings: {
    latin: {
      read(word) {
        const text = foldLatin(word);
        return { text, sound: latinSound(text) };
      },
      sounds: { mode: 'full', rank: 0 },
      ends: (raw) => ENDS(foldLatin(raw)),
    },
  },
  form: UMLAUTS,
};

// Given names that have a form for men and one for women: they look like one name and make two people.
const FEMININE = /^(a|e|ia|ina|ine|ne|na|lle|le|te|tte|ette|ie|ya|ah|iane|iana|ane|ke|ique)$/;
const evenly = (text: string) =>
  text
    .replace(/ck|qu/g, 'k')
    .replace(/c(?![eiyh])/g, 'k')
    .replace(/(.)\1+/g, '$1');

/** Maria and Mario, Daniel and Danielle, Alan and Alana: two people's names that look like one. */
export function genderVariant(a: Token, b: Token): boolean {
  return a.sex && b.sex ? a.sex !== b.sex : genderForms(a, b);
}

/** Whether two words look like the man's and the woman's form of one name, whoever bears them. */
export function genderForms(a: Token, b: Token): boolean {
  const [one, two] = [evenly(a.text), evenly(b.text)];
  const [short, long, shorter, longer] = one.length <= two.length ? [one, two, a, b] : [two, one, b, a];
  // The longer form is the woman's: Wayn is no man's form of Wayne.
  if (short.length < long.length && (longer.sex === MALE || shorter.sex === FEMALE)) return false;
  if (short !== long && long.startsWith(short)) return FEMININE.test(long.slice(short.length));
  const stem = short.replace(/(ien|ian|ain|in|on)$/, '');
  if (stem !== short && stem === long.replace(/(ine|ienne|iane|ia|ina|onne)$/, '')) return true;
  const [s, l] = [short.slice(0, -1), long.slice(0, -1)];
  return s === l && short !== long && /[aeoi]$/.test(short) && /[aeoi]$/.test(long);
}
