// Korean in Latin letters, as Koreans spell it.

const RULES: [RegExp, string][] = [
  [/^(sh|ss)/, 's'],
  [/^(ch|jj|j)/, 'c'],
  [/^(kk|g)/, 'k'],
  [/^(tt|d)/, 't'],
  [/^(pp|b)/, 'p'],
  [/^r/, 'l'],
  [/eo|ou|oo|eu/g, 'u'],
  [/^woo?(?!n)/, 'u'],
  [/u?ee|ui|yi/g, 'i'],
  [/ae|ai|ay/g, 'e'],
  [/wu/g, 'u'],
  [/h$/, ''],
  [/[gk]$/, 'k'],
  [/nk$/, 'ng'],
];

/** One form for the spellings of a Korean syllable: Young, Yeong and Yung, Chung, Jung and Jeong. */
export function syllableForm(syllable: string): string {
  let out = syllable;
  for (const [pattern, to] of RULES) out = out.replace(pattern, to);
  return out;
}

const SYLLABLE = /[^aeiouyw]*[yw]?[aeiou]+(?:ng|[nmklpt](?![aeiouyw])|g(?![aeiouyw]))?(?:h(?![aeiouyw]))?/g;

/** Form of a Korean name of one or two syllables; empty for words that do not divide so. */
export function givenForm(text: string): string {
  const word = text.replace('rk', 'k');
  const parts = word.match(SYLLABLE) ?? [];
  return parts.length <= 2 && parts.join('') === word ? `${parts.map(syllableForm).join('.')}.` : '';
}
