// Whom a row names: an order may have a customer, somebody who pays and somebody who receives it. Only one of them is the record's person.
import { comparePreparedNames, prepareName } from '../../names/index.ts';
import type { Address } from '../../model.ts';
import { hasMeaning } from './words.ts';

/** An address as it comes out of a file; every part may be of any type. */
export type RawAddress = { [part in keyof Address | 'plus4']?: unknown };

/** What a row says of one of them. */
export interface PartyValues {
  names: string[];
  /** Of one name. */
  parts: Record<string, string>;
  emails: string[];
  phones: string[];
  /** By the group of their columns. */
  addresses: Map<string, RawAddress>;
}

type Party = 'own' | 'payer' | 'receiver';
/** Whose the record is: the first of them who has a name. */
const ORDER: readonly Party[] = ['own', 'payer', 'receiver'];

/** Names of groups that are not a word. */
const GROUPS = new Map<string, Party>([
  ['card', 'payer'],
  ['cardaddress', 'payer'],
  ['rechnungsadresse', 'payer'],
]);

const partyOf = (group: string): Party | undefined =>
  GROUPS.get(group) ??
  (hasMeaning(group, 'billing') ? 'payer' : hasMeaning(group, 'shipping') ? 'receiver' : undefined);

/** Whether a group of columns is about somebody who may be another. */
export const isPartyGroup = (group: string): boolean => partyOf(group) !== undefined;

export interface PartyCollector {
  of(group: string): PartyValues;
  /** What is said of the record's person, and whether somebody else was named beside them. */
  person(): { said: PartyValues; others: boolean };
}

export function collectParties(): PartyCollector {
  const all = new Map<Party, PartyValues>();
  return {
    of(group) {
      const party = partyOf(group) ?? 'own';
      let said = all.get(party);
      if (!said)
        all.set(party, (said = { names: [], parts: {}, emails: [], phones: [], addresses: new Map() }));
      return said;
    },
    person() {
      const there = ORDER.flatMap((party) => all.get(party) ?? []);
      const person = there.find((said) => namesOf(said).length > 0);
      const theirs = there.filter((said) => !person || said === person || isSame(person, said));
      return { said: together(theirs), others: theirs.length < there.length };
    },
  };
}

function namesOf({ names, parts }: PartyValues): string[] {
  const whole = ['given', 'middle', 'family', 'suffix'].flatMap((part) => parts[part] ?? []).join(' ');
  return whole === '' ? names : [...names, whole];
}

/** Who has no name of their own is the one who has. */
function isSame(person: PartyValues, other: PartyValues): boolean {
  const [ones, twos] = [namesOf(person).map(prepareName), namesOf(other).map(prepareName)];
  return twos.length === 0 || ones.some((one) => twos.some((two) => comparePreparedNames(one, two).same));
}

function together(all: PartyValues[]): PartyValues {
  const [first] = all.filter((said) => namesOf(said).length > 0);
  const others = all.filter((said) => said !== first).flatMap(namesOf);
  return {
    names: [...(first?.names ?? []), ...others],
    parts: first?.parts ?? {},
    emails: all.flatMap(({ emails }) => emails),
    phones: all.flatMap(({ phones }) => phones),
    addresses: new Map(all.flatMap(({ addresses }) => [...addresses])),
  };
}
