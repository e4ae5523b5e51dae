import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weigh } from '../../src/score/weigh.ts';
import { score as scored } from '../../src/score/score.ts';
import type { Evidence } from '../../src/model.ts';
import { flat } from '../kit/verdict.ts';
import { bandOf, VERDICT } from '../../src/score/texts/band.ts';
import { anyContact, anyEvidence, anyIdentity, contact, withContact } from './arbitrary.ts';

const score = (evidence: Evidence) => flat(scored(evidence));
const RUNS = { numRuns: 1500 };
const expectAlways = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, holds), RUNS);

describe('the answer is well-formed whatever the evidence', () => {
  test('the score is an integer from 0 to 100 and in its band', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      expect(Number.isInteger(it.score) && it.score >= 0 && it.score <= 100).toBe(true);
      expect(it.band).toBe(bandOf(it.score));
      expect(it.message.startsWith(`${VERDICT[it.band]}: `)).toBe(true);
      expect(it.combined.final).toBe(it.score);
      expect(it.combined.preCapped).toBeGreaterThanOrEqual(it.score - 0.51);
      const numbers = [
        ...Object.values(it.identityScore),
        it.trustScore.final,
        it.trustScore.raw,
        it.combined.preCapped,
      ];
      for (const one of numbers) expect(Number.isFinite(one)).toBe(true);
    });
  });

  test('a status follows from the identity that the value resolved to', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      expect(it.contacts).toHaveLength(evidence.contacts.length);
      const expected = evidence.contacts.map(({ agreements }, i) => {
        const own = agreements.find((hit) => hit.identity === it.dominant);
        if (own) return { status: own.primary ? 'primary' : 'secondary', identity: own.identity };
        const any = agreements.find((hit) => hit.identity === it.contacts[i]?.identity);
        return any
          ? { status: 'different', identity: any.identity }
          : { status: 'unverified', identity: null };
      });
      expect(it.contacts).toEqual(expected);
      const bearer = it.name.identity === null ? undefined : evidence.names.get(it.name.identity);
      const own = bearer?.primary ? 'primary' : 'secondary';
      const status = it.name.identity === it.dominant ? own : 'different';
      expect(it.name.status).toBe(bearer ? status : 'unverified');
      expect(bearer?.same ?? true).toBe(true);
    });
  });

  test('the reasons add up to the raw bits, one sentence for each', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      const [best] = weigh(evidence);
      expect(it.trustScore.reasons).toHaveLength(best.reasons.length);
      expect(it.trustScore.raw).toBeCloseTo(
        best.reasons.reduce((sum, one) => sum + one.weight / 1e6, -0.45),
        1,
      );
    });
  });
});

describe('the laws of the score, on evidence of any kind', () => {
  test('1: the same evidence gives the same bytes', () => {
    expectAlways(anyEvidence, (evidence) => {
      expect(JSON.stringify(score(structuredClone(evidence)))).toBe(JSON.stringify(score(evidence)));
    });
  });

  test('2: the order of the values, and of what each resolves to, never changes the score', () => {
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
        score({ ...evidence, contacts, names: new Map(shuffled([...evidence.names])) }),
      ];
      expect([two.score, two.dominant, two.catfish, two.confidence]).toEqual([
        one.score,
        one.dominant,
        one.catfish,
        one.confidence,
      ]);
      expect(two.combined.preCapped).toBe(one.combined.preCapped);
    });
  });

  test('2: a value that repeats another one never changes the score', () => {
    expectAlways(anyEvidence, (evidence) => {
      const before = score(evidence).score;
      for (const one of evidence.contacts)
        expect(score(withContact(evidence, { ...one, repeats: true })).score).toBe(before);
    });
  });

  test('3: a value without a record never changes the score', () => {
    expectAlways(fc.tuple(anyEvidence, contact([])), ([evidence, unknown]) => {
      const [before, after] = [score(evidence), score(withContact(evidence, unknown))];
      expect(after.score).toBe(before.score);
      expect(after.catfish).toBe(before.catfish);
    });
  });

  test('4: another value of the dominant identity never lowers the score', () => {
    const added = anyContact.chain((one) => fc.tuple(fc.constant(one), fc.nat()));
    expectAlways(fc.tuple(anyEvidence, added, contact([1])), ([evidence, [more], mine]) => {
      const before = score(evidence);
      const { dominant } = before;
      if (dominant === null) return fc.pre(false);
      const own = mine.agreements.map((hit) => ({ ...hit, identity: dominant }));
      const others = more.agreements.filter(
        (hit) => hit.identity !== dominant && evidence.names.has(hit.identity),
      );
      const agreements = [...own, ...others].map((hit) => ({
        ...hit,
        share: Math.max(hit.share, others.length + 1),
      }));
      expect(score(withContact(evidence, { ...mine, agreements })).score).toBeGreaterThanOrEqual(
        before.score,
      );
    });
  });

  test('5: a value of strangers never raises the score', () => {
    expectAlways(
      fc.tuple(
        anyEvidence,
        fc.uniqueArray(fc.integer({ min: 11, max: 13 }), { minLength: 1 }).chain(contact),
      ),
      ([evidence, added]) => {
        const [before, after] = [score(evidence), score(withContact(evidence, added))];
        expect(after.score).toBeLessThanOrEqual(before.score);
      },
    );
  });

  test('6: a name alone scores at most 64', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score({ ...evidence, contacts: [] });
      expect(it.score).toBeLessThanOrEqual(64);
      for (const text of [it.summary, it.message.replace(/^[A-Z ]+: /, ''), ...it.insights])
        expect(text).toMatch(
          /^The name (?:appears in|does not appear in) the identity graph(?:, borne by \d+ identities)?\.$/,
        );
    });
  });

  test('7: the more identities share a value of the person, the less it raises the score', () => {
    expectAlways(
      fc.tuple(anyEvidence, anyIdentity, contact([1]), fc.integer({ min: 2, max: 5000 })),
      ([evidence, identity, mine, many]) => {
        const name = evidence.names.get(identity);
        if (!name?.same) return fc.pre(false);
        const names = new Map([[identity, name]]);
        const shared = (share: number) => {
          const agreements = mine.agreements.map((hit) => ({ ...hit, identity, share }));
          return score({ ...evidence, names, contacts: [{ ...mine, agreements }] }).combined.preCapped;
        };
        expect(shared(many)).toBeLessThanOrEqual(shared(1));
      },
    );
  });

  test('7: the more identities share a value of strangers, the less it lowers a good score', () => {
    expectAlways(
      fc.tuple(anyEvidence, contact([11]), fc.integer({ min: 2, max: 5000 })),
      ([evidence, added, many]) => {
        fc.pre(score(evidence).score >= 65);
        const shared = (share: number) =>
          score(
            withContact(evidence, {
              ...added,
              agreements: added.agreements.map((hit) => ({ ...hit, share })),
            }),
          ).score;
        expect(shared(many)).toBeGreaterThanOrEqual(shared(1));
      },
    );
  });

  test('7: the more identities bear the name, the less it raises the score', () => {
    expectAlways(fc.tuple(anyEvidence, fc.integer({ min: 4, max: 5000 })), ([evidence, bearers]) => {
      const borne = (count: number) => score({ ...evidence, bearers: count }).score;
      expect(borne(bearers * 2)).toBeLessThanOrEqual(borne(bearers));
    });
  });

  test('8: contacts of one kind alone stay below 85 without a matching name', () => {
    expectAlways(fc.tuple(anyEvidence, fc.constantFrom('email', 'phone', 'address')), ([evidence, kind]) => {
      const it = score({ ...evidence, contacts: evidence.contacts.filter((one) => one.kind === kind) });
      const named = evidence.names.get(it.dominant ?? 0)?.same ?? false;
      expect(named || it.score < 85).toBe(true);
    });
  });
});
