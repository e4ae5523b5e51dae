import type {
  Agreement,
  Contact,
  ContactEvidence,
  Evidence,
  Identity,
  LookupKey,
  NameAgreement,
  RawContact,
} from '../model.ts';
import type { PreparedName } from '../names/index.ts';
import { nameComparer, GIVEN_ONLY } from './name.ts';
import { type PhoneReading, foreignPhoneReadings, queryKeys, withoutOtherUnits } from './graph-query.ts';
import { emailSpelling, speltAgreement, withContactSupport } from './contact-support.ts';

export interface MatchInput {
  name: PreparedName;
  contacts: readonly Contact[];
  /** What was asked beside the contacts themselves; see `asked`. */
  readings: readonly PhoneReading[];
  /** What the graph answered to `values` of `asked`. */
  answer: {
    total: number;
    newest: number | null;
    values: Agreement[][];
    name: { bearers: number; given: number[] };
    identities: Map<number, Identity>;
  };
}

/** What a check asks of the graph: a value for each contact, in their order, then one for each other reading of a phone. */
export function buildGraphQuery(contacts: readonly Contact[]) {
  const readings = foreignPhoneReadings(contacts);
  const values: { keys: LookupKey[]; signature: Contact['signature']; raw: RawContact }[] = contacts.map(
    (contact) => ({ keys: queryKeys(contact), signature: contact.signature, raw: contact }),
  );
  for (const { keys, standardized: input } of readings)
    values.push({ keys, signature: null, raw: { kind: 'other_phone', input } });
  return { values, readings };
}

/** The same without one contact: what a check that leaves it out compares. */
export function withoutContact(
  { contacts, readings, answer, ...rest }: MatchInput,
  index: number,
): MatchInput {
  const left = contacts.filter((_, i) => i !== index);
  const now = foreignPhoneReadings(left);
  const values = answer.values.filter((_, i) => i < contacts.length && i !== index);
  for (const one of now) {
    const before = one.contact < index ? one.contact : one.contact + 1;
    const at = readings.findIndex(
      ({ contact, standardized }) => contact === before && standardized === one.standardized,
    );
    values.push(answer.values[contacts.length + at] ?? []);
  }
  return { ...rest, contacts: left, readings: now, answer: { ...answer, values } };
}

/** Compares what was submitted with what the graph answered: value by value, and the name with every identity's names. No weights here. */
export function gatherEvidence({ name, contacts, readings, answer }: MatchInput): Evidence {
  const names = new Map<number, NameAgreement>();
  for (const id of answer.name.given) names.set(id, GIVEN_ONLY);
  const agree = nameComparer(name);
  for (const identity of answer.identities.values()) names.set(identity.id, agree(identity));
  raiseSpelt(names, name, { contacts, values: answer.values });
  const read = contacts.map((contact, i) => {
    const home = readValue(contact, answer.values[i] ?? [], names);
    if (contact.kind !== 'phone' || readings.length === 0) return home;
    const others = readings.flatMap((one, at) =>
      one.contact === i ? [{ ...one, agreements: answer.values[contacts.length + at] ?? [] }] : [],
    );
    return bestReading(home, others, names);
  });
  const found = withoutRepeats(read);
  return {
    graphSize: answer.total,
    nameHolders: answer.name.bearers,
    newestSeen: answer.newest,
    nameAgreements: withContactSupport(names, found),
    identities: answer.identities,
    contacts: found,
  };
}

/** A contact as it was read, and the exact key that it was found or looked for under. */
interface ReadContact extends Omit<ContactEvidence, 'isRepeat'> {
  keys: readonly LookupKey[];
}

type Names = ReadonlyMap<number, NameAgreement>;

const borneBy = (agreements: readonly Agreement[], names: Names) =>
  agreements.some(({ identity }) => names.get(identity)?.isSame);

/**
 * An e-mail that is not on record as sent is no match, however alike: look-alikes are how people are deceived. Nor is a street that is
 * written otherwise, unless somebody of the name, or of part of it, lives there.
 */
function readValue(contact: Contact, found: Agreement[], names: Names): ReadContact {
  const { kind, keys } = contact;
  const likely = ({ type, identity }: Agreement) =>
    !LOOSE.has(type) || (kind === 'address' && isLikely(names.get(identity)));
  const ofUnit = withoutOtherUnits(found, contact);
  const exact = ofUnit.every(likely) ? ofUnit : ofUnit.filter(likely);
  const hasLookAlike = kind === 'email' && exact.length === 0 && borneBy(found, names);
  const hasExtension = contact.kind === 'phone' && contact.hasExtension === true;
  return {
    kind,
    keys,
    agreements: exact,
    hasLookAlike,
    standardized: null,
    hasExtension,
  };
}

const LOOSE: ReadonlySet<Agreement['type']> = new Set(['typo', 'core', 'street']);

const isLikely = (name: NameAgreement | undefined) =>
  name !== undefined && (name.isSame || name.agreement >= PARTLY);
/** So much of a name, 0-100, is not a stranger's. */
const PARTLY = 16;

/**
 * A reading that an address suggests can only speak for: of several on record that of the name's bearer wins, else the region's; where that
 * has no record, one of somebody who bears part of the name. One that only strangers hold is no record.
 */
function bestReading(
  home: ReadContact,
  others: (PhoneReading & { agreements: Agreement[] })[],
  names: Names,
): ReadContact {
  if (borneBy(home.agreements, names)) return home;
  const inPart = ({ agreements }: { agreements: Agreement[] }) =>
    home.agreements.length === 0 && agreements.some(({ identity }) => isLikely(names.get(identity)));
  const other = others.find(({ agreements }) => borneBy(agreements, names)) ?? others.find(inPart);
  if (!other) return home;
  const { agreements, keys, standardized } = other;
  return { ...home, agreements, keys, standardized };
}

/** An e-mail that spells the name speaks for whoever has it, though the records write the name otherwise. */
function raiseSpelt(
  names: Map<number, NameAgreement>,
  name: PreparedName,
  { contacts, values }: { contacts: readonly Contact[]; values: readonly Agreement[][] },
): void {
  const open = ({ identity }: Agreement) => names.get(identity)?.isSame === false;
  for (const [i, contact] of contacts.entries()) {
    if (contact.kind !== 'email') continue;
    const found = values[i] ?? [];
    const spelling = found.some(open) ? emailSpelling(contact.standardized, name) : null;
    if (spelling === null) continue;
    for (const { identity, share, type } of found) {
      const known = names.get(identity);
      if (!known || known.isSame || known.isNameless || LOOSE.has(type)) continue;
      // An initial is anybody's: it tells of the family name alone, and says something where that is what the record lacks.
      if (spelling === 'initial' && known.sharedHalf !== 'given') continue;
      const agreement = speltAgreement(known.agreement, { half: known.sharedHalf !== null, share });
      names.set(identity, { ...known, agreement, isSpeltByEmail: known.sharedHalf !== null && share === 1 });
    }
  }
}

/**
 * Of values with one exact key (a number with and without its country code) the one with the most keys counts, and all of them come back as
 * it does: which one came first must not matter.
 */
function withoutRepeats(contacts: readonly ReadContact[]): ContactEvidence[] {
  return contacts.map((one) => {
    const counted = richestLike(one, contacts);
    const { kind, agreements, standardized, hasLookAlike } = counted;
    const { hasExtension } = one;
    return { kind, agreements, standardized, hasLookAlike, hasExtension, isRepeat: counted !== one };
  });
}

/** Of the contacts with one's exact key the one with the most keys, of equals the first; itself where it has no key. */
function richestLike(one: ReadContact, contacts: readonly ReadContact[]): ReadContact {
  const { kind, keys } = one;
  const [exact] = keys;
  if (!exact) return one;
  let best: ReadContact | undefined;
  for (const other of contacts) {
    if (other !== one && (other.kind !== kind || other.keys[0]?.text !== exact.text)) continue;
    if (!best || isRicher(other.keys, best.keys)) best = other;
  }
  return best ?? one;
}

function isRicher(a: readonly LookupKey[], b: readonly LookupKey[]): boolean {
  const text = (keys: readonly LookupKey[]) => keys.map((one) => one.text).join('\n');
  return a.length === b.length ? text(a) < text(b) : a.length > b.length;
}
