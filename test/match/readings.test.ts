// Evidence of values that agree with a record only in part: other spellings, look-alikes, other readings, e-mails that spell the name.
import { describe, expect, test } from 'vitest';
import { collectEvidence, removeContactsFromInput } from '../../src/match/evidence.ts';
import { buildGraphQuery } from '../../src/match/graph-query.ts';
import type { ContactMatch, Contact, CheckEvidence } from '../../src/model.ts';
import { prepareName } from '../../src/names/index.ts';
import { scoreEvidence } from '../../src/score/score.ts';
import { claimOf } from '../kit/claims.ts';
import { createIdentity } from '../kit/values/identity.ts';

/** Identities of the graph of these tests. */
const [MARGARET, HUGO, RELATIVE] = [1, 2, 3];
const NAMES = new Map([
  [MARGARET, 'Margaret Ostrander'],
  [HUGO, 'Hugo Grimaldi'],
  [RELATIVE, 'Walter Ostrander'],
]);

const agreement = (identity: number, type: ContactMatch['type'], share = 1): ContactMatch => ({
  identity,
  type,
  primary: true,
  share,
  firstSeen: null,
  lastSeen: null,
});

/** Returns the input of a claim of Margaret; each list of agreements belongs to one value of the query. */
function inputOf(contacts: readonly Contact[], ...found: ContactMatch[][]) {
  const { values, readings } = buildGraphQuery(contacts);
  const identities = new Map([...NAMES].map(([id, name]) => [id, createIdentity(id, name)]));
  return {
    name: prepareName('Margaret Ostrander'),
    contacts,
    readings,
    answer: {
      total: 9,
      newest: null,
      values: values.map((_, i) => found[i] ?? []),
      name: { bearers: 1, given: [] as number[] },
      identities,
    },
  };
}
const claimed = (sent: object) => claimOf({ name: 'Margaret Ostrander', ...sent }).contacts;
const MAIL = { emails: ['someone@example.com'] };
const HOME = { addresses: [{ street: '12 Larch Street', city: 'Springfield', state: 'IL', zip: '62701' }] };
const MEXICAN = {
  phones: ['5551234567'],
  addresses: [{ street: 'Calle Uno 5', city: 'Puebla', country: 'MX' }],
};
const firstOf = (sent: object, ...found: ContactMatch[][]) =>
  collectEvidence(inputOf(claimed(sent), ...found)).contacts[0];
/** Returns the identities that a contact still agrees with. */
const identitiesOf = (sent: object, ...found: ContactMatch[]) =>
  firstOf(sent, found)?.agreements.map(({ identity }) => identity);

describe('a loose key', () => {
  test('of an address matches an identity with the name or part of it, and no stranger', () => {
    const street = [MARGARET, HUGO, RELATIVE].map((id) => agreement(id, 'street'));
    expect(identitiesOf(HOME, ...street)).toEqual([MARGARET, RELATIVE]);
    expect(identitiesOf(HOME, agreement(99, 'street'))).toEqual([]);
    expect(identitiesOf(HOME, agreement(HUGO, 'address'))).toEqual([HUGO]);
  });

  test.each(['typo', 'core'] as const)(
    '%s of an e-mail is no match, but a look-alike of the person’s own',
    (type) => {
      expect(firstOf(MAIL, [agreement(MARGARET, type)])).toMatchObject({
        agreements: [],
        hasLookAlike: true,
      });
      expect(firstOf(MAIL, [agreement(HUGO, type)])).toMatchObject({ agreements: [], hasLookAlike: false });
      const both = [agreement(HUGO, 'email'), agreement(MARGARET, type)];
      expect(firstOf(MAIL, both)).toMatchObject({ agreements: [both[0]], hasLookAlike: false });
    },
  );

  test('of a phone is no look-alike', () => {
    expect(firstOf({ phones: ['4155550134'] }, [agreement(MARGARET, 'typo')])?.hasLookAlike).toBe(false);
  });
});

describe('a phone with a reading in another country', () => {
  const standardized = '+525551234567';
  const phoneOf = (domestic: ContactMatch[], other: ContactMatch[]) => {
    const [phone] = collectEvidence(inputOf(claimed(MEXICAN), domestic, [], other)).contacts;
    return [phone?.standardized, phone?.agreements.map(({ identity }) => identity)];
  };
  const phone = (id: number) => [agreement(id, 'phone')];

  test('is read there if it belongs to the person there, and not here', () => {
    expect(phoneOf([], phone(MARGARET))).toEqual([standardized, [MARGARET]]);
    expect(phoneOf(phone(HUGO), phone(MARGARET))).toEqual([standardized, [MARGARET]]);
    expect(phoneOf(phone(MARGARET), phone(MARGARET))).toEqual([null, [MARGARET]]);
  });

  test('is the only one with a reading beside the same number with its country code, in any order', () => {
    const [local, whole] = ['5551234567', '+52 555 123 4567'] as const;
    const readingsOf = (phones: string[], ...found: ContactMatch[][]) =>
      collectEvidence(inputOf(claimed({ ...MEXICAN, phones }), ...found, [], phone(MARGARET)))
        .contacts.slice(0, 2)
        .map((contact) => contact.standardized);
    expect(readingsOf([local, whole], [], phone(MARGARET))).toEqual([standardized, null]);
    expect(readingsOf([whole, local], phone(MARGARET), [])).toEqual([null, standardized]);
  });

  test('is read there for part of the name only if it has no record here', () => {
    expect(phoneOf([], phone(RELATIVE))).toEqual([standardized, [RELATIVE]]);
    expect(phoneOf(phone(HUGO), phone(RELATIVE))).toEqual([null, [HUGO]]);
    expect(phoneOf([], phone(HUGO))).toEqual([null, []]);
  });

  describe('that is valid only there', () => {
    const AUSTRALIAN = {
      phones: ['0428346523'],
      addresses: [{ street: '12 Stuart Street', city: 'Theodore', zip: '4719', country: 'AU' }],
    };
    const evidenceOf = (address: ContactMatch[], other: ContactMatch[]) =>
      collectEvidence(inputOf(claimed(AUSTRALIAN), [], address, other));
    const address = (id: number) => [agreement(id, 'address')];
    const number = '+61428346523';

    test('belongs to whoever has it, if an address there is on record', () => {
      for (const owner of [MARGARET, HUGO])
        expect(evidenceOf(address(owner), phone(HUGO)).contacts[0]).toMatchObject({
          standardized: number,
          agreements: phone(HUGO),
        });
      expect(evidenceOf([], phone(HUGO)).contacts[0]).toMatchObject({ standardized: null, agreements: [] });
    });

    test('does not make the address of the person lower the score', () => {
      const scoreOf = (evidence: CheckEvidence) => scoreEvidence(evidence).score.value;
      const nameAndPhone = evidenceOf([], []);
      const ofPerson = evidenceOf(address(MARGARET), phone(HUGO));
      expect(ofPerson.withoutPhoneAddresses?.contacts).toHaveLength(1);
      expect(scoreOf(ofPerson)).toBeGreaterThanOrEqual(scoreOf(nameAndPhone));
      expect(scoreOf(ofPerson)).toBeLessThan(65);
      const ofOther = evidenceOf(address(HUGO), phone(HUGO));
      expect(ofOther.withoutPhoneAddresses).toBeUndefined();
      expect(scoreOf(ofOther)).toBeLessThan(10);
    });
  });

  test('keeps its reading when another contact is left out, and loses it with the address', () => {
    const contacts = claimed({ ...MEXICAN, ...MAIL });
    const places = Object.fromEntries(contacts.map(({ kind }, i) => [kind, i])) as Record<string, number>;
    const found = contacts.map((_, i) => [agreement(i + 10, 'email')]);
    const whole = inputOf(contacts, ...found, phone(MARGARET));
    const left = removeContactsFromInput(whole, new Set([places.email ?? -1]));
    expect(left.contacts).toEqual(contacts.filter(({ kind }) => kind !== 'email'));
    expect(left.readings).toMatchObject([{ standardized, contact: (places.phone ?? 0) - 1 }]);
    expect(left.answer.values).toEqual([...found.filter((_, i) => i !== places.email), phone(MARGARET)]);
    expect(removeContactsFromInput(whole, new Set([places.phone ?? -1])).readings).toEqual([]);
    const homeless = removeContactsFromInput(whole, new Set([places.address ?? -1]));
    expect([homeless.readings, homeless.answer.values]).toEqual([
      [],
      found.filter((_, i) => i !== places.address),
    ]);
  });
});

describe('an e-mail that spells the name', () => {
  const nameOf = (email: string, found: ContactMatch[], sent: object = {}) =>
    collectEvidence(inputOf(claimed({ emails: [email], ...sent }), found)).nameAgreements;
  const plain = nameOf('someone@example.com', [agreement(RELATIVE, 'email')]).get(RELATIVE);

  test('raises the agreement of an identity of another name', () => {
    const raised = nameOf('margaret.ostrander@example.com', [agreement(RELATIVE, 'email')]).get(RELATIVE);
    expect(raised).toMatchObject({ isSame: false, agreement: 45, isSpeltByEmail: true });
    const stranger = nameOf('margaret.ostrander@example.com', [agreement(HUGO, 'email')]).get(HUGO);
    expect(stranger).toMatchObject({ isSame: false, agreement: 30, isSpeltByEmail: false });
  });

  test('counts less if several identities have it, and not as the name’s own', () => {
    const shared = nameOf('margaret.ostrander@example.com', [agreement(RELATIVE, 'email', 2)]).get(RELATIVE);
    expect(shared?.isSpeltByEmail).toBe(false);
    expect(shared?.agreement).toBeCloseTo(((plain?.agreement ?? 0) + 45) / 2, 8);
  });

  test('does not count by a loose key, by an initial of a shared family name, or for the same name', () => {
    for (const [email, found] of [
      ['margaret.ostrander@example.com', [agreement(RELATIVE, 'core')]],
      ['mostrander@example.com', [agreement(RELATIVE, 'email')]],
    ] as const)
      expect(nameOf(email, [...found]).get(RELATIVE)).toEqual(plain);
    const own = nameOf('margaret.ostrander@example.com', [agreement(MARGARET, 'email')]).get(MARGARET);
    expect(own).toMatchObject({ isSame: true });
    expect(own?.isSpeltByEmail).not.toBe(true);
  });
});
