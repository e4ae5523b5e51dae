import { weighBirthDates, GENERATION_BETWEEN, bothRecur } from './birth-dates.ts';
import { weighContacts } from './contacts.ts';
import {
  type LinkContext,
  type LinkEvidence,
  type PairComparison,
  getPopulation,
  roundBits,
  sumBits,
  SINGLE_PERSON_SHARE,
  NO_ERRORS,
  type ErrorRates,
} from './evidence.ts';
import { findSharedGivenName } from './name-similarity.ts';
import { weighNames } from './names.ts';
import { haveSameAddress } from './address-similarity.ts';
import { DIFFERENT_NUMBER_BITS, weighTraits } from './traits.ts';
import { type LinkRecord, personKeyOf } from '../link-record.ts';

/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export const LINK_THRESHOLD_BITS = 3;
/** What the operator's own word weighs: more than all else together. */
export const LABEL_BITS = 1000;
/** From this on birth dates say that two may be one person. */
const DATED = 3;
/** Where a person has more records than this, they are copied from one another. */
const COPIED = 2;
/** What that says beyond an e-mail in common. */
const NAMELESS = 3;
/** And that its names may be one person's spellings: as much, and what it is told to be shared for by spellings. */
const NAMELESS_AMONG = 4;
/** A mailbox that more names are known under is no person's. */
const SPELLINGS = 8;
const KINDS = ['email', 'phone', 'address'] as const;
/** The most that a name and an address can say together: at one address in some fifty live two people of one name. */
const NAMESAKE_MOST = 5.5;

/** What an address in common and the prior come to, where nothing has been measured: log2 of the odds that it is one person's. */
const HOME_ODDS = -2;

/** Compares two records: a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export function comparePair(one: LinkRecord, two: LinkRecord, context: LinkContext): PairComparison {
  // Always the same way round: the partition must not depend on the order of import.
  const [a, b] = one.order < two.order ? [one, two] : [two, one];
  if (a.label !== null && b.label !== null) return labelVerdict(a.label === b.label);
  const errorRates = ratesFor(a, b, context);
  const alone = errorRates.address !== null && errorRates.address >= SINGLE_PERSON_SHARE;
  const here = errorRates === context.errorRates ? context : { ...context, errorRates };
  const births = weighBirthDates(a, b, here, () => !alone && haveSameAddress(a, b));
  const dated = births.some(({ bits }) => bits >= DATED);
  const name = weighNames(a, b, here, dated);
  const evidence = [...name.evidence, ...births, ...weighTraits(a, b, context)];
  evidence.push(...allContacts([a, b], context, name.credit));
  evidence.push(...namelessMailbox([a, b], evidence, context), blindly(context));
  if (errorRates.address !== null && alone && haveSameAddress(a, b))
    evidence.push(homeEvidence(evidence, errorRates.address));
  if (a.generation === 0 || a.generation !== b.generation)
    evidence.push(...namesakeDoubt(evidence, errorRates));
  evidence.push(...householdDoubt(evidence, errorRates));
  const bits = sumBits(evidence);
  // Where records err and hardly anybody shares an address, one person's records contradict each other.
  const apart = name.conflict || births.some((one) => one.bits <= -7);
  const told =
    bits < LINK_THRESHOLD_BITS
      ? evidence.some((one) => tellsApart(one, errorRates))
      : isOtherNumbered(evidence);
  return { bits, evidence, conflict: name.suffixes || (!alone && (apart || told)) };
}

/** Numbers for life differ, and nothing agrees that namesakes of a home, or who uses another's name and birth date, have not in common. */
function isOtherNumbered(evidence: LinkEvidence[]): boolean {
  const unique = evidence.some(({ code, bits }) => UNIQUE.includes(code) && bits > 0);
  return !unique && evidence.some(({ code, bits }) => code === 'identifier' && bits <= DIFFERENT_NUMBER_BITS);
}

/** What two records must outweigh themselves: no third one joins them that could be either's. */
function tellsApart({ code, what, bits }: LinkEvidence, { name }: ErrorRates): boolean {
  if (code === 'birth') return what === GENERATION_BETWEEN;
  // Where names err, so do genders.
  if (code === 'gender') return bits < 0 && name === null;
  return code === 'identifier' && bits <= DIFFERENT_NUMBER_BITS;
}

/** The rates that hold for two records: hardly anybody makes one error twice, unless errors are copied from record to record. */
function ratesFor(a: LinkRecord, b: LinkRecord, context: LinkContext): ErrorRates {
  const { errorRates, perPerson } = context;
  if (perPerson > COPIED || !bothRecur(a, b, context)) return errorRates;
  return { ...NO_ERRORS, near: errorRates.near };
}

/** Do two records that compare so belong to one person? */
export const isLink = ({ bits, conflict }: PairComparison): boolean =>
  bits >= LINK_THRESHOLD_BITS && !conflict;

/** What speaks for one person before the odds of any two records; -Infinity where they can't be one. */
export function getSupport({ conflict, evidence }: PairComparison): number {
  return conflict ? -Infinity : sumBits(evidence.filter(({ code }) => code !== 'prior'));
}

/** The operator's own word settles it. */
function labelVerdict(one: boolean): PairComparison {
  const what = one
    ? 'both records carry the same identity label'
    : 'the records carry different identity labels';
  const bits = one ? LABEL_BITS : -LABEL_BITS;
  return { bits, evidence: [{ code: 'label', what, bits }], conflict: !one };
}

/** @param credit share of an agreement that counts, 0-1 */
function allContacts([a, b]: [LinkRecord, LinkRecord], context: LinkContext, credit: number): LinkEvidence[] {
  // Differently named as they are, the two count for one among those who share a value: whether they are one is the question.
  const spare = personKeyOf(a) === personKeyOf(b) ? 0 : 1;
  const others = {
    ...context,
    sharers: (key: number) => Math.max(1, context.sharers(key) - spare),
    homes: homesFor(a, b, context),
  };
  return KINDS.flatMap((kind) =>
    weighContacts(kind, a, b, others).map((one) =>
      one.bits > 0 ? { ...one, bits: roundBits(one.bits * credit) } : one,
    ),
  );
}

/** However small a graph, an address is as rare as in the world for who bear one given name: Pat and Patrick of one home are two. */
function homesFor(a: LinkRecord, b: LinkRecord, context: LinkContext): number {
  const world = getPopulation(context);
  return world === context.records || findSharedGivenName(a, b) !== null ? world : context.records;
}

/**
 * A mailbox that is known under one name, and a record of it without a name: in a few of a hundred it is another of the household. A few
 * names are mostly one person's spellings; where they are two people's, the record fits both and is neither's.
 */
function namelessMailbox(
  pair: [LinkRecord, LinkRecord],
  evidence: LinkEvidence[],
  context: LinkContext,
): LinkEvidence[] {
  const [a, b] = pair;
  const silent = pair.some(({ names }) => names.length === 0);
  if (!silent || !evidence.some(({ code, bits }) => code === 'email' && bits > 0)) return [];
  const keys = (record: LinkRecord) =>
    record.contacts.filter(({ kind }) => kind === 'email').flatMap((one) => one.keys.slice(0, 1));
  const theirs = new Set(keys(b).map(([, key]) => key));
  const known = keys(a).flatMap(([, key]) => (theirs.has(key) ? context.sharers(key) : []));
  const names = Math.min(...known, Infinity);
  if (names > SPELLINGS) return [];
  // The record without a name counts as one of the names.
  return names <= 2
    ? [{ code: 'email', what: 'nobody else is known under the e-mail', bits: NAMELESS }]
    : [{ code: 'email', what: 'few names are known under the e-mail', bits: NAMELESS_AMONG }];
}

function blindly(context: LinkContext): LinkEvidence {
  const what = `two of about ${getPopulation(context)} records picked blindly`;
  return { code: 'prior', what, bits: getPriorBits(context) };
}

/** The odds that two records are one person's before anything is known of them, in bits. */
export function getPriorBits(context: LinkContext): number {
  return roundBits(-Math.log2(getPopulation(context) / context.perPerson));
}

/** What an address in common says, where it has been measured that it nearly always means one person. */
function homeEvidence(evidence: LinkEvidence[], share: number): LinkEvidence {
  const assumed = sumBits(evidence.filter(({ code }) => code === 'address' || code === 'prior'));
  const what = `of the pairs here that share an address ${Math.round(share * 100)} % are one person's`;
  return { code: 'address', what, bits: roundBits(Math.max(0, odds(share) - assumed)) };
}

/**
 * Two records differ in name or birth date: what all but e-mails and identifiers say beyond the odds that have been measured of such pairs at
 * one address is taken back, since the members of a household share the rest.
 */
function householdDoubt(evidence: LinkEvidence[], { name, birth, address }: ErrorRates): LinkEvidence[] {
  const bits = (code: LinkEvidence['code']) => evidence.find((one) => one.code === code)?.bits ?? 0;
  const shared = evidence.filter(({ code }) => code !== 'email' && !TRAITS.includes(code));
  const doubt = (limit: number, what: string): LinkEvidence[] => {
    const excess = roundBits(limit - sumBits(shared));
    return excess < 0 ? [{ code: 'name', what: `they may be ${what}`, bits: excess }] : [];
  };
  const often = (share: number) => `as ${Math.round(share * 100)} % of such pairs here are`;
  if (bits('name') > 0)
    return birth !== null && bits('birth') < 0
      ? doubt(odds(1 - birth.others), `namesakes, ${often(birth.others)}`)
      : [];
  if (name === null || address === null || bits('name') === 0) return [];
  if (bits('birth') > 0) return doubt(odds(1 - name.others), `twins, ${often(name.others)}`);
  return doubt(odds(address) + bits('name') + bits('birth'), 'two of a household');
}

/** What tells the members of a household apart. */
const TRAITS: LinkEvidence['code'][] = ['identifier', 'gender'];
/** What hardly two people have in common. */
const UNIQUE: LinkEvidence['code'][] = ['email', 'phone', 'identifier'];
/** What a namesake of the household has not in common. */
const OWN: LinkEvidence['code'][] = ['email', 'phone', 'birth', 'identifier'];

function odds(share: number): number {
  return Math.log2(share / (1 - share));
}

/**
 * What name and address say beyond `NAMESAKE_MOST` is taken back, where no e-mail, phone, identifier or birth date agrees. The limit rises where
 * addresses have been measured to mean one person oftener than is assumed.
 */
function namesakeDoubt(evidence: LinkEvidence[], { address }: ErrorRates): LinkEvidence[] {
  const own = (code: LinkEvidence['code']) => OWN.includes(code);
  if (evidence.some(({ code, bits }) => own(code) && bits > 0)) return [];
  const limit = NAMESAKE_MOST + (address === null ? 0 : Math.max(0, odds(address) - HOME_ODDS));
  const excess = roundBits(
    limit - sumBits(evidence.filter(({ code }) => !own(code) && !TRAITS.includes(code))),
  );
  const what = 'nothing but name and address agree: it may be a namesake of the household';
  return excess < 0 ? [{ code: 'name', what, bits: excess }] : [];
}
