import { comparePrepared, nameParts, type NameComparison } from '../../match/name/index.ts';
import type { FormName } from '../../model.ts';
import type { StoredContact } from '../sqlite/records.ts';
import { type Noise, sameAddress } from './noise.ts';
import type { LinkRecord } from './record.ts';

/** One reason for or against two records being one person, with its weight in bits (log2 of the likelihood ratio). */
export interface LinkEvidence {
  code: 'label' | 'name' | 'birth' | 'email' | 'phone' | 'address' | 'prior';
  what: string;
  bits: number;
}

export interface PairVerdict {
  /** Sum of all evidence, in bits. */
  bits: number;
  evidence: LinkEvidence[];
  /** The two cannot be one person, whatever else agrees. */
  conflict: boolean;
}

/** What the records as a whole tell about how much an agreement is worth. */
export interface LinkContext {
  /** Number of records. */
  records: number;
  /** How many differently named people share this key (at least 1). */
  sharers(key: number): number;
  /** How many records carry this exact name (at least 1). */
  nameCount(key: number): number;
  /** How many records are in this place (at least 1). */
  placeCount(place: number): number;
  noise: Noise;
}

/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export const LINK_BITS = 3;
/** Pairs that are one person are so much commoner than one in all records, because a person has several records. */
const RECORDS_PER_PERSON = 2;
/** log2 of the odds of two names that are the same to the letter; a lesser likeness takes the difference away. */
const EXACT_ODDS = 6;
/** The most that a name can say, however rare. */
const NAME_MOST = 16;
/** Confidence below which two names belong to two people, whatever else they share (a household does share everything else). */
const OTHER_NAME = 5;
/** Confidence from which a likeness of names counts for a person rather than against. */
const LIKELY_NAME = 25;

/** A given name in common where the family name differs: one in some hundred strangers, and one person in thirty changes name. */
const GIVEN_ONLY = 2.5;
/** A middle initial in common: one stranger in about eight has it. */
const MIDDLE = 3;

/** What is taken from log2(records / sharers) for a form: values are passed on, shared and mistyped. */
const SLACK: Record<FormName, number> = {
  email: 1,
  mailbox: 1.5,
  phone: 2,
  address: 3,
  premise: 3.5,
  core: 4,
  core_city: 5,
  street: 9,
  name: 0,
};
/** The most that one agreement can say, in a graph however large. */
const SLIP_SLACK = 5;
const HOUSEHOLD_MOST = 8;
const AGREE_MOST = 14;
const PLACE_MOST = 5;
/** A pair of records lists different values of a kind: people have several, so this says little. */
const DIFFER: Record<StoredContact['kind'], number> = { email: -1.3, phone: -1.3, address: -0.7 };
/** The most that a name and an address can say together: at one address in some fifty live two people of one name. */
const NAMESAKE_MOST = 5.5;

/** Compares two records: a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export function comparePair(a: LinkRecord, b: LinkRecord, context: LinkContext): PairVerdict {
  if (a.label !== null && b.label !== null) {
    const one = a.label === b.label;
    const what = one ? 'both records carry the same identity label' : 'the records carry different identity labels';
    return { bits: one ? 1000 : -1000, evidence: [{ code: 'label', what, bits: one ? 1000 : -1000 }], conflict: !one };
  }
  const name = nameEvidence(a, b, context);
  const births = birthEvidence(a, b, context.noise);
  const evidence = [...name.evidence, ...births];
  for (const kind of ['email', 'phone', 'address'] as const)
    for (const one of contactEvidence(kind, a, b, context))
      evidence.push(one.bits > 0 ? { ...one, bits: round(one.bits * name.credit) } : one);
  const blind = -Math.log2(context.records / RECORDS_PER_PERSON);
  evidence.push({ code: 'prior', what: `two of ${context.records} records picked blindly`, bits: round(blind) });
  const doubt = namesakeDoubt(evidence);
  if (doubt < 0) evidence.push({ code: 'name', what: 'nothing but name and address agree: it may be a namesake of the household', bits: doubt });
  const bits = evidence.reduce((sum, one) => sum + one.bits, 0);
  return { bits, evidence, conflict: name.conflict || evidence.some((one) => one.code === 'birth' && one.bits <= -7) };
}

/** What name and address say beyond `NAMESAKE_MOST` is taken back, where no e-mail, phone or birth date agrees. */
function namesakeDoubt(evidence: LinkEvidence[]): number {
  const own = (code: LinkEvidence['code']) => code === 'email' || code === 'phone' || code === 'birth';
  if (evidence.some(({ code, bits }) => own(code) && bits > 0)) return 0;
  const said = evidence.filter(({ code }) => !own(code)).reduce((sum, { bits }) => sum + bits, 0);
  return round(Math.min(0, NAMESAKE_MOST - said));
}

interface NameEvidence {
  evidence: LinkEvidence[];
  conflict: boolean;
  /** Share of the contacts' agreement that counts, 0-1: where the names differ, a household explains the rest. */
  credit: number;
}

function nameEvidence(a: LinkRecord, b: LinkRecord, context: LinkContext): NameEvidence {
  if (a.prepared.length === 0 || b.prepared.length === 0) return { evidence: [], conflict: false, credit: 1 };
  const best = bestName(a, b);
  const evidence: LinkEvidence[] = [];
  let credit = 1;
  let conflict = false;
  if (best.same || best.confidence >= LIKELY_NAME) {
    const borne = Math.max(context.nameCount(a.nameKeys[0] ?? 0), context.nameCount(b.nameKeys[0] ?? 0));
    const loss = EXACT_ODDS - Math.min(EXACT_ODDS, odds(best.confidence));
    evidence.push({
      code: 'name',
      what: `the names ${best.same ? 'are one' : 'may be one'} (${best.variation}), borne by ${borne} of ${context.records} records`,
      bits: round(Math.max(0.5, Math.min(NAME_MOST, Math.log2((context.records * RECORDS_PER_PERSON) / (borne + 1))) - loss)),
    });
    credit = best.same ? 1 : 0.7;
  } else if (sameGivenOnly(a, b)) {
    evidence.push({ code: 'name', what: 'the given names are one, the family names differ', bits: GIVEN_ONLY });
  } else if (context.noise.name !== null && a.birthDate !== null && a.birthDate === b.birthDate && sameAddress(a, b)) {
    const often = Math.round(context.noise.name * 100);
    evidence.push({
      code: 'name',
      what: `the names differ, as they do in ${often} % of the pairs here that share birth date and address`,
      bits: round(Math.log2(context.noise.name)),
    });
  } else {
    conflict = best.confidence < OTHER_NAME;
    credit = 0.25;
    evidence.push({
      code: 'name',
      what: `the names differ (${best.variation}, ${Math.round(best.confidence)} of 100)`,
      bits: round(Math.max(-9, Math.min(-1, odds(best.confidence) * 1.5))),
    });
  }
  if (!conflict && credit > 0.5 && sameMiddle(a, b)) evidence.push({ code: 'name', what: 'the middle names or initials agree', bits: MIDDLE });
  const suffixes = a.suffix !== '' && b.suffix !== '' && a.suffix !== b.suffix;
  if (suffixes) evidence.push({ code: 'name', what: 'generational suffixes differ', bits: -10 });
  return { evidence, conflict: suffixes || conflict, credit };
}

function sameMiddle(a: LinkRecord, b: LinkRecord): boolean {
  return a.prepared.some((one) =>
    b.prepared.some((two) => {
      const [x, y] = [nameParts(one).middle[0], nameParts(two).middle[0]];
      return x !== undefined && y !== undefined && x[0] === y[0];
    }),
  );
}

function odds(confidence: number): number {
  return Math.log2((confidence + 0.5) / (100.5 - confidence));
}

function sameGivenOnly(a: LinkRecord, b: LinkRecord): boolean {
  return a.prepared.some((one) =>
    b.prepared.some((two) => {
      const [x, y] = [nameParts(one).given[0], nameParts(two).given[0]];
      return x !== undefined && x.length > 2 && x === y;
    }),
  );
}

function bestName(a: LinkRecord, b: LinkRecord): NameComparison {
  let best: NameComparison | undefined;
  for (const one of a.prepared)
    for (const two of b.prepared) {
      const found = comparePrepared(one, two);
      if (!best || found.confidence > best.confidence) best = found;
    }
  return best as NameComparison;
}

function birthEvidence(one: LinkRecord, two: LinkRecord, noise: Noise): LinkEvidence[] {
  const [a, b] = [one.birthDate, two.birthDate];
  if (a === null || b === null) return [];
  if (a === b) return [{ code: 'birth', what: 'the birth dates are equal', bits: a.length === 10 ? 11 : 5 }];
  if (a.startsWith(b) || b.startsWith(a)) return [{ code: 'birth', what: 'the birth dates agree as far as they go', bits: 3 }];
  const [x, y] = [a.replaceAll('-', ''), b.replaceAll('-', '')];
  if (x.length !== y.length) return [{ code: 'birth', what: 'the birth dates differ', bits: -5 }];
  const swapped = x.slice(0, 4) === y.slice(0, 4) && x.slice(4, 6) === y.slice(6) && x.slice(6) === y.slice(4, 6);
  if (swapped) return [{ code: 'birth', what: 'the birth dates have day and month exchanged', bits: 5 }];
  const apart = [...x].filter((digit, i) => digit !== y[i]).length;
  if (apart === 1) return [{ code: 'birth', what: 'the birth dates are one digit apart', bits: 4.5 }];
  if (apart === 2) {
    const exchanged = [...x].sort().join('') === [...y].sort().join('');
    return [{ code: 'birth', what: 'the birth dates are two digits apart', bits: exchanged ? 4 : 0 }];
  }
  if (noise.birth !== null && sameAddress(one, two)) {
    const what = `the birth dates differ, as they do in ${Math.round(noise.birth * 100)} % of the pairs here that share name and address`;
    return [{ code: 'birth', what, bits: round(Math.log2(noise.birth)) }];
  }
  return [{ code: 'birth', what: 'the birth dates differ', bits: -7 }];
}

function contactEvidence(kind: StoredContact['kind'], a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[] {
  const [ours, theirs] = [a.contacts.filter((c) => c.kind === kind), b.contacts.filter((c) => c.kind === kind)];
  if (ours.length === 0 || theirs.length === 0) return [];
  const found: LinkEvidence[] = [];
  for (const one of ours) {
    let best: LinkEvidence | null = null;
    for (const two of theirs) {
      const agreed = agreement(one, two, context);
      if (agreed && (!best || agreed.bits > best.bits)) best = agreed;
    }
    if (best) found.push(best);
  }
  if (found.length === 0) return [{ code: kind, what: `no ${kind} in common`, bits: DIFFER[kind] }];
  // A second shared value of a kind is worth half: they tend to come together.
  found.sort((x, y) => y.bits - x.bits);
  return found.slice(0, 3).map((one, i) => ({ ...one, bits: round(one.bits / 2 ** i) }));
}

function agreement(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  for (const [form, key] of one.keys) {
    if (!two.keys.some(([, other]) => other === key)) continue;
    const sharers = context.sharers(key);
    // Slack is for those of a household, who share values and names; behind a value that very many share stands no household.
    const slack = sharers > HOUSEHOLD_MOST ? Math.min(1, SLACK[form]) : SLACK[form];
    return {
      code: one.kind,
      what: `same ${one.kind} (${form})${sharers > 1 ? `, shared by ${sharers} names` : ''}`,
      bits: round(rarity(context, sharers, slack)),
    };
  }
  const apart = slip(one, two);
  if (apart !== null && apart <= 3) return { code: one.kind, what: `${one.kind}s a slip apart`, bits: round(rarity(context, 1, SLIP_SLACK)) };
  if (one.kind === 'address') return alikeAddress(one, two, context);
  return null;
}

function rarity(context: LinkContext, sharers: number, slack: number): number {
  return Math.max(0.3, Math.min(AGREE_MOST, Math.log2(context.records / sharers) - slack));
}

/** How many letter pairs two texts do not share, where what a slip leaves alone agrees; else null. */
function slip(one: StoredContact, two: StoredContact): number | null {
  if (!one.sketch || !two.sketch || one.sketch.anchor !== two.sketch.anchor) return null;
  return Math.max(missing(one.sketch.grams, two.sketch.grams), missing(two.sketch.grams, one.sketch.grams));
}

/** Addresses that agree in most letter pairs of the street (Dice 1945), in the place, or in both. */
function alikeAddress(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  const shared = one.places.find((place) => two.places.includes(place));
  const place =
    shared === undefined ? 0 : Math.max(0, Math.min(PLACE_MOST, Math.log2(context.records / context.placeCount(shared)) - 1));
  const alike = one.sketch && two.sketch ? dice(one.sketch.grams, two.sketch.grams) >= 0.7 : false;
  if (!alike && place === 0) return null;
  const what = alike ? `street names are alike${place ? ', and the place is the same' : ''}` : 'same place';
  return { code: 'address', what, bits: round(place + (alike ? 2.5 : 0)) };
}

function dice(a: number[], b: number[]): number {
  return (2 * (a.length - missing(a, b))) / (a.length + b.length);
}

/** How many of `from` (sorted) are not in `to` (sorted). */
export function missing(from: number[], to: number[]): number {
  let count = 0;
  let j = 0;
  for (const value of from) {
    while (j < to.length && to[j] < value) j++;
    if (to[j] !== value) count++;
  }
  return count;
}

function round(bits: number): number {
  return Math.round(bits * 100) / 100;
}
