// Wade-Giles, as names are spelt in Taiwan and by whoever left China before pinyin: without the marks that nobody writes.

const INITIALS: Record<string, string> = {
  b: 'p',
  d: 't',
  g: 'k',
  j: 'ch',
  q: 'ch',
  x: 'hs',
  zh: 'ch',
  r: 'j',
  z: 'ts',
  c: 'ts',
};

/** Whole syllables that the rules below do not make. */
const IRREGULAR: Record<string, string> = {
  zi: 'tzu',
  ci: 'tzu',
  si: 'ssu',
  zhi: 'chih',
  chi: 'chih',
  shi: 'shih',
  ri: 'jih',
  er: 'erh',
  you: 'yu',
  yan: 'yen',
  ye: 'yeh',
  yue: 'yueh',
  yong: 'yung',
  ge: 'ko',
  ke: 'ko',
  he: 'ho',
  gui: 'kuei',
  kui: 'kuei',
};

const FINALS: readonly (readonly [pinyin: RegExp, wadeGiles: string])[] = [
  [/^ian$/, 'ien'],
  [/^(i|u)e$/, '$1eh'],
  [/^(i?)ong$/, '$1ung'],
];

const SYLLABLE = /^([zcs]h|[bpmfdtnlgkhjqxrzcsyw])?(.+)$/;

/** The Wade-Giles spelling of a pinyin syllable. */
export function wadeGilesOf(pinyin: string): string {
  const irregular = IRREGULAR[pinyin];
  if (irregular !== undefined) return irregular;
  const [, start = '', end = ''] = SYLLABLE.exec(pinyin) ?? [];
  const rounded = end === 'uo' && !/^[gkh]$/.test(start) ? 'o' : end;
  const final = FINALS.reduce((text, [pattern, to]) => text.replace(pattern, to), rounded);
  return (INITIALS[start] ?? start) + final;
}
