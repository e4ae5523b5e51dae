import type { Confidence, Resolution } from '../model.ts';
import { agreementWith, type WeighedValue } from './values.ts';
import { CATFISH } from './weights.ts';
import type { Hypothesis } from './weigh.ts';

/**
 * The contacts belong, with weight, to somebody who does not bear the name, or are split among several people: e-mails and phones of others
 * outweigh the person's own contacts. Addresses alone never say so, nor does a minority.
 */
export function isCatfish(
  values: readonly WeighedValue[],
  { identity, bears }: Hypothesis,
  rows: Rows,
): boolean {
  let [own, others] = [0, 0];
  for (const value of values) {
    const mine = bears && identity !== null && agreementWith(value, identity) !== undefined;
    if (mine) own += value.kind === 'address' ? CATFISH.address * value.strength : value.strength;
    else if (isStrangers(value)) others += value.against / value.beside;
  }
  return others >= CATFISH.least && others >= CATFISH.share * own && !isMinority(values, rows);
}

/** An e-mail or phone that is surely one other person's own: not shared. */
const isStrangers = ({ kind, doubt, agreements }: WeighedValue) =>
  kind !== 'address' && doubt >= CATFISH.doubt && agreements.every(({ share }) => share === 1);

/** What came back of the name, and of each contact. */
export interface Rows {
  name: Resolution;
  contacts: readonly Resolution[];
}

/** Others have half as many values as the person at the most, of all and of those that are no addresses. */
function isMinority(values: readonly WeighedValue[], { name, contacts }: Rows): boolean {
  const count = { own: 0, others: 0, ownDirect: 0, othersDirect: 0 };
  for (const { index, kind } of values) {
    const own = name.identity !== null && contacts[index]?.identity === name.identity;
    count[own ? 'own' : 'others']++;
    if (kind !== 'address') count[own ? 'ownDirect' : 'othersDirect']++;
  }
  return count.own >= 2 * count.others && count.ownDirect >= 2 * count.othersDirect;
}

/** How much evidence there was, whichever way it points: values that are nearly somebody's own, of how many kinds. */
export function confidenceOf(values: readonly WeighedValue[]): Confidence {
  let sure = 0;
  const kinds = new Set<WeighedValue['kind']>();
  for (const { kind, strength } of values) {
    sure += strength;
    if (strength >= 0.25) kinds.add(kind);
  }
  if (kinds.size >= 2 && sure >= 1.2) return 'HIGH';
  return sure >= 0.5 ? 'MEDIUM' : 'LOW';
}
