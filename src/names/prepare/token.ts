// One word of a name, with all that is known of it whatever name it stands in.
import { foldLatin, mainScript, type Script } from '../script.ts';
import { lookUp, sexOf } from '../lexicon.ts';
import { wordTables } from '../title-words.ts';
import { surnameLands } from '../traditions/east-asia/han-table.ts';
import { ARTICLES, FORMS, WRITINGS } from '../traditions/index.ts';
import type { Role, Token } from '../types.ts';

/** The set of the letters of a folded word, a bit each. */
export function letterSet(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) - 97);
  return letters;
}

/** The folded text of a word, and what follows from it alone. */
function spelt(text: string): Pick<Token, 'text' | 'forms' | 'article' | 'letters'> {
  const forms = FORMS.map(({ when, make }) => (when.test(text) ? make(text) : text));
  return { text, forms, article: articleLength(text), letters: letterSet(text) };
}

function articleLength(text: string): number {
  for (const { joined } of ARTICLES) {
    const article = joined.exec(text)?.[0];
    if (article) return article.length;
  }
  return 0;
}

const UNKNOWN = { info: undefined, sex: 0 };

/** What the tables know of a written word. */
function known(text: string): Pick<Token, 'info' | 'sex'> {
  const info = lookUp(text);
  return info ? { info, sex: sexOf(info) } : UNKNOWN;
}

// A few words make up most names, and reading one costs more than all the rest of preparing it.
let [recent, earlier] = [new Map<string, Token>(), new Map<string, Token>()];
/** Of which twice as many are kept. */
const MOST_KNOWN = 10_000;

/** To be called when the tables have changed: words are looked up in them once. */
export function forgetWords(): void {
  [recent, earlier] = [new Map(), new Map()];
}

/** Makes the token of one written word. */
export function makeToken(raw: string, prefix: string, role: Role = 'middle'): Token {
  let facts = recent.get(raw);
  if (!facts) {
    facts = earlier.get(raw) ?? readFacts(raw, mainScript(raw), role === 'family');
    // Han characters are read by the role they stand in, and take no particle.
    if (facts.characters) return { ...facts, role };
    if (recent.size >= MOST_KNOWN) [recent, earlier] = [new Map(), recent];
    recent.set(raw, facts);
  }
  return { ...facts, prefix, role };
}

/** What is true of a word whatever name it stands in. */
function readFacts(raw: string, script: Script, family: boolean): Token {
  const writing = WRITINGS[script];
  const { text, sound, characters = '', chinese = '' } = writing.read(raw, family);
  const surnameOf = script === 'latin' ? surnameLands(text) : 0;
  const syllabic = writing.syllabic ?? false;
  return {
    raw,
    ...spelt(text),
    prefix: '',
    sound,
    characters,
    chinese,
    korean: '',
    wadeGiles: false,
    surnameOf,
    eastern: syllabic || surnameOf !== 0,
    script,
    role: 'middle',
    initial: text.length === 1 && !syllabic,
    // What characters are read as is no word that was written.
    maybeTitle: !characters && wordTables().maybeTitles.has(text),
    ...(characters ? UNKNOWN : known(text)),
  };
}

/** A Latin word in the place of another: the same but for what follows from its letters. */
export function withText(token: Token, text: string): Token {
  const surnameOf = surnameLands(text);
  return {
    ...token,
    ...spelt(text),
    sound: WRITINGS.latin.read(text, false).sound,
    surnameOf,
    eastern: token.eastern || surnameOf !== 0,
    ...known(text),
  };
}

/** Two neighbouring words as one: Ji Sung -> Jisung. */
export function joinTokens(a: Token, b: Token): Token {
  const raw = a.raw + b.raw;
  const common = {
    role: b.role,
    initial: false,
    chinese: a.chinese && b.chinese ? a.chinese + b.chinese : '',
    korean: a.korean && b.korean ? a.korean + b.korean : '',
    wadeGiles: a.wadeGiles,
  };
  if (mainScript(raw) !== 'latin') return { ...makeToken(raw, a.prefix), ...common };
  const written = foldLatin(raw);
  const text = a.text + b.prefix + b.text;
  const surnameOf = surnameLands(text);
  return {
    ...a,
    raw,
    ...spelt(text),
    sound: a.sound + b.sound,
    characters: '',
    surnameOf,
    eastern: a.eastern || b.eastern || surnameOf !== 0,
    script: 'latin',
    maybeTitle: wordTables().maybeTitles.has(written),
    ...known(written),
    ...common,
  };
}
