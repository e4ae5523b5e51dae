// Laws of the score on arbitrary evidence, also such as no graph returns.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScoreScale } from '../../src/score/curves.ts';
import { scoreEvidence as scored } from '../../src/score/score.ts';
import { findBestHypothesis as weighed } from '../../src/score/weigh.ts';
import type { Calibration, ContactEvidence, CheckEvidence } from '../../src/model.ts';
import { flat } from '../kit/verdict.ts';
import {
  anyContact,
  anyEvidence,
  anyIdentity,
  contact,
  NEWEST,
  NOBODY,
  seen,
  withContact,
} from './arbitrary.ts';

/** The same evidence in every run; FC_SEED=N tries other evidence. */
const SEED = Number(process.env.FC_SEED ?? 7);

/** Calibrations: one lowers every score, the other raises most scores. */
const HARSH: Calibration = {
  name: 'harsh',
  scoringModel: 1,
  knots: [
    [2, 0.4],
    [50, 12],
    [97, 90],
  ],
};
const KIND: Calibration = {
  name: 'kind',
  scoringModel: 1,
  knots: [
    [1, 6],
    [30, 72],
    [60, 93],
    [99, 99.7],
  ],
};

/** Returns the contact with an additional agreement of identity `id`. */
function alsoOf(one: ContactEvidence, id: number, most: number): ContactEvidence {
  const others = one.agreements.filter(({ identity }) => identity !== id);
  const share = Math.max(most, others.length + 1);
  const type = one.kind;
  const own = { identity: id, type, primary: true, share, ...seen(id) };
  return { ...one, agreements: [own, ...others.map((hit) => ({ ...hit, share }))] };
}

describe.each([
  ['as it is', null, 400],
  ['mapped down', HARSH, 150],
  ['mapped up', KIND, 150],
])('the laws of the score, on evidence of any kind, %s', (_title, calibration, numRuns) => {
  const score = (evidence: CheckEvidence) => flat(scored(evidence, calibration));
  const weigh = (evidence: CheckEvidence) => weighed(evidence, undefined, createScoreScale(calibration));
  const expectAlways = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
    fc.assert(fc.property(arbitrary, holds), { numRuns, seed: SEED });

  test('1: the same evidence gives the same bytes', () => {
    expectAlways(anyEvidence, (evidence) => {
      expect(JSON.stringify(score(structuredClone(evidence)))).toBe(JSON.stringify(score(evidence)));
    });
  });

  test('12: beside an e-mail or phone of somebody else, however many share it, the score is at most 84', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      const { nameAgreements, contacts } = evidence;
      const isStranger = (id: number) =>
        nameAgreements.get(id)?.agreement === 0 && !nameAgreements.get(id)?.isNameless;
      const isForeign = contacts.some(
        ({ kind, agreements }) =>
          kind !== 'address' &&
          agreements.length > 0 &&
          agreements.every(({ identity }) => isStranger(identity)),
      );
      expect(isForeign && it.score > 84).toBe(false);
    });
  });

  test('13: the flag is never beside 65 or more', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      expect(it.isPossibleCatfish && it.score >= 65).toBe(false);
    });
  });

  test('18: a company, a couple or a relation in place of a name is at most 64, and the reasons say so', () => {
    const sort = fc.constantFrom('company' as const, 'couple' as const, 'relation' as const);
    expectAlways(fc.tuple(anyEvidence, sort), ([evidence, nonPerson]) => {
      const it = score({ ...evidence, nonPerson });
      expect(it.score).toBeLessThanOrEqual(64);
      expect(it.trustScore.reasons.join()).toContain('[name_no_person]');
    });
  });

  test('2: the order of the values and of their agreements never changes the score', () => {
    expectAlways(fc.tuple(anyEvidence, fc.infiniteStream(fc.nat())), ([evidence, stream]) => {
      const shuffled = <T>(list: T[]) =>
        list
          .map((value) => ({ value, at: stream.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map((one) => one.value);
      const contacts = shuffled(evidence.contacts).map((one) => ({
        ...one,
        agreements: shuffled(one.agreements),
      }));
      const [one, two] = [
        score(evidence),
        score({ ...evidence, contacts, nameAgreements: new Map(shuffled([...evidence.nameAgreements])) }),
      ];
      const told = (it: typeof one) => [
        it.score,
        it.dominantIdentity,
        it.isPossibleCatfish,
        it.confidence,
        it.combined.preCapped,
      ];
      expect(told(two)).toEqual(told(one));
    });
  });

  test('2: a value that repeats another one never changes the score', () => {
    expectAlways(anyEvidence, (evidence) => {
      const before = score(evidence).score;
      for (const one of evidence.contacts)
        expect(score(withContact(evidence, { ...one, isRepeat: true })).score).toBe(before);
    });
  });

  test('3: a value without a record never changes the score', () => {
    expectAlways(fc.tuple(anyEvidence, contact([])), ([evidence, unknown]) => {
      const [before, after] = [score(evidence), score(withContact(evidence, unknown))];
      expect([after.score, after.isPossibleCatfish]).toEqual([before.score, before.isPossibleCatfish]);
    });
  });

  test('4: another value of the person of the name never lowers the score, whoever shares it', () => {
    expectAlways(
      fc.tuple(anyEvidence, anyContact, fc.integer({ min: 1, max: 300 })),
      ([evidence, more, share]) => {
        const before = weigh(evidence);
        if (!before.hasName || before.identity === null) return fc.pre(false);
        const agreements = more.agreements.filter(({ identity }) => evidence.nameAgreements.has(identity));
        const added = alsoOf({ ...more, agreements }, before.identity, share);
        expect(score(withContact(evidence, added)).score).toBeGreaterThanOrEqual(Math.round(before.score));
      },
    );
  });

  test('4: if no identity has the name, one more value of the same identity that is not rarer never lowers the score', () => {
    expectAlways(fc.tuple(anyEvidence, fc.nat(), fc.nat(300)), ([evidence, nth, more]) => {
      const names = new Map([...evidence.nameAgreements].filter(([, name]) => !name.isSame));
      const contacts = evidence.contacts.map((one) => ({
        ...one,
        agreements: one.agreements.filter(({ identity }) => names.has(identity)),
      }));
      const without = { ...evidence, nameAgreements: names, contacts };
      const one = contacts[nth % Math.max(1, contacts.length)];
      const [hit] = one?.agreements ?? [];
      if (!one || !hit) return fc.pre(false);
      const share = Math.max(...one.agreements.map((agreement) => agreement.share)) + more;
      const added = { ...one, agreements: [{ ...hit, share }] };
      expect(score(withContact(without, added)).score).toBeGreaterThanOrEqual(score(without).score);
    });
  });

  test('5: a value of strangers never raises the score', () => {
    const strangers = fc.uniqueArray(fc.integer({ min: 11, max: 13 }), { minLength: 1 }).chain(contact);
    expectAlways(fc.tuple(anyEvidence, strangers), ([evidence, added]) => {
      const [before, after] = [score(evidence), score(withContact(evidence, added))];
      expect(after.score).toBeLessThanOrEqual(before.score);
    });
  });

  test('5: a value that the holder of a rarer value shares with a person of half the name adds nothing', () => {
    const hit = (identity: number, kind: 'email' | 'address', share: number) => ({
      identity,
      type: kind,
      primary: true,
      share,
      firstSeen: NEWEST,
      lastSeen: NEWEST,
    });
    const one = { isRepeat: false, hasLookAlike: false, standardized: null, hasExtension: false };
    const contacts: ContactEvidence[] = [
      { ...one, kind: 'email', agreements: [hit(1, 'email', 1)] },
      { ...one, kind: 'address', agreements: [hit(1, 'address', 2), hit(2, 'address', 2)] },
    ];
    const named = (agreement: number, sharedHalf: 'given' | 'family' | null) => ({
      ...NOBODY,
      agreement,
      sharedHalf,
    });
    const first = { id: 1, names: [], firstSeen: null, lastSeen: null, records: 4, sources: 1 };
    const identities = new Map([[1, first]]);
    const evidence = { graphSize: 100, nameHolders: 0, newestSeen: NEWEST, contacts, identities };
    expectAlways(fc.integer({ min: 16, max: 30 }), (agreement) => {
      const of = (second: ReturnType<typeof named>) =>
        score({
          ...evidence,
          nameAgreements: new Map([
            [1, named(18, 'family')],
            [2, second],
          ]),
        }).score;
      expect(of(named(agreement, 'given'))).toBe(of(named(0, null)));
    });
  });

  test('5: the reasons list each contact that only namesakes have, whatever its weight', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { identity, reasons } = weigh(evidence);
      const listed = new Set(reasons.map(({ value }) => value?.index));
      const isOfNamesake = (id: number) =>
        id !== identity && evidence.nameAgreements.get(id)?.isSame === true;
      const missing = evidence.contacts.filter(
        ({ agreements, isRepeat }, index) =>
          !isRepeat &&
          agreements.length > 0 &&
          agreements.every((hit) => isOfNamesake(hit.identity)) &&
          !listed.has(index),
      );
      expect(missing).toEqual([]);
    });
  });

  test('6: a name alone scores at most 64, and its texts tell only whether the name is on record', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score({ ...evidence, contacts: [] });
      expect(it.score).toBeLessThanOrEqual(64);
      for (const text of [it.summary, it.message.replace(/^[A-Z ]+: /, ''), ...it.insights])
        expect(text).toMatch(/^The name (?:appears in|does not appear in) the identity graph\.$/);
      // Neither how many have the name, nor who.
      expect(it.trustScore.reasons.join()).not.toMatch(/identit(?:y \d|ies)/);
    });
  });

  test('7: the more identities share a value of the person, the less it raises the score', () => {
    expectAlways(
      fc.tuple(anyEvidence, anyIdentity, contact([1]), fc.integer({ min: 2, max: 5000 })),
      ([evidence, identity, mine, many]) => {
        const name = evidence.nameAgreements.get(identity);
        if (!name?.isSame) return fc.pre(false);
        const names = new Map([[identity, name]]);
        const shared = (share: number) => {
          const agreements = mine.agreements.map((hit) => ({ ...hit, identity, share }));
          return score({ ...evidence, nameAgreements: names, contacts: [{ ...mine, agreements }] }).combined
            .preCapped;
        };
        expect(shared(many)).toBeLessThanOrEqual(shared(1));
      },
    );
  });

  test('7, 10: the more identities share a value of strangers, the less it lowers the score', () => {
    expectAlways(
      fc.tuple(anyEvidence, contact([11]), fc.integer({ min: 2, max: 5000 })),
      ([evidence, added, many]) => {
        const shared = (share: number) => {
          const agreements = added.agreements.map((hit) => ({ ...hit, share }));
          return score(withContact(evidence, { ...added, agreements })).score;
        };
        expect(shared(many)).toBeGreaterThanOrEqual(shared(1));
      },
    );
  });

  test('7: the more identities have the name, the less it raises the score', () => {
    expectAlways(fc.tuple(anyEvidence, fc.integer({ min: 4, max: 5000 })), ([evidence, bearers]) => {
      const borne = (count: number) => score({ ...evidence, nameHolders: count }).score;
      expect(borne(bearers * 2)).toBeLessThanOrEqual(borne(bearers));
    });
  });

  test('8: contacts of one kind alone, however many, stay below 85', () => {
    expectAlways(fc.tuple(anyEvidence, fc.constantFrom('email', 'phone', 'address')), ([evidence, kind]) => {
      const it = score({ ...evidence, contacts: evidence.contacts.filter((one) => one.kind === kind) });
      expect(it.score).toBeLessThan(85);
    });
  });

  test('9: without a contact of an identity with the name the score is at most 64', () => {
    expectAlways(anyEvidence, (evidence) => {
      const borne = (one: ContactEvidence) =>
        one.agreements.some(({ identity }) => evidence.nameAgreements.get(identity)?.isSame);
      const contacts = evidence.contacts.filter((one) => !borne(one));
      expect(score({ ...evidence, contacts }).score).toBeLessThanOrEqual(64);
    });
  });

  test('10: addresses of others alone leave at least 40, or 25 if no identity has the name, and set no flag', () => {
    expectAlways(anyEvidence, (evidence) => {
      const bears = (id: number) => evidence.nameAgreements.get(id)?.isSame ?? false;
      const { identity } = weigh(evidence);
      // A value that somebody shares who also has the address adds less by law 13.
      const neighbours = new Set(
        evidence.contacts
          .filter((one) => one.kind === 'address')
          .flatMap((one) => one.agreements.map((hit) => hit.identity))
          .filter((id) => id !== identity),
      );
      const own = (one: ContactEvidence) =>
        one.agreements.some((hit) => hit.identity === identity) &&
        (one.kind === 'address' || !one.agreements.some((hit) => neighbours.has(hit.identity)));
      const contacts = evidence.contacts.filter((one) => one.kind === 'address' || own(one));
      const it = score({ ...evidence, contacts });
      const homesOnly = contacts.every((one) => one.kind === 'address');
      const floor = identity !== null && bears(identity) ? 40 : homesOnly ? 25 : 0;
      // A calibration may put the score below the floor without addresses of others; then these lower it no
      // further.
      const without = calibration && score({ ...evidence, contacts: contacts.filter(own) }).score;
      expect(it.score).toBeGreaterThanOrEqual(Math.min(floor, without ?? floor));
      expect(homesOnly && it.isPossibleCatfish).toBe(false);
    });
  });
});
