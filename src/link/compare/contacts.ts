import type { LookupKeyType } from '../../model.ts';
import type { StoredContact } from '../stored-record.ts';
import {
  type LinkStatistics,
  type LinkEvidence,
  getRecordCountForRarity,
  roundToHundredthBits,
  MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS,
  areSmallDifferencesErrors,
} from './evidence.ts';
import {
  haveSimilarStreets,
  areOnDifferentStreets,
  haveDifferentFlats,
  haveDifferentStreetPostcodes,
  MAX_BIGRAMS_CHANGED_BY_TYPOS,
  countUnsharedBigrams,
  hasKey,
} from './address-similarity.ts';
import type { LinkableRecord } from '../link-record.ts';

/**
 * Bits subtracted from the rarity log2(records / sharers) of a shared value, by look-up key type: people share, mistype and pass on values.
 */
const SLACK: Record<LookupKeyType, number> = {
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
const TYPO_SLACK = 5;
const HOUSEHOLD_MOST = 8;
/**
 * Maximum weight in bits of one shared contact: the prior odds among 16 million records. A limit of 14 bits (10,000 records) lowered F1
 * from .932 to .921 on 100,587 generated records.
 */
const AGREE_MOST = 24;
const PLACE_MOST = 5;
/** Maximum weight in bits of a shared place (postcode or city), for a graph in which nearly all record pairs at one address belong to one person. */
const PLACE_MOST_ERRING = 8;
/** Maximum weight in bits of a shared city or postcode district of two addresses on different streets, in records without many errors. */
const OTHER_STREET_MOST = 1;
/** Weight of similar street names in bits, in records without many errors. Neighbours and relatives have similar streets too. */
const STREET = 2.5;
/** Weight of similar street names in bits, in records with errors. About 1 % of the streets in a place are this similar. */
const STREET_ERRING = 6;
/**
 * Bits subtracted from the rarity of a shared postcode that identifies a street. About fifteen households share such a postcode, with several
 * records each.
 */
const POSTCODE_SLACK = 4;
const POSTCODE_MOST = 8;
/** Weight of a shared house number in bits, if the streets differ. One address in a few dozen shares it by chance. */
const HOUSE_NUMBER = 3;
/** Weight in bits of different values, by contact type. It is small, because people have several contacts. */
const DIFFER: Record<StoredContact['kind'], number> = { email: -1.3, phone: -1.3, address: -0.7 };
/** Statistics, and numbers of people and records, for comparing the contacts of two records. */
interface ContactContext {
  statistics: LinkStatistics;
  /** Number of people to subtract from those who share a value: 1 if the two records have different names, because they may be one person. */
  spare: number;
  /** Number of records from which the rarity of a full address is computed; see `homesFor`. */
  homes: number;
}

/** Compares the contacts of one type in two records. Returns evidence for the shared values, or evidence that no value is shared. */
export function weighContacts(
  kind: StoredContact['kind'],
  a: LinkableRecord,
  b: LinkableRecord,
  context: ContactContext,
): LinkEvidence[] {
  const contactEvidence: LinkEvidence[] = [];
  let haveBoth = false;
  for (const one of a.contacts) {
    if (one.kind !== kind) continue;
    let best: LinkEvidence | null = null;
    for (const two of b.contacts) {
      if (two.kind !== kind) continue;
      haveBoth = true;
      const agreed = agreement(one, two, context);
      if (agreed && (!best || agreed.bits > best.bits)) best = agreed;
    }
    if (best) contactEvidence.push(best);
  }
  if (contactEvidence.length === 0)
    return haveBoth ? [{ code: kind, what: `no ${kind} in common`, bits: DIFFER[kind] }] : contactEvidence;
  if (contactEvidence.length > 1) contactEvidence.sort((x, y) => y.bits - x.bits).splice(3);
  // Each further shared value of a type counts half of the one before, because people tend to share several values of a type.
  let divisor = 1;
  for (const one of contactEvidence) {
    one.bits = roundToHundredthBits(one.bits / divisor);
    divisor *= 2;
  }
  return contactEvidence;
}

function agreement(one: StoredContact, two: StoredContact, context: ContactContext): LinkEvidence | null {
  const { statistics, spare } = context;
  if (haveDifferentFlats(one, two) && !areOnDifferentStreets(one, two))
    return otherFlat(one, two, statistics);
  for (const entry of one.keys) {
    const type = entry[0];
    const key = entry[1];
    if (!hasKey(two, key)) continue;
    const sharers = Math.max(1, statistics.sharers(key) - spare);
    // The subtracted bits allow for households, whose members share values and names. If more than `HOUSEHOLD_MOST` people share a value,
    // it is not a household's, and at most one bit is subtracted.
    const slack = sharers > HOUSEHOLD_MOST ? Math.min(1, SLACK[type]) : SLACK[type];
    return {
      code: one.kind,
      what: `same ${one.kind}${type === one.kind ? '' : ` (${type})`}${sharers > 1 ? `, shared by ${sharers} names` : ''}`,
      bits: roundToHundredthBits(rarity(drawnFrom(type, one, two, context), sharers, slack)),
    };
  }
  const apart = countUnsharedBigrams(one, two);
  if (apart !== null && apart <= MAX_BIGRAMS_CHANGED_BY_TYPOS && !isShortened(one, two))
    return {
      code: one.kind,
      what: `${one.kind} with a typo`,
      bits: roundToHundredthBits(rarity(getRecordCountForRarity(statistics), 1, TYPO_SLACK)),
    };
  return one.kind === 'address' ? alikeAddress(one, two, statistics) : null;
}

/** True if one e-mail lacks several letters of the other. This is another mailbox and no typing error: emma.clarke, eclarke. */
const isShortened = ({ kind, signature }: StoredContact, two: StoredContact): boolean =>
  kind === 'email' && Math.abs((signature?.grams.length ?? 0) - (two.signature?.grams.length ?? 0)) > 1;

function rarity(records: number, sharers: number, slack: number): number {
  return Math.max(0.3, Math.min(AGREE_MOST, Math.log2(records / sharers) - slack));
}

/**
 * Returns the number of records from which the rarity of an address key is computed: `homes` for a full address, and the size of the graph for a
 * street with a house number but without a place.
 */
function drawnFrom(
  type: LookupKeyType,
  one: StoredContact,
  two: StoredContact,
  { statistics, homes }: ContactContext,
): number {
  if (one.kind !== 'address') return getRecordCountForRarity(statistics);
  const isWhole = type !== 'street' && (type !== 'core' || one.places.at(-1) === two.places.at(-1));
  return isWhole ? homes : statistics.records;
}

/**
 * Returns the evidence of two addresses with different flats: only a shared place (postcode or city) counts, because two flats of a house are two
 * homes. Null if the place differs too.
 */
function otherFlat(one: StoredContact, two: StoredContact, context: LinkStatistics): LinkEvidence | null {
  const shared = one.places.find((place) => two.places.includes(place));
  if (shared === undefined) return null;
  return {
    code: 'address',
    what: 'same place, other flats',
    bits: roundToHundredthBits(placeBits(shared, context)),
  };
}

/** Returns the evidence of two addresses that share the place (postcode or city) or most of the street name. Null if they share neither. */
function alikeAddress(one: StoredContact, two: StoredContact, context: LinkStatistics): LinkEvidence | null {
  const errs = areSmallDifferencesErrors(context.errorRates);
  const isNumbered = one.signature !== null && two.signature !== null;
  const sameNumber = isNumbered && one.signature?.exactPart === two.signature?.exactPart;
  const { postcode } = one;
  if (postcode !== undefined && postcode === two.postcode && (sameNumber || !isNumbered))
    return samePostcode(postcode, sameNumber, context);
  const shared = one.places.find((place) => two.places.includes(place));
  const areElsewhere = haveDifferentStreetPostcodes(one, two) || areOnDifferentStreets(one, two);
  const most = !errs && areElsewhere ? OTHER_STREET_MOST : Infinity;
  const place = shared === undefined ? 0 : Math.min(most, placeBits(shared, context));
  // In records without errors, the house number must be the same: neighbours share a street.
  const isSimilarStreet = (errs || sameNumber) && haveSimilarStreets(one, two);
  const house = errs && sameNumber;
  if (!isSimilarStreet && !house && place === 0) return null;
  const what = isSimilarStreet
    ? `street names are alike${place ? ', and the place is the same' : ''}`
    : `same ${house ? 'house number and ' : ''}place`;
  const more = isSimilarStreet ? (errs ? STREET_ERRING : STREET) : house ? HOUSE_NUMBER : 0;
  return { code: 'address', what, bits: roundToHundredthBits(place + more) };
}

/** Returns the evidence of a shared postcode that identifies a street, if the house numbers are equal or missing. */
function samePostcode(postcode: number, sameNumber: boolean, context: LinkStatistics): LinkEvidence {
  const count = context.placeCount(postcode);
  const bits = Math.max(weighSharedPostcode(count, context), weighSharedPlace(count, context));
  if (!sameNumber)
    return { code: 'address', what: 'same postcode, which means a street', bits: roundToHundredthBits(bits) };
  const house = Math.max(bits, rarity(getRecordCountForRarity(context), 1, TYPO_SLACK));
  return { code: 'address', what: 'same house number and postcode', bits: roundToHundredthBits(house) };
}

const placeBits = (place: number, context: LinkStatistics) =>
  weighSharedPlace(context.placeCount(place), context);

/**
 * Returns the weight in bits of a place (postcode or city) that two records share.
 * @param count number of records in the place
 */
export function weighSharedPlace(
  count: number,
  context: Pick<LinkStatistics, 'records' | 'errorRates'>,
): number {
  const { address } = context.errorRates;
  const most =
    address !== null && address >= MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS ? PLACE_MOST_ERRING : PLACE_MOST;
  return Math.max(0, Math.min(most, Math.log2(context.records / count) - 1));
}

/**
 * Returns the weight in bits of a shared postcode that identifies a street. A small graph counts as `LEAST_RECORDS` records.
 * @param count number of records with the postcode
 */
export function weighSharedPostcode(count: number, context: Pick<LinkStatistics, 'records'>): number {
  const rare = Math.log2(getRecordCountForRarity(context) / count) - POSTCODE_SLACK;
  return Math.max(0, Math.min(POSTCODE_MOST, rare));
}
