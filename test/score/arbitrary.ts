// Arbitrary evidence, also such as no graph returns, for laws that must hold for any evidence.
import * as fc from 'fast-check';
import type {
  ContactMatch,
  ContactEvidence,
  CheckEvidence,
  Identity,
  ContactKind,
  NameMatch,
} from '../../src/model.ts';

const IDENTITIES = 6;
const KEY_TYPES: Record<ContactKind, ContactMatch['type'][]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street', 'typo'],
};

/** Agreement with an identity of another name. */
export const NOBODY: NameMatch = {
  isSame: false,
  isPrimary: false,
  agreement: 0,
  variation: 'no_match',
  closestName: null,
  sharedHalf: null,
  isNameless: false,
};

/** Arbitrary agreement of a name: the same name, half of it or less, no name on record, or another name. */
const nameAgreement: fc.Arbitrary<NameMatch> = fc.oneof(
  fc.record({ agreement: fc.integer({ min: 50, max: 100 }), isPrimary: fc.boolean() }).map((it) => ({
    ...NOBODY,
    ...it,
    isSame: true,
    closestName: 'Some Name',
    variation: it.agreement > 95 ? 'exact' : 'nickname',
  })),
  fc
    .record({
      agreement: fc.integer({ min: 0, max: 49 }),
      sharedHalf: fc.constantFrom<NameMatch['sharedHalf']>('given', 'family', null),
    })
    .map((it) => ({ ...NOBODY, ...it })),
  fc.constant({ ...NOBODY, isNameless: true }),
  fc.constant(NOBODY),
);

const identity = (id: number): fc.Arbitrary<Identity> =>
  fc
    .record({
      from: fc.option(fc.integer({ min: 0, max: 1_600_000_000_000 })),
      span: fc.integer({ min: 0, max: 600_000_000_000 }),
      records: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ from, span, records }) => ({
      id,
      names: [`Name of ${id}`],
      firstSeen: from,
      lastSeen: from === null ? null : from + span,
      records,
      sources: 1,
    }));

const YEAR = 365.25 * 86_400_000;
export const NEWEST = 1_750_000_000_000;

/**
 * Returns when an identity was seen: up to thirty years before the newest record, or at unknown times; and with a contact: `age` years before
 * that, or, for null, in a record without a last date.
 */
export function seen(
  identity: number,
  age: number | null = 0,
): Pick<ContactMatch, 'firstSeen' | 'lastSeen' | 'contactLastSeen'> {
  if (identity % 5 === 4) return { firstSeen: null, lastSeen: null };
  const lastSeen = NEWEST - ((identity * 7) % 31) * YEAR;
  const dates = { firstSeen: lastSeen - 15 * YEAR, lastSeen };
  if (age === null) return { ...dates, contactLastSeen: null };
  return age > 0 ? { ...dates, contactLastSeen: lastSeen - age * YEAR } : dates;
}

const share = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 5000 }));

/** Arbitrary contact evidence. The contact belongs to some of the identities in `among`, or to none. */
export function contact(among: number[]): fc.Arbitrary<ContactEvidence> {
  return fc.constantFrom<ContactKind[]>('email', 'phone', 'address').chain((kind) =>
    fc
      .record({
        share,
        found: fc.tuple(
          ...among.map((identity) =>
            fc.record({
              identity: fc.constant(identity),
              type: fc.constantFrom(...KEY_TYPES[kind]),
              primary: fc.boolean(),
              age: fc.constantFrom(0, 0, 4, 12, null),
            }),
          ),
        ),
      })
      .map(({ share, found }) => ({
        kind,
        isRepeat: false,
        hasLookAlike: false,
        standardized: null,
        hasExtension: false,
        agreements: found.map(({ age, ...one }) => ({
          ...one,
          share: Math.max(share, among.length),
          ...seen(one.identity, age),
        })),
      })),
  );
}

export const anyIdentity = fc.integer({ min: 1, max: IDENTITIES });
export const anyContact = fc
  .uniqueArray(anyIdentity, { maxLength: 4 })
  .map((ids) => ids.sort((a, b) => a - b))
  .chain(contact);

/** Arbitrary evidence on up to six identities. */
export const anyEvidence: fc.Arbitrary<CheckEvidence> = fc
  .record({
    graphSize: fc.integer({ min: IDENTITIES, max: 10_000_000 }),
    nameHolders: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 5, max: 5000 })),
    names: fc.array(nameAgreement, { minLength: IDENTITIES, maxLength: IDENTITIES }),
    identities: fc.tuple(...Array.from({ length: IDENTITIES }, (_, i) => identity(i + 1))),
    named: fc.uniqueArray(anyIdentity, { maxLength: 2 }),
    contacts: fc.array(anyContact, { maxLength: 8 }),
  })
  .map(({ graphSize, nameHolders, names, identities, named, contacts }) => {
    const seen = new Set([...named, ...contacts.flatMap((one) => one.agreements.map((hit) => hit.identity))]);
    return {
      graphSize,
      nameHolders,
      newestSeen: NEWEST,
      contacts,
      nameAgreements: new Map(names.map((name, i) => [i + 1, name] as const).filter(([id]) => seen.has(id))),
      identities: new Map(identities.map((one) => [one.id, one] as const).filter(([id]) => seen.has(id))),
    };
  });

/**
 * Returns the evidence with one more contact. `name` is the name agreement of identities that are new with
 * the contact.
 */
export function withContact(
  evidence: CheckEvidence,
  added: ContactEvidence,
  name?: NameMatch,
): CheckEvidence {
  const names = new Map(evidence.nameAgreements);
  const identities = new Map(evidence.identities);
  for (const { identity } of added.agreements) {
    if (!names.has(identity)) names.set(identity, name ?? NOBODY);
    if (!identities.has(identity))
      identities.set(identity, {
        id: identity,
        names: ['Somebody'],
        firstSeen: null,
        lastSeen: null,
        records: 1,
        sources: 1,
      });
  }
  return { ...evidence, nameAgreements: names, identities, contacts: [...evidence.contacts, added] };
}
