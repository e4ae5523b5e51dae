// The judgement in words that a reviewer can act on.
import type { NameInfo } from './lexicon.ts';
import type { PreparedName, Relation, Token, AlignedWord, Alignment, Link } from './types.ts';
import { alignmentOf, type Judgement } from './compare/assess.ts';
import { genderVariant } from './traditions/western.ts';

export const textOf = (tokens: Token[]) => tokens.map((t) => t.raw).join(' ');

/** The alignment as pairs of words in the order of the first name, lone words last. */
export function describeAlignment(judgement: Judgement, a: PreparedName, b: PreparedName): AlignedWord[] {
  const { links, onlyA, onlyB } = alignmentOf(judgement, a, b);
  const place = (t: Token) => a.tokens.indexOf(t);
  const rows: AlignedWord[] = [...links]
    .sort((x, y) => place(x.a[0]) - place(y.a[0]))
    .map((link) => ({
      a: textOf(link.a),
      b: textOf(link.b),
      relation: link.comparison.relation,
      quality: link.comparison.quality,
    }));
  for (const t of onlyA) rows.push({ a: t.raw, b: '', relation: 'missing', quality: 0 });
  for (const t of onlyB) rows.push({ a: '', b: t.raw, relation: 'missing', quality: 0 });
  return rows;
}

/** Below this quality two words raise a concern, and no sentence may call them one name. */
export const DOUBTFUL = 0.5;

const isShortFor = (short: NameInfo | undefined, full: NameInfo | undefined) =>
  short !== undefined && full !== undefined && short.formals.includes(full);

function nickname({ a, b }: Link): string {
  const [x, y] = [textOf(a), textOf(b)];
  if (isShortFor(a[0].info, b[0].info)) return `${x} is a short form of ${y}`;
  if (isShortFor(b[0].info, a[0].info)) return `${y} is a short form of ${x}`;
  return `${x} and ${y} are forms of one name`;
}

/** What is said of two words; nothing of equal ones. Who reads it knows a typo as a slip. */
const PHRASES: Record<Relation, (x: string, y: string, link: Link) => string | undefined> = {
  equal: () => undefined,
  initial: (x, y, { a }) => (a[0].initial ? `${x} may stand for ${y}` : `${y} may stand for ${x}`),
  nickname: (_x, _y, link) => nickname(link),
  cultural: (x, y) => `${x} and ${y} are one name in two languages`,
  spelling: (x, y) => `${x} and ${y} are spellings of one name`,
  script: (x, y) => `${x} reads as ${y}`,
  gendered: (x, y) => `${x} and ${y} are the forms of one family name for men and women`,
  slip: (x, y) => `${x} and ${y} differ by a slip`,
  part: (x, y, { a, b }) =>
    a[0].prefix === b[0].prefix
      ? `${x} and ${y} share their main part`
      : `a particle stands before ${x} on one side only`,
  joined: (x, y) => `${x} and ${y} differ in spacing`,
  different: (x, y) => `${x} and ${y} differ`,
};

/** What is said instead of two words that raise a concern. */
const DOUBTS: Partial<Record<Relation, string>> = {
  nickname: 'are related names',
  cultural: 'are related names',
  spelling: 'look alike',
  slip: 'look alike',
};

function phrase(link: Link): string | undefined {
  const { relation, quality } = link.comparison;
  const [x, y] = [textOf(link.a), textOf(link.b)];
  const doubt = quality < DOUBTFUL ? DOUBTS[relation] : undefined;
  return doubt ? `${x} and ${y} ${doubt}` : PHRASES[relation](x, y, link);
}

const ROLE_NAMES = { given: 'given name', middle: 'middle name', family: 'family name' };

function lone(alignment: Alignment): string[] {
  const { onlyA, onlyB } = alignment;
  if (onlyA.length > 0 && onlyB.length > 0) return [`${textOf(onlyA)} stands against ${textOf(onlyB)}`];
  const missing = (t: Token, where: string) =>
    `${t.maybeTitle ? 'the title or name' : ROLE_NAMES[t.role]} ${t.raw} is missing in the ${where} name`;
  return [...onlyA.map((t) => missing(t, 'second')), ...onlyB.map((t) => missing(t, 'first'))];
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Jr, Sr, III, as they are written. */
export const suffixOf = (p: PreparedName) =>
  /^[ivx]+$/i.test(p.suffix) ? p.suffix.toUpperCase() : capital(p.suffix);

function suffixes(a: PreparedName, b: PreparedName): string[] {
  if (a.generation === b.generation) return [];
  if (a.generation && b.generation) return [`${suffixOf(a)} and ${suffixOf(b)} are two generations`];
  return [`${suffixOf(a.suffix ? a : b)} is missing in the ${a.suffix ? 'second' : 'first'} name`];
}

/** What the comparison saw, as one sentence. */
export function explain(judgement: Judgement, a: PreparedName, b: PreparedName): string {
  if (a.tokens.length === 0 || b.tokens.length === 0) return 'One side holds no name.';
  const alignment = alignmentOf(judgement, a, b);
  const parts = alignment.links.map(phrase).filter((part) => part !== undefined);
  parts.push(...lone(alignment), ...suffixes(a, b));
  if (a.titles.length !== b.titles.length)
    parts.push(
      `a title or degree is missing in the ${a.titles.length > b.titles.length ? 'second' : 'first'} name`,
    );
  if (parts.length > 0) return `${capital(parts.join('; '))}.`;
  const order = a.canonical !== b.canonical;
  return order ? 'The same words in another order or division.' : 'The names are equal.';
}

// What a reviewer should look at.
function doubt(x: Token, y: Token): string {
  if (x.role !== 'family' && genderVariant(x, y)) return 'look like one name for men and one for women';
  return x.info && y.info ? 'are two names in their own right' : 'differ by more than a usual slip';
}

/** What speaks against one person, each as a sentence; empty when nothing does. */
export function concerns(judgement: Judgement, a: PreparedName, b: PreparedName): string[] {
  const alignment = alignmentOf(judgement, a, b);
  const { links, onlyA, onlyB } = alignment;
  const list: string[] = [];
  for (const { a: left, b: right, comparison } of links) {
    if (comparison.quality >= DOUBTFUL) continue;
    list.push(`${textOf(left)} and ${textOf(right)} ${doubt(left[0], right[0])}.`);
  }
  if (onlyA.length > 0 && onlyB.length > 0) {
    const role = [...onlyA, ...onlyB].some((t) => t.role === 'given') ? 'given names' : 'names';
    list.push(`Different ${role}: ${textOf(onlyA)} and ${textOf(onlyB)}.`);
  } else if ([...onlyA, ...onlyB].some((t) => t.role !== 'middle' && !t.maybeTitle)) {
    list.push(
      `Only part of the name can be compared: ${textOf([...onlyA, ...onlyB])} has nothing to stand against.`,
    );
  }
  if (a.generation && b.generation && a.generation !== b.generation) {
    list.push(`${suffixOf(a)} and ${suffixOf(b)} are usually parent and child.`);
  }
  return list;
}
