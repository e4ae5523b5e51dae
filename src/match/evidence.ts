import type { Agreement, ContactEvidence, Evidence, Form, Identity, Kind, NameAgreement } from '../model.ts';
import { comparePrepared, nameParts, prepareName, type PreparedName } from './name/index.ts';

export interface MatchInput {
  name: PreparedName;
  /** Kind and forms of each submitted contact value, in the order that was asked of the graph. */
  contacts: { kind: Kind; forms: Form[] }[];
  answer: {
    total: number;
    values: Agreement[][];
    name: { bearers: number; given: number[] };
    identities: Map<number, Identity>;
  };
}

/** Compares what was submitted with what the graph answered: value by value, and the name with every identity's names. No weights here. */
export function gatherEvidence({ name, contacts, answer }: MatchInput): Evidence {
  const names = new Map<number, NameAgreement>(answer.name.given.map((id) => [id, GIVEN_ONLY]));
  for (const identity of answer.identities.values()) names.set(identity.id, agreeName(name, identity));
  const counted = countedOnce(contacts);
  const evidence = contacts.map(({ kind }, i): ContactEvidence => ({
    kind,
    agreements: answer.values[i],
    repeats: !counted.has(i),
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
 * Places of the values that count. Of values with one exact form (a number with and without its country code) it is the one with the most
 * forms: which one came first must not matter.
 */
function countedOnce(contacts: MatchInput['contacts']): Set<number> {
  const best = new Map<string, number>();
  contacts.forEach(({ kind, forms }, i) => {
    const exact = forms[0] ? `${kind} ${forms[0].text}` : `${i}`;
    const rival = best.get(exact);
    if (rival === undefined || richer(forms, contacts[rival].forms)) best.set(exact, i);
  });
  return new Set(best.values());
}

function richer(a: Form[], b: Form[]): boolean {
  const text = (forms: Form[]) => forms.map((one) => one.text).join('\n');
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
  const equal = identity.names.findIndex((text) => text.toLowerCase() === name.text.toLowerCase());
  // Most names are written as on record; preparing and comparing them again would cost more than all look-ups together.
  if (equal >= 0) return agreement(comparePrepared(name, name), { primary: equal === 0, nameless });
  let best = agreement(NO_MATCH, { primary: false, nameless });
  let givenSame = false;
  for (const [i, text] of identity.names.entries()) {
    const other = prepareName(text);
    const found = comparePrepared(name, other);
    if (!found.same && sameGiven(name, other)) givenSame = true;
    if (i === 0 || isBetter(found, best)) best = agreement(found, { primary: i === 0, nameless });
    if (best.variation === 'exact') break;
  }
  return { ...best, givenSame: !best.same && givenSame };
}

type Found = Pick<NameAgreement, 'same' | 'confidence' | 'variation'>;
const NO_MATCH: Found = { same: false, confidence: 0, variation: 'no_match' };

function agreement(
  { same, confidence, variation }: Found,
  { primary, nameless }: Pick<NameAgreement, 'primary' | 'nameless'>,
): NameAgreement {
  return { same, primary, confidence, variation, givenSame: false, nameless };
}

function isBetter(one: Found, than: Found): boolean {
  if (one.same !== than.same) return one.same;
  if (one.variation === 'exact' && than.variation !== 'exact') return true;
  return one.confidence > than.confidence;
}

function sameGiven(a: PreparedName, b: PreparedName): boolean {
  const [one, two] = [nameParts(a).given[0], nameParts(b).given[0]];
  return one !== undefined && one.length > 1 && one === two;
}
