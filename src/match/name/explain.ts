// The judgement in words that a reviewer can act on.
import type { AlignedToken } from './align.ts';
import type { Judgement } from './judge.ts';
import type { PreparedName, Token } from './prepare.ts';

const text = (tokens: Token[]) => tokens.map((t) => t.raw).join(' ');

/** The alignment as pairs of words, lone words last. */
export function describeAlignment({ alignment }: Judgement): AlignedToken[] {
  const rows: AlignedToken[] = alignment.links.map(({ a, b, related }) => ({
    a: text(a),
    b: text(b),
    relation: related.relation,
    quality: related.quality,
  }));
  for (const t of alignment.onlyA) rows.push({ a: t.raw, b: '', relation: 'missing', quality: 0 });
  for (const t of alignment.onlyB) rows.push({ a: '', b: t.raw, relation: 'missing', quality: 0 });
  return rows;
}

const phrases: Record<string, (a: string, b: string) => string> = {
  initial: (a, b) => `${a} and ${b} agree as initial and name`,
  nickname: (a, b) => `${a} and ${b} are short and full forms of one name`,
  cultural: (a, b) => `${a} and ${b} are one name in two languages`,
  spelling: (a, b) => `${a} and ${b} are spellings of one name`,
  script: (a, b) => `${a} and ${b} are one name in two scripts`,
  slip: (a, b) => `${a} and ${b} differ by a slip`,
  joined: (a, b) => `${a} and ${b} differ in spacing`,
};

/** What the comparison saw, as one sentence or more. */
export function explain(judgement: Judgement): string {
  if (judgement.variation === 'exact') return 'The names are equal.';
  const parts = describeAlignment(judgement)
    .filter((row) => row.relation !== 'equal')
    .map((row) => phrases[row.relation]?.(row.a, row.b) ?? `${row.a || row.b} is on one side only`);
  return parts.length ? `${parts.join('; ')}.` : 'The names are equal but for titles or suffixes.';
}

/** What speaks against one person, each as a sentence. */
export function concerns(judgement: Judgement, a: PreparedName, b: PreparedName): string[] {
  const list: string[] = [];
  const { onlyA, onlyB, links } = judgement.alignment;
  if (onlyA.length && onlyB.length) list.push(`${text(onlyA)} stands against ${text(onlyB)}.`);
  if (a.generation && b.generation && a.generation !== b.generation)
    list.push(`The generations differ: ${a.suffix} against ${b.suffix}.`);
  for (const link of links)
    if (link.related.quality < 0.3)
      list.push(`${text(link.a)} and ${text(link.b)} are names of different people.`);
  return list;
}
