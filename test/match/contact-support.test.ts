import { describe, expect, test } from 'vitest';
import {
  findNameSpellingInEmail,
  raiseNameAgreementByEmail,
  raiseNameAgreementsByContacts,
} from '../../src/match/contact-support.ts';
import type { ContactEvidence, NameMatch } from '../../src/model.ts';
import { prepareName } from '../../src/names/index.ts';

describe('an e-mail spells a name', () => {
  test.each([
    ['jane.quimby@example.com', 'Jane Quimby', 'whole'],
    ['quimby_jane77@example.com', 'Jane Quimby', 'whole'],
    ['jquimby@example.com', 'Jane Quimby', 'initial'],
    ['quimbyj@example.com', 'Jane Quimby', 'initial'],
    ['jlee@example.com', 'Jane Lee', null],
    ['jreed@example.com', 'Jane Reed', 'initial'],
    ['janelee@example.com', 'Jane Lee', 'whole'],
    ['annquimby@example.com', 'Jane Quimby', null],
    ['jquimby@example.com', 'J Quimby', null],
    ['yu@example.com', 'Jane Y', null],
    ['info@janequimby.example', 'Jane Quimby', null],
    ['allan@example.com', 'Al Lan', 'whole'],
    ['bobo@example.com', 'Bo Bo', 'whole'],
  ])('%s and %s: %s', (email, name, spelling) => {
    expect(findNameSpellingInEmail(email, prepareName(name))).toBe(spelling);
  });

  test('and raises a lower agreement, the less the more identities have the e-mail', () => {
    expect(raiseNameAgreementByEmail(10, { isHalfShared: false, share: 1 })).toBe(30);
    expect(raiseNameAgreementByEmail(10, { isHalfShared: false, share: 2 })).toBe(20);
    expect(raiseNameAgreementByEmail(25, { isHalfShared: true, share: 1 })).toBe(45);
    expect(raiseNameAgreementByEmail(25, { isHalfShared: true, share: 4 })).toBe(30);
    expect(raiseNameAgreementByEmail(45, { isHalfShared: true, share: 4 })).toBe(45);
    expect(raiseNameAgreementByEmail(49, { isHalfShared: false, share: 1 })).toBe(49);
  });
});

describe('contacts of several kinds of one identity', () => {
  const doubtful: NameMatch = {
    isSame: false,
    isPrimary: true,
    agreement: 40,
    variation: 'no_match',
    closestName: 'Jane Quimbey',
    sharedHalf: null,
    isNameless: false,
  };
  const contact = (kind: 'email' | 'phone' | 'address', share: number, identity = 1) =>
    ({
      kind,
      isRepeat: false,
      hasLookAlike: false,
      standardized: null,
      hasExtension: false,
      agreements: [{ identity, type: kind, primary: true, share, firstSeen: null, lastSeen: null }],
    }) as unknown as ContactEvidence;
  const supported = (name: Partial<NameMatch>, ...contacts: ContactEvidence[]) =>
    raiseNameAgreementsByContacts(new Map([[1, { ...doubtful, ...name }]]), contacts).get(1);

  test('make a doubtful name the same name: two kinds, three kinds', () => {
    const two = supported({}, contact('email', 1), contact('phone', 1));
    expect(two).toMatchObject({ isSame: true, sharedHalf: null, variation: 'typo' });
    expect(two?.agreement).toBeCloseTo(55 + (20 * 0.5) / 1.5, 8);
    const three = supported({}, contact('email', 1), contact('phone', 1), contact('address', 1));
    expect(three).toMatchObject({ isSame: true, agreement: 75 });
  });

  test('add to two initials before the name, and never count more without them', () => {
    const all = [contact('email', 1), contact('phone', 1), contact('address', 1)];
    const [none, one, two] = [{}, { isSame: true, agreement: 55.1 }, { isSame: true, agreement: 75.2 }].map(
      (name) => supported({ part: 'word', ...name }, ...all)?.agreement,
    );
    expect(none).toBe(75);
    expect(one).toBeCloseTo(75.005, 8);
    expect(two).toBeCloseTo(76.2, 8);
  });

  test('just enough of them make it the same name with an agreement of 55', () => {
    expect(supported({}, contact('email', 1), contact('phone', 3))).toMatchObject({
      isSame: true,
      agreement: 55,
    });
  });

  test('raise it towards 48 below that, and one kind does not raise it', () => {
    const some = supported({}, contact('email', 1), contact('phone', 7));
    expect(some).toMatchObject({ isSame: false, variation: 'no_match' });
    expect(some?.agreement).toBeCloseTo(44, 8);
    expect(supported({}, contact('email', 1))).toMatchObject({ isSame: false, agreement: 40 });
    expect(supported({}, contact('email', 1), contact('email', 1))).toMatchObject({ isSame: false });
    expect(supported({ agreement: 49 }, contact('email', 1), contact('phone', 4))?.agreement).toBe(49);
  });

  test('count with the contact that fewest identities share, and only those of the identity', () => {
    const twice = supported({}, contact('email', 1), contact('phone', 9), contact('phone', 1));
    expect(twice).toEqual(supported({}, contact('email', 1), contact('phone', 1)));
    expect(supported({}, contact('email', 1), contact('phone', 1, 2))).toMatchObject({ isSame: false });
  });

  test('do not make a name the same that is unlike, nameless or shares a half', () => {
    const all = [contact('email', 1), contact('phone', 1), contact('address', 1)];
    const unlike = [
      { agreement: 17 },
      { isNameless: true },
      { closestName: null },
      { sharedHalf: 'family' as const },
    ];
    for (const name of unlike) expect(supported(name, ...all)).toEqual({ ...doubtful, ...name });
    expect(supported({ agreement: 18 }, ...all)).toMatchObject({ isSame: true });
    expect(supported({ isSame: true, agreement: 90 }, ...all)).toMatchObject({ agreement: 90 });
    const spelt = { sharedHalf: 'family' as const, isSpeltByEmail: true };
    expect(supported(spelt, ...all)).toMatchObject({ isSame: true, sharedHalf: null, variation: 'partial' });
  });
});
