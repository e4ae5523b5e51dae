import { missing } from '../../link/compare/likeness.ts';
import type { Agreement } from '../../model.ts';
import { fingerprintExactPart, type Fingerprints } from '../encryption/fingerprints.ts';
import type { GraphQuery } from '../graph.ts';
import type { GraphReader, KnownSignature } from './reader.ts';

/** Identities without any contact in common that a typo is looked for in, because they may bear the name. */
const TYPOS_BY_NAME = 6;
/**
 * One typo changes at most three letter pairs on a side (an exchange of two letters; Ukkonen 1992 for the general bound). Of a street whose
 * house number and place agree for somebody of the name, two may be misspelt.
 */
const TYPO_PAIRS = { email: 3, address: 6 };
/** Shorter than this, one typo leaves too little to recognise. */
const TYPO_LENGTH = 6;

export interface TypoInput {
  query: GraphQuery;
  /** Who each value is linked to by its keys. */
  values: Agreement[][];
  /** Identities that a key of the name points to. */
  nameMatches: number[];
  reader: GraphReader;
  fingerprints: Fingerprints;
}

/** The agreements, and in the place of none those who may bear the name and have the value but for a typo. */
export function findTypos({
  query,
  values,
  nameMatches: named,
  reader,
  fingerprints,
}: TypoInput): Agreement[][] {
  const sought = query.values.map(({ signature }, i) =>
    signature && values[i]?.length === 0 && signature.text.length >= TYPO_LENGTH ? signature : null,
  );
  if (sought.every((signature) => signature === null)) return values;
  const bearers = mayBear(named, values);
  if (bearers.length === 0) return values;
  const exactParts = sought.map((signature) =>
    signature ? fingerprintExactPart(fingerprints, signature) : 0,
  );
  const known = reader.getSignatures(bearers, exactParts.filter(Boolean));
  if (known.size === 0) return values;
  return values.map((agreements, i) => {
    const signature = sought[i];
    if (!signature) return agreements;
    const { kind, text } = signature;
    return near({ kind, exactPart: exactParts[i] ?? 0, grams: fingerprints.grams(text) }, known);
  });
}

/** Never the primary value: what is on record is written otherwise. */
function near(one: KnownSignature, known: Map<number, KnownSignature[]>): Agreement[] {
  return [...known]
    .filter(([, signatures]) => signatures.some((other) => isNear(one, other)))
    .map(([identity]) => ({
      identity,
      type: 'typo',
      primary: false,
      share: 1,
      firstSeen: null,
      lastSeen: null,
    }));
}

/** Those of the named identities that a value is linked to; where there is none, the first few. */
function mayBear(named: number[], values: Agreement[][]): number[] {
  const linked = new Set<number>();
  for (const agreements of values) for (const { identity } of agreements) linked.add(identity);
  const both = named.filter((id) => linked.has(id));
  return both.length > 0 ? both : named.slice(0, TYPOS_BY_NAME);
}

function isNear(a: KnownSignature, b: KnownSignature): boolean {
  if (a.kind !== b.kind || a.exactPart !== b.exactPart) return false;
  const most = TYPO_PAIRS[a.kind];
  return missing(a.grams, b.grams) <= most && missing(b.grams, a.grams) <= most;
}
