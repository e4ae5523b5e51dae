import { weighBirthDates, GENERATION_APART_EVIDENCE, doBothNameAndBirthDateRecur } from './birth-dates.ts';
import { weighContacts } from './contacts.ts';
import {
  type LinkStatistics,
  type LinkEvidence,
  type PairComparison,
  getPopulation,
  roundToHundredthBits,
  sumBits,
  SINGLE_PERSON_ADDRESS_SHARE,
  NO_RECORD_ERRORS,
  type RecordErrorRates,
} from './evidence.ts';
import { findSharedGivenName } from './name-similarity.ts';
import { weighNames } from './names.ts';
import { haveSameAddress } from './address-similarity.ts';
import { DIFFERENT_IDENTIFIER_BITS, weighPersonTraits } from './traits.ts';
import { type LinkRecord, getPersonNameKey } from '../link-record.ts';

/** Sum of bits from which two records are linked, unless there is a conflict: odds of 8 to 1. */
export const LINK_THRESHOLD_BITS = 3;
/** Weight of the operator's label in bits: more than all other evidence together. */
export const OPERATOR_LABEL_BITS = 1000;
/** Minimum evidence of the birth dates, in bits, from which they count as equal. */
const DATED = 3;
/** Number of records per person above which records are assumed to be copies of each other. */
const COPIED = 2;
/** Extra weight in bits of a shared e-mail, if one of the records has no name and only one name is known for the e-mail. */
const NAMELESS = 3;
/**
 * Extra weight in bits of a shared e-mail, if one of the records has no name and a few names, mostly spellings of one, are known for the e-mail.
 */
const NAMELESS_AMONG = 4;
/** Number of names above which a mailbox is not one person's. */
const SPELLINGS = 8;
const KINDS = ['email', 'phone', 'address'] as const;
/** Maximum weight of name and address together, in bits: about one address in fifty has two people with the same name. */
const NAMESAKE_MOST = 5.5;

/** Assumed sum of prior and shared address, if no rate was measured: log2 of the odds that the address means one person. */
const HOME_ODDS = -2;

interface PairComparisonOptions {
  /** Weighs the names of the two records. */
  weigh?: typeof weighNames;
  /** True to return `PAIR_IN_CONFLICT` as soon as birth dates or names show that the records cannot be one person. */
  stopsAtConflict?: boolean;
}

const PAIR_IN_CONFLICT: PairComparison = { bits: -Infinity, evidence: [], conflict: true };

/** Compares two records. Returns a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export function comparePair(
  one: LinkRecord,
  two: LinkRecord,
  context: LinkStatistics,
  { weigh = weighNames, stopsAtConflict = false }: PairComparisonOptions = {},
): PairComparison {
  // Fixed order of the two records: the result must not depend on the order of import.
  const [a, b] = one.order < two.order ? [one, two] : [two, one];
  if (a.label !== null && b.label !== null) return labelVerdict(a.label === b.label);
  const errorRates = ratesFor(a, b, context);
  const alone = errorRates.address !== null && errorRates.address >= SINGLE_PERSON_ADDRESS_SHARE;
  const here = errorRates === context.errorRates ? context : { ...context, errorRates };
  const births = weighBirthDates(a, b, here, () => !alone && haveSameAddress(a, b));
  // Records with errors and hardly any shared addresses may contradict each other although they belong to one
  // person. Then only different suffixes are a conflict.
  const differInBirth = !alone && births.some(({ bits }) => bits <= -7);
  if (stopsAtConflict && differInBirth) return PAIR_IN_CONFLICT;
  const dated = births.some(({ bits }) => bits >= DATED);
  const name = weigh(a, b, here, dated);
  const apart = name.suffixes || differInBirth || (!alone && name.conflict);
  if (stopsAtConflict && apart) return PAIR_IN_CONFLICT;
  const evidence = [...name.evidence, ...births, ...weighPersonTraits(a, b, context)];
  evidence.push(...allContacts([a, b], context, name.credit));
  evidence.push(...namelessMailbox([a, b], evidence, context), blindly(context));
  if (errorRates.address !== null && alone && haveSameAddress(a, b))
    evidence.push(homeEvidence(evidence, errorRates.address));
  if (a.linkNames.generation === 0 || a.linkNames.generation !== b.linkNames.generation)
    evidence.push(...namesakeDoubt(evidence, errorRates));
  evidence.push(...householdDoubt(evidence, errorRates));
  const bits = sumBits(evidence);
  const hasSeparatingEvidence =
    bits < LINK_THRESHOLD_BITS
      ? evidence.some((one) => tellsApart(one, errorRates))
      : isOtherNumbered(evidence);
  return { bits, evidence, conflict: apart || (!alone && hasSeparatingEvidence) };
}

/** True if lifelong numbers differ, and all evidence for one person could also come from a namesake of the household or from identity theft. */
function isOtherNumbered(evidence: LinkEvidence[]): boolean {
  const unique = evidence.some(({ code, bits }) => UNIQUE.includes(code) && bits > 0);
  return (
    !unique && evidence.some(({ code, bits }) => code === 'identifier' && bits <= DIFFERENT_IDENTIFIER_BITS)
  );
}

/** True for evidence that separates two records definitely, so that a third record cannot join them. */
function tellsApart({ code, what, bits }: LinkEvidence, { name }: RecordErrorRates): boolean {
  if (code === 'birth') return what === GENERATION_APART_EVIDENCE;
  // Records with errors in names have errors in genders too.
  if (code === 'gender') return bits < 0 && name === null;
  return code === 'identifier' && bits <= DIFFERENT_IDENTIFIER_BITS;
}

/**
 * Returns the error rates for comparing two records. If the name with the birth date occurs on further records, it is no error, unless records
 * are copies of each other.
 */
function ratesFor(a: LinkRecord, b: LinkRecord, context: LinkStatistics): RecordErrorRates {
  const { errorRates, perPerson } = context;
  if (perPerson > COPIED || !doBothNameAndBirthDateRecur(a, b, context)) return errorRates;
  return { ...NO_RECORD_ERRORS, near: errorRates.near };
}

export const isLinkedPair = ({ bits, conflict }: PairComparison): boolean =>
  bits >= LINK_THRESHOLD_BITS && !conflict;

/** Returns the evidence that two records are one person, in bits, without the prior odds; -Infinity if they cannot be one person. */
export function getPairEvidenceBits({ conflict, evidence }: PairComparison): number {
  return conflict ? -Infinity : sumBits(evidence, (code) => code !== 'prior');
}

/** Returns the comparison of two records with labels: only the operator's label decides. */
function labelVerdict(one: boolean): PairComparison {
  const what = one
    ? 'both records carry the same identity label'
    : 'the records carry different identity labels';
  const bits = one ? OPERATOR_LABEL_BITS : -OPERATOR_LABEL_BITS;
  return { bits, evidence: [{ code: 'label', what, bits }], conflict: !one };
}

/**
 * Returns the evidence of all contacts of two records.
 *
 * @param credit factor for positive weights, 0 to 1
 */
function allContacts(
  [a, b]: [LinkRecord, LinkRecord],
  context: LinkStatistics,
  credit: number,
): LinkEvidence[] {
  // Two records with different names count as one of the people who share the value, because they may be one
  // person.
  const spare = getPersonNameKey(a) === getPersonNameKey(b) ? 0 : 1;
  const others = {
    ...context,
    sharers: (key: number) => Math.max(1, context.sharers(key) - spare),
    homes: homesFor(a, b, context),
  };
  const evidence: LinkEvidence[] = [];
  for (const kind of KINDS)
    for (const found of weighContacts(kind, a, b, others)) {
      if (found.bits > 0) found.bits = roundToHundredthBits(found.bits * credit);
      evidence.push(found);
    }
  return evidence;
}

/**
 * Returns the number of records among which a shared address counts as rare. If the records share a given name, this is at least that of a large
 * graph (`getPopulation`). Otherwise it is that of the graph, because Pat and Patrick of one home are two people.
 */
function homesFor(a: LinkRecord, b: LinkRecord, context: LinkStatistics): number {
  const world = getPopulation(context);
  return world === context.records || findSharedGivenName(a.linkNames, b.linkNames) !== null
    ? world
    : context.records;
}

/**
 * Returns evidence for a record without a name that shares a mailbox. If the mailbox belongs to one name on record, another household member
 * owns it in only a few percent of cases. Several names are mostly spellings of one name; if they are names of two people, the record is
 * ambiguous and joins neither.
 */
function namelessMailbox(
  pair: [LinkRecord, LinkRecord],
  evidence: LinkEvidence[],
  context: LinkStatistics,
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

function blindly(context: LinkStatistics): LinkEvidence {
  const population = getPopulation(context);
  const smallest = population > context.records ? ', the smallest population that is assumed' : '';
  const what = `two random records of about ${population}${smallest}`;
  return { code: 'prior', what, bits: getPriorOddsBits(context) };
}

export function getPriorOddsBits(context: LinkStatistics): number {
  return roundToHundredthBits(-Math.log2(getPopulation(context) / context.perPerson));
}

/** Returns the extra evidence of a shared address, if measurements show that an address nearly always means one person. */
function homeEvidence(evidence: LinkEvidence[], share: number): LinkEvidence {
  const assumed = sumBits(evidence, (code) => code === 'address' || code === 'prior');
  const what = `of the pairs here that share an address ${Math.round(share * 100)} % are one person's`;
  return { code: 'address', what, bits: roundToHundredthBits(Math.max(0, odds(share) - assumed)) };
}

/**
 * Returns negative evidence for records that differ in name or birth date. Members of a household share the other data, so the weight of that
 * data (except e-mails and identifiers) is limited to the measured odds of such pairs at one address.
 */
function householdDoubt(
  evidence: LinkEvidence[],
  { name, birth, address }: RecordErrorRates,
): LinkEvidence[] {
  const bits = (code: LinkEvidence['code']) => evidence.find((one) => one.code === code)?.bits ?? 0;
  const isShared = (code: LinkEvidence['code']) => code !== 'email' && !TRAITS.includes(code);
  const doubt = (limit: number, what: string): LinkEvidence[] => {
    const excess = roundToHundredthBits(limit - sumBits(evidence, isShared));
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

/** Evidence that distinguishes the members of a household. */
const TRAITS: LinkEvidence['code'][] = ['identifier', 'gender'];
/** Evidence that two people hardly ever share. */
const UNIQUE: LinkEvidence['code'][] = ['email', 'phone', 'identifier'];
/** Evidence that a namesake in the household does not share. */
const OWN: LinkEvidence['code'][] = ['email', 'phone', 'birth', 'identifier'];

function odds(share: number): number {
  return Math.log2(share / (1 - share));
}

/**
 * Returns negative evidence that limits name and address to `NAMESAKE_MOST`, if no e-mail, phone, identifier or birth date agrees. The limit is
 * higher if measurements show that an address means one person more often than assumed.
 */
function namesakeDoubt(evidence: LinkEvidence[], { address }: RecordErrorRates): LinkEvidence[] {
  const own = (code: LinkEvidence['code']) => OWN.includes(code);
  if (evidence.some(({ code, bits }) => own(code) && bits > 0)) return [];
  const limit = NAMESAKE_MOST + (address === null ? 0 : Math.max(0, odds(address) - HOME_ODDS));
  const excess = roundToHundredthBits(
    limit - sumBits(evidence, (code) => !own(code) && !TRAITS.includes(code)),
  );
  const what = 'nothing but name and address agree: it may be a namesake of the household';
  return excess < 0 ? [{ code: 'name', what, bits: excess }] : [];
}
