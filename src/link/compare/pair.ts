import {
  weighBirthDates,
  GENERATION_GAP_TEXT,
  haveDifferentNameAndBirthDatesSeenElsewhere,
} from './birth-dates.ts';
import { weighContacts } from './contacts.ts';
import {
  type LinkStatistics,
  type LinkEvidence,
  type PairComparison,
  getRecordCountForRarity,
  roundToHundredthBits,
  sumEvidenceBits,
  MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS,
  UNMEASURED_ERROR_RATES,
  type RecordErrorRates,
} from './evidence.ts';
import { findSharedGivenName } from './name-similarity.ts';
import { weighNames } from './names.ts';
import { haveSameAddress } from './address-similarity.ts';
import { addBirthPlaceGenderAndIdentifierEvidence, DIFFERENT_IDENTIFIER_BITS } from './traits.ts';
import { type LinkableRecord, getPersonNameKey } from '../link-record.ts';

/** Minimum sum of evidence in bits for linking two records without a conflict (odds of 8 to 1). */
export const LINK_THRESHOLD_BITS = 3;
/** Maximum sum of evidence in bits of two records with similar names, one birth date and other contacts. Such records are not linked. */
const MOST_OF_SIMILAR_NAMES = LINK_THRESHOLD_BITS - 0.1;
/** Weight in bits of equal labels (the operator's ids of people): more than all other evidence together. */
const OPERATOR_LABEL_BITS = 1000;
/** Minimum weight in bits of two birth dates that count as equal. */
const DATED = 3;
/** Average number of records per person above which records are assumed to be copies of each other. */
const COPIED = 2;
/** Extra weight in bits of a shared e-mail if one record has no name and all other records with the e-mail have the same name. */
const NAMELESS = 3;
/**
 * Extra weight in bits of such an e-mail if the other records with it have a few names (at most `SPELLINGS`), which are mostly spellings of one.
 */
const NAMELESS_AMONG = 4;
/** Minimum of such an e-mail's weight, its extra weight and the prior odds together, in bits: in 9 of 10 cases the e-mail's only known person uses it. */
const NAMELESS_ODDS = odds(0.9);
/** Maximum number of different names, in the records with one e-mail, for which it counts as one person's e-mail. */
const SPELLINGS = 8;
const KINDS = ['email', 'phone', 'address'] as const;
/** Maximum weight in bits of name and address together. At about one address in fifty, two people have the same name. */
const NAMESAKE_MOST = 5.5;

/** Assumed weight in bits of the prior odds and a shared address together, if the share of one-person addresses was not measured. */
const HOME_ODDS = -2;

interface PairComparisonOptions {
  /** Weighs the names of two records. Default: `weighNames`. */
  weigh?: typeof weighNames;
  /** True to return `PAIR_IN_CONFLICT` as soon as birth dates or names exclude that the records are one person. */
  stopsAtConflict?: boolean;
}

const PAIR_IN_CONFLICT: PairComparison = { bits: -Infinity, evidence: [], conflict: true };

/** Compares two records. Returns the evidence and the sum of its weights in bits (Fellegi and Sunter 1969). */
export function comparePair(
  one: LinkableRecord,
  two: LinkableRecord,
  context: LinkStatistics,
  { weigh = weighNames, stopsAtConflict = false }: PairComparisonOptions = {},
): PairComparison {
  // Fixed order of the two records: the result must not depend on the order of import.
  const isFirst = one.order < two.order;
  const a = isFirst ? one : two;
  const b = isFirst ? two : one;
  if (a.label !== null && b.label !== null) return labelVerdict(a.label === b.label);
  const errorRates = ratesFor(a, b, context);
  const alone = errorRates.address !== null && errorRates.address >= MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS;
  const here = errorRates === context.errorRates ? context : { ...context, errorRates };
  const births = weighBirthDates(a, b, here, () => !alone && haveSameAddress(a, b));
  // Records with errors and hardly any shared addresses may contradict each other although they belong to one
  // person. Then only different suffixes are a conflict.
  const differInBirth = !alone && births !== null && births.bits <= -7;
  if (stopsAtConflict && differInBirth) return PAIR_IN_CONFLICT;
  const dated = births !== null && births.bits >= DATED;
  const name = weigh(a, b, here, dated);
  const apart = name.suffixes || differInBirth || (!alone && name.conflict);
  if (stopsAtConflict && apart) return PAIR_IN_CONFLICT;
  const evidence = name.evidence.slice();
  const add = (found: LinkEvidence | null) => void (found && evidence.push(found));
  add(births);
  addBirthPlaceGenderAndIdentifierEvidence(evidence, a, b, context);
  addContactEvidence(evidence, [a, b], context, name.credit);
  if (a.names.length === 0 || b.names.length === 0) add(weighNamelessMailbox([a, b], evidence, context));
  add(getPriorEvidence(context));
  if (errorRates.address !== null && alone && haveSameAddress(a, b))
    add(homeEvidence(evidence, errorRates.address));
  if (a.linkNames.generation === 0 || a.linkNames.generation !== b.linkNames.generation)
    add(namesakeDoubt(evidence, errorRates));
  add(householdDoubt(evidence, errorRates));
  if (name.isTypo && haveEmailsOrPhones(a, b)) add(createTypoDoubt(evidence));
  const bits = sumEvidenceBits(evidence);
  const hasSeparatingEvidence =
    bits < LINK_THRESHOLD_BITS
      ? evidence.some((one) => tellsApart(one, errorRates))
      : isOtherNumbered(evidence);
  return { bits, evidence, conflict: apart || (!alone && hasSeparatingEvidence) };
}

const haveEmailsOrPhones = (a: LinkableRecord, b: LinkableRecord): boolean =>
  a.contacts.some(({ kind }) => kind !== 'address' && b.contacts.some((other) => other.kind === kind));

/**
 * Returns a doubt if nothing but similar names and the birth dates agree, although both records have e-mails or phones. Berg and Burg are two family names,
 * and in a large graph many pairs of people have similar names and one birth date.
 */
function createTypoDoubt(evidence: LinkEvidence[]): LinkEvidence | null {
  if (evidence.some(({ code, bits }) => (UNIQUE.includes(code) || code === 'address') && bits > 0))
    return null;
  const excess = roundToHundredthBits(MOST_OF_SIMILAR_NAMES - sumEvidenceBits(evidence));
  const what = 'nothing but similar names and the birth dates agree: they may be two people';
  return excess < 0 ? { code: 'name', what, bits: excess } : null;
}

/**
 * True if personal numbers differ, and no e-mail, phone or identifier agrees. All other evidence could also come from a namesake of the
 * household.
 */
function isOtherNumbered(evidence: LinkEvidence[]): boolean {
  return (
    evidence.some(({ code, bits }) => code === 'identifier' && bits <= DIFFERENT_IDENTIFIER_BITS) &&
    !evidence.some(({ code, bits }) => UNIQUE.includes(code) && bits > 0)
  );
}

/** True for evidence that certainly separates two records, so that no third record can join them. */
function tellsApart({ code, what, bits }: LinkEvidence, { name }: RecordErrorRates): boolean {
  if (code === 'birth') return what === GENERATION_GAP_TEXT;
  // Records with errors in names have errors in genders too.
  if (code === 'gender') return bits < 0 && name === null;
  return code === 'identifier' && bits <= DIFFERENT_IDENTIFIER_BITS;
}

/**
 * Returns the error rates for comparing two records. A person hardly repeats an error: if each record's name with its birth date also occurs on
 * a third record, no errors in names and birth dates are assumed. Where records are copies of each other, the measured rates always apply.
 */
function ratesFor(a: LinkableRecord, b: LinkableRecord, context: LinkStatistics): RecordErrorRates {
  const { errorRates, perPerson } = context;
  if (perPerson > COPIED || !haveDifferentNameAndBirthDatesSeenElsewhere(a, b, context)) return errorRates;
  return { ...UNMEASURED_ERROR_RATES, near: errorRates.near };
}

export const meetsLinkThreshold = ({ bits, conflict }: PairComparison): boolean =>
  bits >= LINK_THRESHOLD_BITS && !conflict;

/** Returns the evidence in bits that two records are one person, without the prior odds. -Infinity if they cannot be one person. */
export function sumPairEvidenceInBits({ conflict, evidence }: PairComparison): number {
  return conflict ? -Infinity : sumEvidenceBits(evidence, (code) => code !== 'prior');
}

/**
 * Returns the comparison result of two records that both have the operator's labels. Nothing else is compared.
 * @param one true if the labels are equal
 */
function labelVerdict(one: boolean): PairComparison {
  const what = one
    ? 'both records carry the same identity label'
    : 'the records carry different identity labels';
  const bits = one ? OPERATOR_LABEL_BITS : -OPERATOR_LABEL_BITS;
  return { bits, evidence: [{ code: 'label', what, bits }], conflict: !one };
}

/** Compares all contacts of two records and adds the evidence. @param credit factor (0-1) for positive weights */
function addContactEvidence(
  evidence: LinkEvidence[],
  [a, b]: [LinkableRecord, LinkableRecord],
  statistics: LinkStatistics,
  credit: number,
): void {
  // Two records with different names count as one of the people who share the value, because they may be one person.
  const spare = getPersonNameKey(a) === getPersonNameKey(b) ? 0 : 1;
  const context = { statistics, spare, homes: homesFor(a, b, statistics) };
  for (const kind of KINDS)
    for (const found of weighContacts(kind, a, b, context)) {
      if (found.bits > 0) found.bits = roundToHundredthBits(found.bits * credit);
      evidence.push(found);
    }
}

/**
 * Returns the number of records from which the rarity of a shared address is computed: that of the graph. If the records share a given name, a
 * small graph counts as a large one (`getRecordCountForRarity`).
 */
function homesFor(a: LinkableRecord, b: LinkableRecord, context: LinkStatistics): number {
  const world = getRecordCountForRarity(context);
  return world === context.records || findSharedGivenName(a.linkNames, b.linkNames) !== null
    ? world
    : context.records;
}

/**
 * Returns evidence for a record without a name that shares a mailbox with a named record. If all named records with the mailbox have one name,
 * another household member uses it in only a few percent of cases. Null if the mailbox is not shared or has too many names.
 */
function weighNamelessMailbox(
  [a, b]: [LinkableRecord, LinkableRecord],
  evidence: LinkEvidence[],
  context: LinkStatistics,
): LinkEvidence | null {
  if (!evidence.some(({ code, bits }) => code === 'email' && bits > 0)) return null;
  const keys = (record: LinkableRecord) =>
    record.contacts.filter(({ kind }) => kind === 'email').flatMap((one) => one.keys.slice(0, 1));
  const theirs = new Set(keys(b).map(([, key]) => key));
  const known = keys(a).flatMap(([, key]) => (theirs.has(key) ? context.sharers(key) : []));
  const names = Math.min(...known, Infinity);
  if (names > SPELLINGS) return null;
  // The record without a name counts as one of the names.
  const isAlone = names <= 2;
  const what = isAlone ? 'nobody else is known under the e-mail' : 'few names are known under the e-mail';
  const others = sumEvidenceBits(evidence, (code) => code === 'email') + getPriorEvidence(context).bits;
  const bits = Math.max(isAlone ? NAMELESS : NAMELESS_AMONG, roundToHundredthBits(NAMELESS_ODDS - others));
  return { code: 'email', what, bits };
}

const PRIOR_EVIDENCE = new WeakMap<LinkStatistics, LinkEvidence>();

/** Returns the prior odds of two random records. They are the same for all pairs. */
function getPriorEvidence(context: LinkStatistics): LinkEvidence {
  let evidence = PRIOR_EVIDENCE.get(context);
  if (!evidence) PRIOR_EVIDENCE.set(context, (evidence = createPriorEvidence(context)));
  return evidence;
}

function createPriorEvidence(context: LinkStatistics): LinkEvidence {
  const population = getRecordCountForRarity(context);
  const smallest = population > context.records ? ', the smallest population that is assumed' : '';
  const what = `two random records of about ${population}${smallest}`;
  return { code: 'prior', what, bits: getPriorOddsBits(context) };
}

export function getPriorOddsBits(context: LinkStatistics): number {
  return roundToHundredthBits(-Math.log2(getRecordCountForRarity(context) / context.perPerson));
}

/** Returns extra evidence for a shared address, for a graph in which nearly all record pairs at one address belong to one person. */
function homeEvidence(evidence: LinkEvidence[], share: number): LinkEvidence {
  const assumed = sumEvidenceBits(evidence, (code) => code === 'address' || code === 'prior');
  const what = `of the pairs here that share an address ${Math.round(share * 100)} % are one person's`;
  return { code: 'address', what, bits: roundToHundredthBits(Math.max(0, odds(share) - assumed)) };
}

/**
 * Returns negative evidence for records that differ in name or birth date but share other data. Members of a household share such data, so its
 * weight (without e-mails and identifiers) is limited to the measured odds of such pairs at one address.
 */
function householdDoubt(
  evidence: LinkEvidence[],
  { name, birth, address }: RecordErrorRates,
): LinkEvidence | null {
  if (birth === null && (name === null || address === null)) return null;
  const bits = (code: LinkEvidence['code']) => evidence.find((one) => one.code === code)?.bits ?? 0;
  const isShared = (code: LinkEvidence['code']) => code !== 'email' && !TRAITS.includes(code);
  const doubt = (limit: number, what: string): LinkEvidence | null => {
    const excess = roundToHundredthBits(limit - sumEvidenceBits(evidence, isShared));
    return excess < 0 ? { code: 'name', what: `they may be ${what}`, bits: excess } : null;
  };
  const often = (share: number) => `as ${Math.round(share * 100)} % of such pairs here are`;
  if (bits('name') > 0)
    return birth !== null && bits('birth') < 0
      ? doubt(odds(1 - birth.others), `namesakes, ${often(birth.others)}`)
      : null;
  if (name === null || address === null || bits('name') === 0) return null;
  if (bits('birth') > 0) return doubt(odds(1 - name.others), `twins, ${often(name.others)}`);
  return doubt(odds(address) + bits('name') + bits('birth'), 'two of a household');
}

/** Codes of evidence about properties in which members of a household differ. */
const TRAITS: LinkEvidence['code'][] = ['identifier', 'gender'];
/** Codes of evidence that two people hardly ever share. */
const UNIQUE: LinkEvidence['code'][] = ['email', 'phone', 'identifier'];
/** Codes of evidence that two people with the same name in one household do not share. */
const OWN: LinkEvidence['code'][] = ['email', 'phone', 'birth', 'identifier'];

function odds(share: number): number {
  return Math.log2(share / (1 - share));
}

/**
 * Returns negative evidence that limits the sum of name and address bits to `NAMESAKE_MOST`, if no e-mail, phone, identifier or birth date agrees.
 * The limit is higher if two records at one address belong to one person more often (as measured) than `HOME_ODDS` assumes.
 */
function namesakeDoubt(evidence: LinkEvidence[], { address }: RecordErrorRates): LinkEvidence | null {
  for (const { code, bits } of evidence) if (bits > 0 && OWN.includes(code)) return null;
  const limit = NAMESAKE_MOST + (address === null ? 0 : Math.max(0, odds(address) - HOME_ODDS));
  const excess = roundToHundredthBits(
    limit - sumEvidenceBits(evidence, (code) => !OWN.includes(code) && !TRAITS.includes(code)),
  );
  const what = 'nothing but name and address agree: it may be a namesake of the household';
  return excess < 0 ? { code: 'name', what, bits: excess } : null;
}
