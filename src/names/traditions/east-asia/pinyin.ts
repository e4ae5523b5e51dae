// Chinese syllables in Latin letters: pinyin and Wade-Giles meet in one form.

const FINALS =
  'a o e ai ei ao ou an en ang eng ong i ia ie iao iu ian in iang ing iong u ua uo uai ui uan un uang ue'.split(
    ' ',
  );
const PINYIN_INITIALS = ['', ...'b p m f d t n l g k h j q x zh ch sh r z c s y w'.split(' ')];
const CLASSES: Record<string, string> = {
  b: 'p',
  d: 't',
  g: 'k',
  j: 'c',
  q: 'c',
  zh: 'c',
  ch: 'c',
  x: 'x',
  hs: 'x',
  z: 'z',
  c: 'z',
  ts: 'z',
  tz: 'z',
  sz: 's',
  ss: 's',
  j_: 'r',
};
const WADE_GILES_FINALS: Record<string, string> = {
  ien: 'ian',
  ieh: 'ie',
  ueh: 'ue',
  uei: 'ui',
  ung: 'ong',
  ih: 'i',
  eh: 'e',
  o: 'o',
  iung: 'iong',
  yueh: 'ue',
  erh: 'er',
};

const FORMS = new Map<string, string>();
const PINYIN = new Set<string>();

function build(): void {
  for (const initial of PINYIN_INITIALS) {
    for (const final of FINALS) {
      const syllable = initial + final;
      if (!plausible(initial, final)) continue;
      PINYIN.add(syllable);
      FORMS.set(syllable, form(initial, final));
    }
  }
  for (const initial of ['', ...'p m f t n l k h ch hs sh j ts tz s y w'.split(' ')]) {
    for (const final of [...FINALS, ...Object.keys(WADE_GILES_FINALS)]) {
      const syllable = initial + final;
      if (!FORMS.has(syllable))
        FORMS.set(syllable, form(initial === 'j' ? 'r' : initial, WADE_GILES_FINALS[final] ?? final));
    }
  }
  for (const [wadeGiles, pinyin] of [
    ['szu', 'si'],
    ['ssu', 'si'],
    ['tzu', 'zi'],
    ['tsu', 'zu'],
    ['yu', 'yu'],
    ['yen', 'yan'],
    ['yeh', 'ye'],
    ['jih', 'ri'],
    ['jen', 'ren'],
    ['erh', 'er'],
    ['er', 'er'],
    ['kuo', 'guo'],
    ['ko', 'ge'],
    ['ho', 'he'],
    ['lo', 'luo'],
    ['to', 'duo'],
    ['shih', 'shi'],
    ['chih', 'zhi'],
  ] as const)
    if (!PINYIN.has(wadeGiles)) FORMS.set(wadeGiles, form(...halves(pinyin)));
}

function halves(syllable: string): [string, string] {
  const at = syllable.search(/[aeiou]/);
  return [syllable.slice(0, at), syllable.slice(at)];
}

/** Excludes combinations that pinyin does not have, so that its spellings can be told from others. */
function plausible(initial: string, final: string): boolean {
  if (initial === '') return /^(a|o|e|ai|ei|ao|ou|an|en|ang|eng)$/.test(final);
  if (/^[jqx]$/.test(initial)) return /^(i.*|u|ue|uan|un)$/.test(final);
  if (initial === 'y') return /^(a|e|ao|ou|an|ang|i|in|ing|u|ue|uan|un|ong|o)$/.test(final);
  if (initial === 'w') return /^(a|o|ai|ei|an|en|ang|eng|u)$/.test(final);
  if (/^([zcs]h?|r|[gkh])$/.test(initial))
    return !/^i.|^in|^ue$|^o$/.test(final) && !(final === 'i' && /^[gkh]$/.test(initial));
  if (/^[bpmf]$/.test(initial)) return !/^(u.+|ou?ng|iang|iong|ia)$/.test(final) || false;
  if (/^[dt]$/.test(initial) && /^i(a|n|ang|ong)$/.test(final)) return false;
  return !/^(o|ua|uai|uang)$/.test(final);
}

function form(initial: string, final: string): string {
  const start = initial === 'y' || initial === 'w' ? '' : (CLASSES[initial] ?? initial);
  let end = final;
  if (initial === 'y')
    end = final.startsWith('i')
      ? final
      : final.startsWith('u')
        ? 'v' + final.slice(1)
        : `i${final === 'an' ? 'an' : final}`;
  if (initial === 'w') end = final === 'u' ? 'u' : `u${final}`;
  if (/^[jqx]$|^hs$/.test(initial) && final.startsWith('u')) end = 'v' + final.slice(1);
  if (end === 'uo' || end === 'e') end = 'o';
  if (end === 'uen') end = 'un';
  if (end === 'uei') end = 'ui';
  if (end === 'iou') end = 'iu';
  return `${start}${end.replace('v', 'u')}.`;
}

/** One form for the pinyin and the Wade-Giles spelling of up to three syllables; undefined for other words. */
export function syllablesForm(text: string): string | undefined {
  if (FORMS.size === 0) build();
  if (text.length < 2 || text.length > 14) return undefined;
  const best: (string | undefined)[] = [''];
  const count = [0];
  for (let end = 1; end <= text.length; end++) {
    for (let size = Math.min(6, end); size > 0; size--) {
      const before = best[end - size];
      const syllable = before === undefined ? undefined : FORMS.get(text.slice(end - size, end));
      if (syllable === undefined || count[end - size]! >= 3) continue;
      if (best[end] === undefined || count[end - size]! + 1 < count[end]!) {
        best[end] = before + syllable;
        count[end] = count[end - size]! + 1;
      }
    }
  }
  return best[text.length];
}

/** Whether a text is spelt in pinyin syllables throughout. */
export function isPinyin(text: string): boolean {
  if (FORMS.size === 0) build();
  const reach = [true];
  for (let end = 1; end <= text.length; end++) {
    for (let size = Math.min(6, end); size > 0 && !reach[end]; size--) {
      const piece = text.slice(end - size, end);
      const inner = end > size && /^[aeo]/.test(piece);
      if (reach[end - size] && !inner && PINYIN.has(piece)) reach[end] = true;
    }
  }
  return reach[text.length] === true;
}

// Wade-Giles, as names are spelt in Taiwan and by whoever left China before pinyin: without the marks that nobody writes.

const WADE_GILES_INITIALS: Record<string, string> = {
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
const WADE_GILES_SYLLABLES: Record<string, string> = {
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

const WADE_GILES_FINAL_RULES: readonly (readonly [pinyin: RegExp, wadeGiles: string])[] = [
  [/^ian$/, 'ien'],
  [/^(i|u)e$/, '$1eh'],
  [/^(i?)ong$/, '$1ung'],
];

const SYLLABLE = /^([zcs]h|[bpmfdtnlgkhjqxrzcsyw])?(.+)$/;

/** The Wade-Giles spelling of a pinyin syllable. */
export function wadeGilesOf(pinyin: string): string {
  const irregular = WADE_GILES_SYLLABLES[pinyin];
  if (irregular !== undefined) return irregular;
  const [, start = '', end = ''] = SYLLABLE.exec(pinyin) ?? [];
  const rounded = end === 'uo' && !/^[gkh]$/.test(start) ? 'o' : end;
  const final = WADE_GILES_FINAL_RULES.reduce((text, [pattern, to]) => text.replace(pattern, to), rounded);
  return (WADE_GILES_INITIALS[start] ?? start) + final;
}
