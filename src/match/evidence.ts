import type {
  Agreement,
  ContactEvidence,
  Evidence,
  LookupKey,
  Identity,
  Kind,
  NameAgreement,
} from '../model.ts';
import { comparePrepared, firstGiven, prepareName, type PreparedName } from '../names/index.ts';

interface Submitted {
  kind: Kind;
  keys: LookupKey[];
}

interface MatchInput {
  name: PreparedName;
  /** Kind and keys of each submitted contact value, in the order that was asked of the graph. */
  contacts: Submitted[];
  answer: {
    total: number;
    values: Agreement[][];
    name: { bearers: number; given: number[] };
    identities: Map<number, Identity>;
  };
}

/** Compares what was submitted with what the graph answered: value by value, and the name with every identity's names. No weights here. */
export function gatherEvidence({ name, contacts, answer }: MatchInput): Evidence {
  const names = new Map<number, NameAgreement>();
  for (const id of answer.name.given) names.set(id, GIVEN_ONLY);
  for (const identity of answer.identities.values()) names.set(identity.id, agreeName(name, identity));
  const evidence = contacts.map((contact, i): ContactEvidence => ({
    kind: contact.kind,
    agreements: answer.values[i] ?? [],
    repeats: isRepeat(contacts, contact, i),
  }));
  return {
    total: answer.total,
    bearers: answer.name.bearers,
    names,
    identities: answer.identities,
    contacts: evidence,
  };
}

/**
 * Whether another value counts in the place of this one. Of values with one exact key (a number with and without its country code) the one
 * with the most keys counts: which one came first must not matter.
 */
function isRepeat(contacts: MatchInput['contacts'], { kind, keys }: Submitted, at: number): boolean {
  const exact = keys[0]?.text;
  if (exact === undefined) return false;
  return contacts.some((rival, i) => {
    if (i === at || rival.kind !== kind || rival.keys[0]?.text !== exact) return false;
    return richer(rival.keys, keys) || (i < at && !richer(keys, rival.keys));
  });
}

function richer(a: LookupKey[], b: LookupKey[]): boolean {
  const text = (keys: LookupKey[]) => keys.map((one) => one.text).join('\n');
  return a.length === b.length ? text(a) < text(b) : a.length > b.length;
}

/** An identity whose names were not read, because no key of the name points to it, but the given name's does. */
const GIVEN_ONLY: NameAgreement = {
  same: false,
  primary: false,
  confidence: 0,
  variation: 'no_match',
  givenSame: true,
  nameless: false,
};

/** The best agreement of the submitted name with any of the identity's names: an equal one, else the likeliest; of equals the primary name's. */
export function agreeName(name: PreparedName, identity: Identity): NameAgreement {
  const nameless = identity.names.length === 0;
  const written = name.text.toLowerCase();
  const equal = identity.names.findIndex((text) => text.toLowerCase() === written);
  // Most names are written as on record; preparing and comparing them again would cost more than all look-ups together.
  if (equal >= 0)
    return agreement(comparePrepared(name, name), { primary: equal === 0, nameless, givenSame: false });
  let best = NO_MATCH;
  let primary = false;
  let givenSame = false;
  for (const [i, text] of identity.names.entries()) {
    if (best.variation === 'exact') break;
    const other = prepareName(text);
    const found = comparePrepared(name, other);
    if (!found.same && sameGiven(name, other)) givenSame = true;
    if (i > 0 && !isBetter(found, best)) continue;
    best = found;
    primary = i === 0;
  }
  return agreement(best, { primary, nameless, givenSame: !best.same && givenSame });
}

type Found = Pick<NameAgreement, 'same' | 'confidence' | 'variation'>;
const NO_MATCH: Found = { same: false, confidence: 0, variation: 'no_match' };

function agreement(
  { same, confidence, variation }: Found,
  { primary, nameless, givenSame }: Pick<NameAgreement, 'primary' | 'nameless' | 'givenSame'>,
): NameAgreement {
  return { same, primary, confidence, variation, givenSame, nameless };
}

function isBetter(one: Found, than: Found): boolean {
  if (one.same !== than.same) return one.same;
  if (one.variation === 'exact' && than.variation !== 'exact') return true;
  return one.confidence > than.confidence;
}

function sameGiven(a: PreparedName, b: PreparedName): boolean {
  const given = firstGiven(a);
  return given !== undefined && given.length > 1 && given === firstGiven(b);
}
