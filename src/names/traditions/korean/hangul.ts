// Hangul: the Revised Romanization for showing and keys, and sounds that also meet McCune-Reischauer and the
// spellings that Koreans use in passports.

const INITIALS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const MEDIALS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const INITIAL_SOUNDS = '< k n > t R m = p ! ! - ? J 0 k t P H'.split(' ');
const MEDIAL_SOUNDS = 'a e ya ye @ e y@ ye o Wa We We yo u W@ We Wi yu U U3 i'.split(' ');
const FINAL_SOUNDS = '- < < < n n n > R < m R R R = R m = = ! ! - > ! < ! = !'.split(' ');

const BASE = 0xac00;
/** Initial, medial and final of a syllable as their numbers; undefined for any other character. */
function parts(syllable: string): [number, number, number] | undefined {
  const code = syllable.charCodeAt(0) - BASE;
  if (code < 0 || code >= 11_172) return undefined;
  return [Math.floor(code / 588), Math.floor((code % 588) / 28), code % 28];
}

/** `-` stands for nothing. */
const part = (list: readonly string[], at: number) => (list[at] ?? '-').replace(/^-$/, '');

/** Revised Romanization of a Hangul word, syllable by syllable. */
export function hangulLatin(word: string): string {
  let out = '';
  for (const c of word) {
    const p = parts(c);
    if (p) out += part(INITIALS, p[0]) + part(MEDIALS, p[1]) + part(FINALS, p[2]);
  }
  return out;
}

/** The final ng. */
const NASAL = 21;

/** Sounds of a Hangul word. */
export function hangulSound(word: string): string {
  let out = '';
  for (const c of word) {
    const p = parts(c);
    if (!p) continue;
    const start = part(INITIAL_SOUNDS, p[0]);
    const end = p[2] === NASAL ? 'N' : part(FINAL_SOUNDS, p[2]);
    out += (start === 'R' && out.endsWith('R') ? '' : start) + part(MEDIAL_SOUNDS, p[1]) + end;
  }
  return out;
}
