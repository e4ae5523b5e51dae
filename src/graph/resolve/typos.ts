import { countMissing } from '../../link/compare/address-similarity.ts';
import type { Agreement } from '../../model.ts';
import { fingerprintExactPart, type Fingerprints } from '../encryption/fingerprints.ts';
import type { GraphQuery } from '../graph.ts';
import type { GraphReader, KnownSignature } from './reader.ts';

/** Maximum number of identities, found by name alone, whose values are compared for typos. */
const MAX_BY_NAME = 6;
/**
 * Maximum number of different letter pairs. One typo changes at most three pairs (a swap of two letters; general bound: Ukkonen 1992). An
 * address may have two typos in its street, because its house number and place must agree.
 */
const MAX_DIFFERENT_PAIRS = { email: 3, address: 6 };
/** Minimum length of a text: a typo in a shorter text leaves too little to recognise. */
const MIN_LENGTH = 6;

export interface TypoInput {
  query: GraphQuery;
  /** Identities that have each value of the query. */
  values: Agreement[][];
  /** Identities that have a key of the name. */
  nameMatches: number[];
  reader: GraphReader;
  fingerprints: Fingerprints;
}

/** Returns the agreements; for values that no identity has, identities with the name that have the value except for a typo. */
export function findTypos({ query, values, nameMatches, reader, fingerprints }: TypoInput): Agreement[][] {
  const signatures = query.values.map(({ signature }, i) =>
    signature && values[i]?.length === 0 && signature.text.length >= MIN_LENGTH ? signature : null,
  );
  if (signatures.every((signature) => signature === null)) return values;
  const candidates = findCandidates(nameMatches, values);
  if (candidates.length === 0) return values;
  const exactParts = signatures.map((signature) =>
    signature ? fingerprintExactPart(fingerprints, signature) : 0,
  );
  const known = reader.getSignatures(candidates, exactParts.filter(Boolean));
  if (known.size === 0) return values;
  return values.map((agreements, i) => {
    const signature = signatures[i];
    if (!signature) return agreements;
    const { kind, text } = signature;
    return matchSignature({ kind, exactPart: exactParts[i] ?? 0, grams: fingerprints.grams(text) }, known);
  });
}

/** Returns the identities with a similar signature. Never as the primary value, because the stored value is another text. */
function matchSignature(signature: KnownSignature, known: Map<number, KnownSignature[]>): Agreement[] {
  return [...known]
    .filter(([, signatures]) => signatures.some((other) => isSimilar(signature, other)))
    .map(([identity]) => ({
      identity,
      type: 'typo',
      primary: false,
      share: 1,
      firstSeen: null,
      lastSeen: null,
    }));
}

/** Returns the name matches that have a value of the query; if there are none, the first name matches. */
function findCandidates(nameMatches: number[], values: Agreement[][]): number[] {
  const linked = new Set<number>();
  for (const agreements of values) for (const { identity } of agreements) linked.add(identity);
  const both = nameMatches.filter((id) => linked.has(id));
  return both.length > 0 ? both : nameMatches.slice(0, MAX_BY_NAME);
}

function isSimilar(a: KnownSignature, b: KnownSignature): boolean {
  if (a.kind !== b.kind || a.exactPart !== b.exactPart) return false;
  const max = MAX_DIFFERENT_PAIRS[a.kind];
  return countMissing(a.grams, b.grams) <= max && countMissing(b.grams, a.grams) <= max;
}
