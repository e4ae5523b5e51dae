import type { Agreement, Evidence, ContactKind, NameAgreement } from '../model.ts';
import { doubtOf, freshness, strength } from './curves.ts';
import { DOUBT, NAMELESS } from './weights.ts';

/** A contact value that is on record and counts: what it says whoever is the person. */
export interface WeighedValue {
  /** Its place among the contacts. */
  index: number;
  kind: ContactKind;
  agreements: readonly Agreement[];
  /** The same by identity: what an identity has is asked for each one that may be the person. */
  holders: ReadonlyMap<number, Agreement>;
  /** 0-1: how surely it is somebody's own; the most that any holder has. */
  strength: number;
  /** 0-1: how surely none of those who have it is the person. */
  doubt: number;
  /** The same where somebody else bears the whole name, beside whom a relative is another person. */
  beside: number;
  /** Years between the newest record and the last sight of any of them. */
  years: number;
  /** 0-1: how much it says against somebody who bears the name and does not have it. */
  against: number;
}

const YEAR = 365.25 * 86_400_000;

/** The values that count. One that repeats another says nothing of its own. */
export function toWeighedValues(evidence: Evidence): WeighedValue[] {
  const doubt = doubtIn(evidence);
  const values: WeighedValue[] = [];
  for (const [index, { kind, agreements, isRepeat: repeats }] of evidence.contacts.entries())
    if (!repeats && agreements.length > 0) values.push(valueOf({ kind, agreements, index }, evidence, doubt));
  return values;
}

function valueOf(
  one: Pick<WeighedValue, 'kind' | 'agreements' | 'index'>,
  { nameAgreements: names, newestSeen: newest }: Evidence,
  doubtOfHolder: (name: NameAgreement | undefined) => number,
): WeighedValue {
  const { kind, agreements } = one;
  const holders = new Map<number, Agreement>();
  let [most, doubt, beside, years] = [0, 1, 1, Infinity];
  for (const agreement of agreements) {
    if (!holders.has(agreement.identity)) holders.set(agreement.identity, agreement);
    const name = names.get(agreement.identity);
    most = Math.max(most, strength(agreement, kind));
    const sure = doubtOfHolder(name);
    doubt = Math.min(doubt, sure);
    beside = Math.min(beside, name?.sharedHalf === 'family' ? DOUBT.relative : sure);
    const { lastSeen } = agreement;
    years = Math.min(years, lastSeen === null || newest === null ? 0 : (newest - lastSeen) / YEAR);
  }
  return {
    ...one,
    holders,
    strength: most,
    doubt,
    beside,
    years,
    against: most * beside * freshness(years, kind),
  };
}

/** 0-1: how surely somebody who has a value is not the person: the less of the name agrees, the surer. Whose names were not read is another. */
function doubtIn(evidence: Evidence): (name: NameAgreement | undefined) => number {
  const namesake = namesakeDoubt(evidence);
  return (name) => {
    if (name?.isSame) return namesake;
    if (name?.isNameless) return NAMELESS.doubt;
    return name ? doubtOf(name.agreement) : 1;
  };
}

/**
 * 0-1: that another one of the name is another person. Two of a rare name are as likely one person, not linked. Who of them is read depends
 * on the values that are sent, so it is asked how many bear the name to the letter.
 */
function namesakeDoubt({ nameHolders: bearers }: Evidence): number {
  return DOUBT.namesake * Math.max(0, 1 - 2 / Math.max(bearers, 1));
}

/** The agreement of a value with an identity. */
export function agreementWith({ holders }: WeighedValue, identity: number): Agreement | undefined {
  return holders.get(identity);
}

/** Values in groups that hang together by people who have them: one person's, or a household's. */
export function groupsOf(values: readonly WeighedValue[]): WeighedValue[][] {
  const groups: WeighedValue[][] = [];
  for (const value of values) {
    const group = [value];
    for (let i = groups.length - 1; i >= 0; i--) {
      const other = groups[i];
      if (!other?.some((one) => group.some((two) => meet(one, two)))) continue;
      group.push(...other);
      groups.splice(i, 1);
    }
    groups.push(group);
  }
  return groups;
}

/** Does anybody have both? */
export function meet({ holders: some }: WeighedValue, { holders: others }: WeighedValue): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  for (const one of few.keys()) if (many.has(one)) return true;
  return false;
}
