import type { KeyType } from '../../model.ts';
import type { StoredContact } from '../stored.ts';
import { type LinkContext, type LinkEvidence, population, round } from './evidence.ts';
import { alikeStreet, TYPO_PAIRS, typoApart } from './likeness.ts';
import { ALONE } from '../error-rates.ts';
import type { LinkRecord } from '../record.ts';

/** What is taken from log2(records / sharers) for a key: values are passed on, shared and mistyped. */
const SLACK: Record<KeyType, number> = {
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
/** Streets that are alike, where addresses are written well: neighbours and relatives live there. */
const STREET = 2.5;
/** And where they err: of the streets of one place about one in a hundred is so much alike. */
const STREET_ERRING = 6;
/** A house number in common where the street differs: one address in some dozens has it by chance, and some errors leave it alone. */
const HOUSE_NUMBER = 3;
/** A pair of records lists different values of a kind: people have several, so this says little. */
const DIFFER: Record<StoredContact['kind'], number> = { email: -1.3, phone: -1.3, address: -0.7 };
/** What two records' contacts of one kind say: the values in common, or that both have some and none in common. */
export function contactEvidence(
  kind: StoredContact['kind'],
  a: LinkRecord,
  b: LinkRecord,
  context: LinkContext,
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
  return found.slice(0, 3).map((one, i) => ({ ...one, bits: round(one.bits / 2 ** i) }));
}

function agreement(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  for (const [type, key] of one.keys) {
    if (!two.keys.some(([, other]) => other === key)) continue;
    const sharers = context.sharers(key);
    // Slack is for those of a household, who share values and names; behind a value that very many share stands no household.
    const slack = sharers > HOUSEHOLD_MOST ? Math.min(1, SLACK[type]) : SLACK[type];
    return {
      code: one.kind,
      what: `same ${one.kind} (${type})${sharers > 1 ? `, shared by ${sharers} names` : ''}`,
      bits: round(rarity(outOf(one.kind, context), sharers, slack)),
    };
  }
  const apart = typoApart(one, two);
  if (apart !== null && apart <= TYPO_PAIRS)
    return {
      code: one.kind,
      what: `${one.kind} a slip apart`,
      bits: round(rarity(outOf(one.kind, context), 1, TYPO_SLACK)),
    };
  if (one.kind === 'address') return alikeAddress(one, two, context);
  return null;
}

function rarity(records: number, sharers: number, slack: number): number {
  return Math.max(0.3, Math.min(AGREE_MOST, Math.log2(records / sharers) - slack));
}

/** An e-mail or a phone is as rare in the world as it is, however small the graph; at an address there may live a namesake. */
function outOf(kind: StoredContact['kind'], context: LinkContext): number {
  return kind === 'address' ? context.records : population(context);
}

/** Addresses that agree in most of the street, in the place, or in both. */
function alikeAddress(one: StoredContact, two: StoredContact, context: LinkContext): LinkEvidence | null {
  const shared = one.places.find((place) => two.places.includes(place));
  const place = shared === undefined ? 0 : placeBits(shared, context);
  const alike = alikeStreet(one, two);
  const errs = context.errorRates.address !== null;
  const numbers = errs && one.signature !== null && one.signature.exactPart === two.signature?.exactPart;
  if (!alike && !numbers && place === 0) return null;
  if (!alike && numbers)
    return { code: 'address', what: 'same house number and place', bits: round(place + HOUSE_NUMBER) };
  const what = alike ? `street names are alike${place ? ', and the place is the same' : ''}` : 'same place';
  return { code: 'address', what, bits: round(place + (alike ? (errs ? STREET_ERRING : STREET) : 0)) };
}

const placeBits = (place: number, context: LinkContext) => placeWeight(context.placeCount(place), context);

/** What a place in common says that so many records are in. */
export function placeWeight(count: number, context: Pick<LinkContext, 'records' | 'errorRates'>): number {
  const { address } = context.errorRates;
  const most = address !== null && address >= ALONE ? PLACE_MOST_ERRING : PLACE_MOST;
  return Math.max(0, Math.min(most, Math.log2(context.records / count) - 1));
}
