// How a word sounds, coarsely: a string over a small alphabet on which words of different spelling and script meet.
// Lowercase: the sound of that letter. S = sh, C = ch/tch, X = kh, T = ts/tz, J = zh/dj, G = gh.

/** Coarse sound of a folded Latin word (a-z). Doubled letters are written once. */
export function latinSound(word: string): string {
  let out = word;
  for (const [from, to] of rules) out = out.replace(from, to);
  return out.replace(/(.)\1+/g, '$1');
}

const rules: [RegExp, string][] = [
  [/tsch|tch/g, 'C'],
  [/shch|sch|sh/g, 'S'],
  [/kh/g, 'X'],
  [/zh|dj|dzh/g, 'J'],
  [/ts|tz|cz/g, 'T'],
  [/ch/g, 'C'],
  [/gh/g, 'G'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/ck|q/g, 'k'],
  [/x/g, 'ks'],
  [/ou|oo|w(?=[^aeiouy]|$)/g, 'u'],
  [/ee|ie|y(?=[^aeiou]|$)|iy|ij/g, 'i'],
  [/ae|ai(?=[^aeiou]|$)/g, 'e'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
];
