// The people that one row names: an order can have a customer, a payer and a receiver. One of them is the
// person of the record.
import type { Address } from '../../model.ts';
import {
  areSameNames,
  comparePreparedNames,
  isCompanyOrHouseholdName,
  type PreparedName,
  prepareName,
} from '../../names/index.ts';
import { foldToAscii } from '../../normalise/text.ts';
import { headerWordHasMeaning, isColumnGroupOfGuarantor } from './words.ts';

/** Address as read from a file. Every part may have any type. */
export type UnvalidatedAddress = { [part in keyof Address | 'plus4']?: unknown };

interface RowPersonValues {
  names: string[];
  parts: Record<string, string>;
  emails: string[];
  phones: string[];
  /** Addresses by the name of their column group. */
  addresses: Map<string, UnvalidatedAddress>;
  /** Name from a note in the address, such as `Attn: Ruth Skinner`. It is used only if there is no other name of a person. */
  attention?: string;
}

/** Role of a person in a row: `own` is the person of columns without a group. */
type PersonRole = 'own' | 'payer' | 'receiver' | 'guarantor';
/** Roles in order of preference. A guarantor is never the person of the record. The person of the record is the one with the first role for which the row has a name. */
const ORDER: readonly PersonRole[] = ['own', 'payer', 'receiver'];

/** Column group for the receiver's name in address columns without a group, such as `_address_firstname` in exports of Magento. */
export const ADDRESSEE_COLUMN_GROUP = 'addressee';
/** Roles of column groups that are not words for billing or shipping: `card` → `payer`. */
const ROLE_BY_GROUP = new Map<string, PersonRole>([
  [ADDRESSEE_COLUMN_GROUP, 'receiver'],
  ['card', 'payer'],
  ['cardaddress', 'payer'],
  ['rechnungsadresse', 'payer'],
  ['buyer', 'payer'],
  ['booker', 'payer'],
  ['bookedby', 'payer'],
]);

const getRoleOfGroup = (group: string): PersonRole | undefined =>
  ROLE_BY_GROUP.get(group) ??
  (headerWordHasMeaning(group, 'billing')
    ? 'payer'
    : headerWordHasMeaning(group, 'shipping')
      ? 'receiver'
      : isColumnGroupOfGuarantor(group)
        ? 'guarantor'
        : undefined);

/** True if a column group belongs to the payer or receiver of an order, or a guarantor, who may be another person than the customer. */
export const isColumnGroupOfOtherPerson = (group: string): boolean => getRoleOfGroup(group) !== undefined;

/** Creates a collector of the values of all people whom one row names. */
export function createCollectorOfPeopleInRow() {
  const all = new Map<PersonRole, RowPersonValues>();
  return {
    /** Returns the object for the values of the person that a column group is about. The caller adds values to it. */
    of(group: string): RowPersonValues {
      const role = getRoleOfGroup(group) ?? 'own';
      let values = all.get(role);
      if (!values) {
        values = { names: [], parts: {}, emails: [], phones: [], addresses: new Map() };
        all.set(role, values);
      }
      return values;
    },
    /** Chooses the record's person and returns the values. `others` is true if the row has values of a second person. */
    choosePerson(): { person: RowPersonValues; others: boolean } {
      const parties = joinHalves(ORDER.flatMap((role) => all.get(role) ?? []).map(withAttention));
      const first = parties.find((values) => namesOf(values).length > 0);
      const named =
        parties.find((values) => namesOf(values).some((name) => !isCompanyOrHouseholdName(name))) ?? first;
      // Contacts of a company, department or household belong to no person, nor do values without a name next
      // to them.
      if (named && named !== first) return { person: mergeValues([named]), others: true };
      const own = parties.filter((values) => !named || values === named || isSamePerson(named, values));
      return { person: mergeValues(own), others: own.length < parties.length || all.has('guarantor') };
    },
  };
}

/**
 * Returns the values of one person. If no name is that of one person (there is none, or only of a company, couple or household), the name from a
 * note in the address (`Attn: Ruth Skinner`) replaces the names.
 */
function withAttention(values: RowPersonValues): RowPersonValues {
  const { attention } = values;
  if (attention === undefined || !namesOf(values).every(isCompanyOrHouseholdName)) return values;
  return { ...values, names: [attention], parts: {} };
}

/**
 * Removes the names of other people than the first one from the names of a cell: `Paul Reed; Karen Reed`. Another form of the first name, a name in
 * another script and a name with the same given name stay.
 */
export function withoutNamesOfOthers(names: string[]): string[] {
  if (names.length < 2) return names;
  const [first, ...others] = names.map(prepareName);
  const isOther = (name?: PreparedName) => {
    if (
      !first ||
      !name ||
      name.script !== first.script ||
      Math.min(name.tokens.length, first.tokens.length) < 2
    )
      return false;
    const { same, sharedHalf } = comparePreparedNames(first, name);
    return !same && sharedHalf !== 'given';
  };
  return names.filter((_, i) => i === 0 || !isOther(others[i - 1]));
}

/** Matches a letter of the scripts in which names are written without spaces: 李明, 김민준. */
const UNSPACED_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Adds the name parts of a row to its whole name: `Ann Lee`, `Marie` and `Jr` become `Ann Marie Lee Jr`. A part is left out if the whole name
 * contains it, or has so many words that it probably contains another form of it. Returns null if the parts are a separate name: they contain a
 * given and a family name, or the whole name is that of a company or household.
 */
export function joinNamePartsWithWholeName(name: string, parts: RowPersonValues['parts']): string | null {
  const { given, middle, family, suffix } = parts;
  if ((given !== undefined && family !== undefined) || isCompanyOrHouseholdName(name)) return null;
  if (prepareName(name).generation > 0) return name;
  const own = foldToAscii(name).split(/[\s,]+/);
  const ownWords = wordsOf(name);
  const isNew = (part = '') =>
    !wordsOf(part).every((word) => ownWords.includes(word)) &&
    !(UNSPACED_LETTER.test(name) && name.includes(part.trim()));
  const isNewFamily = own.length <= 2 && isNew(family);
  const longer = isNewFamily ? withLongerFamilyName(name, family?.trim() ?? '') : null;
  const whole = longer ?? name;
  const end = name.includes(',') ? whole.length : name.lastIndexOf(' ');
  const joined = [
    own.length === 1 && isNew(given) ? given : '',
    ...(own.length === 2 && isNew(middle) ? [whole.slice(0, end), middle, whole.slice(end)] : [whole]),
    isNewFamily && longer === null ? family : '',
    suffix,
  ];
  return joined.flatMap((part) => part?.trim() || []).join(' ');
}

const wordsOf = (text: string): string[] =>
  foldToAscii(text)
    .split(/[\s,-]+/)
    .filter(Boolean);

/** Replaces the family name of a whole name by a longer one that contains it: Ann Smith-Jones for Ann Smith. Null if it does not contain it. */
function withLongerFamilyName(name: string, longer: string): string | null {
  const start = name.includes(',') ? 0 : name.lastIndexOf(' ') + 1;
  const [family = ''] = name.slice(start).split(',');
  const words = wordsOf(longer);
  if (!wordsOf(family).every((word) => words.includes(word))) return null;
  return name.slice(0, start) + longer + name.slice(start + family.length);
}

/** Joins a given name and a family name that are in columns of different roles, for example one of billing and one of shipping. */
function joinHalves(parties: RowPersonValues[]): RowPersonValues[] {
  const hasOnly = (half: string, other: string) => (values: RowPersonValues) =>
    values.names.length === 0 && values.parts[half] !== undefined && values.parts[other] === undefined;
  const given = parties.find(hasOnly('given', 'family'));
  const family = parties.find(hasOnly('family', 'given'));
  if (!given || !family) return parties;
  const parts = { ...given.parts, ...family.parts };
  return parties.map((values) => (values === given || values === family ? { ...values, parts } : values));
}

function namesOf({ names, parts }: RowPersonValues): string[] {
  const whole = ['given', 'middle', 'family', 'suffix'].flatMap((part) => parts[part] ?? []).join(' ');
  return whole === '' ? names : [...names, whole];
}

/** True if two people of a row share a name. Values without a name belong to the person with a name. */
function isSamePerson(person: RowPersonValues, other: RowPersonValues): boolean {
  const [names, otherNames] = [namesOf(person).map(prepareName), namesOf(other).map(prepareName)];
  return (
    otherNames.length === 0 ||
    names.some((name) => otherNames.some((otherName) => areSameNames(name, otherName)))
  );
}

function mergeValues(all: RowPersonValues[]): RowPersonValues {
  const [first] = all.filter((values) => namesOf(values).length > 0);
  const known = new Set(first ? namesOf(first).map(foldToAscii) : []);
  const otherNames = all
    .filter((values) => values !== first)
    .flatMap(namesOf)
    .filter((name) => !known.has(foldToAscii(name)));
  return {
    names: [...(first?.names ?? []), ...otherNames],
    parts: first?.parts ?? {},
    emails: all.flatMap(({ emails }) => emails),
    phones: all.flatMap(({ phones }) => phones),
    addresses: new Map(all.flatMap(({ addresses }) => [...addresses])),
  };
}
