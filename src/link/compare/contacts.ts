import type { LookupKeyType } from '../../model.ts';
import type { StoredContact } from '../stored-record.ts';
import {
  type LinkContext,
  type LinkEvidence,
  getPopulation,
  roundBits,
  SINGLE_PERSON_SHARE,
  hasErrorsWithoutHouseholds,
} from './evidence.ts';
import {
  haveSimilarStreets,
  haveDifferentFlats,
  haveDifferentStreetPostcodes,
  MAX_TYPO_BIGRAMS,
  countDifferentBigrams,
} from './address-similarity.ts';
import type { LinkRecord } from '../link-record.ts';

/** What is taken from log2(records / sharers) for a key: values are passed on, shared and mistyped. */
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
 * The most that one agreement can say: as much as the odds of any two of sixteen million records take away. With 14 bits, enough for ten
 * thousand, an e-mail in common would say less and less from there on (F1 .921 in place of .932 at 100,587 generated records).
 */
const AGREE_MOST = 24;
const PLACE_MOST = 5;
/** And where records err, and an address nearly always means one person: families of one name are not many then. */
const PLACE_MOST_ERRING = 8;
/** Two streets of one district. */
const DISTRICT_MOST = 1;
/** Streets that are alike, where addresses are written well: neighbours and relatives live there. */
const STREET = 2.5;
/** And where they err: of the streets of one place about one in a hundred is so much alike. */
const STREET_ERRING = 6;
/** A postcode that means a street: some fifteen households have it, and several records each. */
const POSTCODE_SLACK = 4;
const POSTCODE_MOST = 8;
/** A house number in common where the street differs: one address in some dozens has it by chance, and some errors leave it alone. */
const HOUSE_NUMBER = 3;
/** A pair of records lists different values of a kind: people have several, so this says little. */
const DIFFER: Record<StoredContact['kind'], number> = { email: -1.3, phone: -1.3, address: -0.7 };
/** @param homes out of how many records a whole address is taken to be drawn */
type ContactContext = LinkContext & { homes: number };

/** What two records' contacts of one kind say: the values in common, or that both have some and none in common. */
export function weighContacts(
  kind: StoredContact['kind'],
  a: LinkRecord,
  b: LinkRecord,
  context: ContactContext,
): LinkEvidence[] {
  const [ours, theirs] = [
    a.contacts.filter((c) => c.kind === kind),
    b.contacts.filter((c) => c.kind === kind),
  ];
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
  return found.slice(0, 3).map((one, i) => ({ ...one, bits: roundBits(one.bits / 2 ** i) }));
}

function agreement(one: StoredContact, two: StoredContact, context: ContactContext): LinkEvidence | null {
  if (haveDifferentFlats(one, two)) return otherFlat(one, two, context);
  for (const [type, key] of one.keys) {
    if (!two.keys.some(([, other]) => other === key)) continue;
    const sharers = context.sharers(key);
    // Slack is for those of a household, who share values and names; behind a value that very many share stands no household.
    const slack = sharers > HOUSEHOLD_MOST ? Math.min(1, SLACK[type]) : SLACK[type];
    return {
      code: one.kind,
      what: `same ${one.kind} (${type})${sharers > 1 ? `, shared by ${sharers} names` : ''}`,
      bits: roundBits(rarity(drawnFrom(type, [one, two], context), sharers, slack)),
    };
  }
  const apart = countDifferentBigrams(one, two);
  if (apart !== null && apart <= MAX_TYPO_BIGRAMS)
    return {
      code: one.kind,
      what: `${one.kind} a slip apart`,
      bits: roundBits(rarity(getPopulation(context), 1, TYPO_SLACK)),
    };
  if (one.kind === 'address') return alikeAddress(one, two, context);
  return null;
}

function rarity(records: number, sharers: number, slack: number): number {
  return Math.max(0.3, Math.min(AGREE_MOST, Math.log2(records / sharers) - slack));
}

/** A whole value is as rare in the world as it is, however small the graph; a street with a number, in one town or in two, is not. */
function drawnFrom(
  type: LookupKeyType,
  [one, two]: [StoredContact, StoredContact],
  context: ContactContext,
): number {
  if (one.kind !== 'address') return getPopulation(context);
  const isWhole = type !== 'street' && (type !== 'core' || one.places.at(-1) === two.places.at(-1));
  return isWhole ? context.homes : context.records;
}

/** Two flats are two homes, in one house as in two: they have no more in common than a street and its place. */
function otherFlat(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  const shared = one.places.find((place) => two.places.includes(place));
  if (shared === undefined) return null;
  return { code: 'address', what: 'same place, other flats', bits: roundBits(placeBits(shared, context)) };
}

/** Addresses that agree in most of the street, in the place, or in both. */
function alikeAddress(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  const errs = hasErrorsWithoutHouseholds(context.errorRates);
  const isNumbered = one.signature !== null && two.signature !== null;
  const sameNumber = isNumbered && one.signature?.exactPart === two.signature?.exactPart;
  const { postcode } = one;
  if (postcode !== undefined && postcode === two.postcode && (sameNumber || !isNumbered))
    return samePostcode(postcode, sameNumber, context);
  const shared = one.places.find((place) => two.places.includes(place));
  const most = !errs && haveDifferentStreetPostcodes(one, two) ? DISTRICT_MOST : Infinity;
  const place = shared === undefined ? 0 : Math.min(most, placeBits(shared, context));
  // Neighbours live in one street under other numbers.
  const alike = (errs || sameNumber) && haveSimilarStreets(one, two);
  const house = errs && sameNumber;
  if (!alike && !house && place === 0) return null;
  const what = alike
    ? `street names are alike${place ? ', and the place is the same' : ''}`
    : `same ${house ? 'house number and ' : ''}place`;
  const more = alike ? (errs ? STREET_ERRING : STREET) : house ? HOUSE_NUMBER : 0;
  return { code: 'address', what, bits: roundBits(place + more) };
}

/** A postcode that means a street, with the house number or without one to compare. */
function samePostcode(postcode: number, sameNumber: boolean, context: LinkContext): LinkEvidence {
  const count = context.placeCount(postcode);
  const bits = Math.max(weighSharedPostcode(count, context), weighSharedPlace(count, context));
  if (!sameNumber)
    return { code: 'address', what: 'same postcode, which means a street', bits: roundBits(bits) };
  const house = Math.max(bits, rarity(getPopulation(context), 1, TYPO_SLACK));
  return { code: 'address', what: 'same house number and postcode', bits: roundBits(house) };
}

const placeBits = (place: number, context: LinkContext) =>
  weighSharedPlace(context.placeCount(place), context);

/** What a place in common says that so many records are in. */
export function weighSharedPlace(
  count: number,
  context: Pick<LinkContext, 'records' | 'errorRates'>,
): number {
  const { address } = context.errorRates;
  const most = address !== null && address >= SINGLE_PERSON_SHARE ? PLACE_MOST_ERRING : PLACE_MOST;
  return Math.max(0, Math.min(most, Math.log2(context.records / count) - 1));
}

/** What a postcode in common says that means a street and that so many records have: it is as rare in the world as it is. */
export function weighSharedPostcode(count: number, context: Pick<LinkContext, 'records'>): number {
  const rare = Math.log2(getPopulation(context) / count) - POSTCODE_SLACK;
  return Math.max(0, Math.min(POSTCODE_MOST, rare));
}
