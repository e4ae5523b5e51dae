// What an alignment says for and against one person.
import { MALE, COMMON, GIVEN, SURNAME } from '../lexicon.ts';
import type { Token, Alignment, Link, Side } from '../types.ts';

/** What the links of an alignment say together. */
interface Agreement {
  /** Product of the links' qualities, and what initials in other places take off it. */
  quality: number;
  initials: number;
  /** Links between whole words. */
  whole: number;
  /** Given and family name have a partner on both sides. */
  ends: boolean;
}

/** Likelihood 0-1 that two aligned names are one person's: every link and every lone word multiplies it down. */
export function evidence(
  a: readonly Token[],
  b: readonly Token[],
  { links, onlyA, onlyB }: Alignment,
): number {
  const { quality, initials, whole, ends } = agreement(links);
  if (whole === 0) return links.length > 0 ? quality * 0.15 : 0;
  const lone = [...lost(onlyA, links, ({ a: side }) => side), ...lost(onlyB, links, ({ b: side }) => side)];
  let product = quality;
  if (lostGiven(links, lone)) product *= 0.12;
  product *= initials * loneWords(onlyA, onlyB, a, b);
  if (whole === 1 && lone.some((t) => t.initial || !t.maybeTitle)) product *= single(a, b, links, lone);
  else if (lone.length > 0 && !ends) product *= 0.8;
  if (whole > 1 && links.every((link) => link.comparison.quality > 0.9))
    product *= 0.985 + 0.015 * rarest(links);
  return product * (swapped(links, a, b) ? 0.96 : 1);
}

function agreement(links: readonly Link[]): Agreement {
  const all: Agreement = { quality: 1, initials: 1, whole: 0, ends: false };
  let ends = 0;
  for (const { comparison, a, b } of links) {
    all.quality *= comparison.quality;
    if (a[0].initial || b[0].initial) all.initials *= a[0].role === b[0].role ? 1 : 0.8;
    else all.whole++;
    if (comparison.quality < 0.3) continue;
    for (const t of a) ends |= bit(t);
    for (const t of b) ends |= bit(t) << 2;
  }
  all.ends = ends === 0b1111;
  return all;
}

const bit = (t: Token) => (t.role === 'given' ? 1 : t.role === 'family' ? 2 : 0);

/** Words that are certainly whole names. */
const full = (tokens: Token[]) => tokens.filter((t) => !t.initial && !t.maybeTitle);

/** Lone words of a name; where an initial stands for one word of its given name, the others are only left out (J Moreau, Jean-Luc Moreau). */
function lost(lone: readonly Token[], links: readonly Link[], own: (link: Link) => Side): readonly Token[] {
  if (!lone.some((t) => t.role === 'given')) return lone;
  const shortened = links.some((link) => {
    const [word] = own(link);
    return word.role === 'given' && !word.initial && (link.a[0].initial || link.b[0].initial);
  });
  return shortened ? lone.filter((t) => t.role !== 'given') : lone;
}

/** An initial agrees with the other side's given name while its own given name has no partner: Ann B Lee, Beth Lee. */
function lostGiven(links: readonly Link[], lone: readonly Token[]): boolean {
  if (!lone.some((t) => t.role === 'given' && !t.initial && !t.maybeTitle)) return false;
  return links.some(
    ({ a, b }) => a[0].initial !== b[0].initial && (a[0].role === 'given' || b[0].role === 'given'),
  );
}

/** Only one whole word agrees: `Smith` against `John Smith`, `J Smith` against `Ann J Smith`. */
function single(
  a: readonly Token[],
  b: readonly Token[],
  links: readonly Link[],
  lone: readonly Token[],
): number {
  if (a.length === 1 && b.length === 1) return 1;
  if (links.length > 1) return lone.some((t) => t.role === 'given' && !t.initial) ? 0.35 : 0.7;
  return 0.22 + 0.14 * rarest(links);
}

/** How rare the rarest agreeing word is, 0-1. */
function rarest(links: readonly Link[]): number {
  let most = 0;
  for (const { a } of links) if (!a[0].initial) most = Math.max(most, rarity(a[0]));
  return most;
}

/** A word missing on one side is common; words that stand against each other are two people's. */
function loneWords(onlyA: Token[], onlyB: Token[], a: readonly Token[], b: readonly Token[]): number {
  if (onlyA.length + onlyB.length === 0) return 1;
  // A word that may be a title is one only while nothing stands against it.
  const facing = onlyA.length > 0 && onlyB.length > 0;
  const wholeA = facing ? onlyA.filter((t) => !t.initial) : full(onlyA);
  const wholeB = facing ? onlyB.filter((t) => !t.initial) : full(onlyB);
  if (wholeA.length === 0 || wholeB.length === 0) {
    const clash = onlyA.length > 0 && onlyB.length > 0 ? (wholeA.length + wholeB.length ? 0.45 : 0.3) : 1;
    return clash * 0.98 ** (onlyA.length + onlyB.length);
  }
  const lone = [...wholeA, ...wholeB];
  if (lone.some((t) => t.role === 'given')) return 0.03;
  if (lone.some((t) => t.role === 'family'))
    return Math.min(a.length, b.length) > 2 ? 0.3 : givenOfMan(a) ? 0.1 : 0.16;
  return 0.35;
}

/** A man's family name seldom changes; a woman's may by marriage. */
const givenOfMan = (tokens: readonly Token[]) => tokens.some((t) => t.role === 'given' && t.sex === MALE);

function swapped(links: readonly Link[], a: readonly Token[], b: readonly Token[]): boolean {
  if (a.length < 2 || b.length < 2) return false;
  return links.some((link) => link.a[0].role === 'given' && link.b[0].role === 'family');
}

// How rare a name word is: a rare family name that agrees says more than a common one.
/** Share of people, 0-1, who have a folded name word (a-z); undefined where it is not known. */
export type NameFrequency = (word: string) => number | undefined;

let frequency: NameFrequency | undefined;

/** Lets the operator's own population say how rare a word is; `undefined` goes back to the tables. */
export function setNameFrequencies(source: NameFrequency | undefined): void {
  frequency = source;
}

/** 0 for the commonest words (one person in 500 or more), 1 for the rarest (one in 50,000 or fewer). */
function rarity(t: Token): number {
  const share = frequency?.(t.text);
  if (share !== undefined) return Math.min(1, Math.max(0, -Math.log10(Math.max(share, 1e-9)) - 2.7) / 2);
  const flags = t.info?.flags ?? 0;
  if (flags & COMMON) return 0;
  return flags & (SURNAME | GIVEN) ? 0.5 : 1;
}
