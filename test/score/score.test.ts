import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBestHypothesis } from '../../src/score/weigh.ts';
import { scoreEvidence as scored } from '../../src/score/score.ts';
import type { CheckEvidence } from '../../src/model.ts';
import { flat } from '../kit/verdict.ts';
import { toScoreBand } from '../../src/score/texts/facts.ts';
import { anyEvidence } from './arbitrary.ts';

const score = (evidence: CheckEvidence) => flat(scored(evidence));
const expectAlways = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, holds), { numRuns: 400 });
const BAND_WORDS = { HIGH: 'VERIFIED', MEDIUM: 'LIKELY REAL', LOW: 'SUSPICIOUS', VERY_LOW: 'HIGH RISK' };
const MISSPELT = ['typo', 'core'];

describe('the answer is well-formed for any evidence', () => {
  test('the score is an integer from 0 to 100, in its band, and the same everywhere', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      expect(Number.isInteger(it.score) && it.score >= 0 && it.score <= 100).toBe(true);
      expect(it.band).toBe(toScoreBand(it.score));
      expect([it.combined.final, it.identityScore.final, it.trustScore.final]).toEqual(
        Array.from({ length: 3 }, () => it.score),
      );
    });
  });

  test('the message begins with the verdict, or with NO RECORD or NAME ONLY', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      const known = it.contacts.some((one) => one.identity !== null);
      const word = it.contacts.length === 0 ? 'NAME ONLY' : known ? BAND_WORDS[it.band] : 'NO RECORD';
      expect(it.message.startsWith(`${word}: `)).toBe(true);
      expect(it.verdict).toBe(word.toLowerCase().replace(' ', '-'));
    });
  });

  test('the points add up to the score before the bounds, the bits of the reasons to the raw sum', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { identityScore: it, trustScore, combined } = score(evidence);
      expect(it.raw + it.bonuses + it.penalties + it.fraudRiskPenalty).toBeCloseTo(it.adjusted, 6);
      expect(it.adjusted).toBe(combined.preCapped);
      expect([it.bonuses >= 0, it.penalties <= 0, it.fraudRiskPenalty <= 0]).toEqual([true, true, true]);
      const bits = trustScore.reasons.map((reason) => Number.parseFloat(reason));
      expect(bits.reduce((all, one) => all + one, 0)).toBeCloseTo(trustScore.raw, 6);
    });
  });

  test('a bound is named if it moved the score, and only then', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { combined } = score(evidence);
      const moved = Math.abs(combined.final - combined.preCapped) > 0.511;
      expect(combined.explanation.includes('no bound')).toBe(!moved);
    });
  });

  test('every contact on record that is no repeat has one reason, even without weight', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { reasons } = findBestHypothesis(evidence);
      const weighed = reasons.flatMap(({ value }) => value?.index ?? []).sort((a, b) => a - b);
      const onRecord = evidence.contacts.flatMap(({ agreements, isRepeat }, index) =>
        agreements.length > 0 && !isRepeat ? [index] : [],
      );
      expect(weighed).toEqual(onRecord);
    });
  });

  test('reasons have their code; the weightiest is first, the start last', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { reasons } = score(evidence).trustScore;
      const sizes = reasons.slice(0, -1).map((reason) => Math.abs(Number.parseFloat(reason)));
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      expect(reasons.at(-1)).toMatch(/\[start\]$/);
      for (const reason of reasons) expect(reason).toMatch(/^[+-]\d+\.\d\d bits: .* \[[a-z_]+\]$/);
    });
  });

  test('a status follows from the identity that the value resolved to', () => {
    expectAlways(anyEvidence, (evidence) => {
      const it = score(evidence);
      const expected = evidence.contacts.map(({ agreements }, i) => {
        const own = agreements.find((hit) => hit.identity === it.dominantIdentity);
        const main = own?.primary && !MISSPELT.includes(own.type);
        if (own) return { status: main ? 'primary' : 'secondary', identity: own.identity };
        const any = agreements.find((hit) => hit.identity === it.contacts[i]?.identity);
        return any
          ? { status: 'different', identity: any.identity }
          : { status: 'unverified', identity: null };
      });
      expect(it.contacts).toMatchObject(expected);
      expect(it.contacts.map((one) => one.identity === null)).toEqual(
        evidence.contacts.map((one) => one.agreements.length === 0),
      );
      const bearer = it.name.identity === null ? undefined : evidence.nameAgreements.get(it.name.identity);
      const own = bearer?.isPrimary ? 'primary' : 'secondary';
      expect(it.name.status).toBe(
        !bearer ? 'unverified' : it.name.identity === it.dominantIdentity ? own : 'different',
      );
      expect(bearer?.isSame ?? true).toBe(true);
    });
  });

  test('the dominant identity has most values, the name included; among equals, the one with the name', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { dominantIdentity: dominant } = score(evidence);
      const bears = (id: number) => evidence.nameAgreements.get(id)?.isSame ?? false;
      const values = (id: number) =>
        Number(bears(id)) +
        evidence.contacts.filter((one) => one.agreements.some((hit) => hit.identity === id)).length;
      const ids = [...evidence.nameAgreements.keys()].filter((id) => values(id) > 0);
      expect(dominant === null).toBe(ids.length === 0);
      const most = Math.max(0, ...ids.map(values));
      const first = ids.filter((id) => values(id) === most);
      const bearers = first.filter(bears);
      expect([null, ...(bearers.length > 0 ? bearers : first)]).toContain(dominant);
    });
  });

  test('history is that of the dominant identity, and null for a name alone', () => {
    expectAlways(anyEvidence, (evidence) => {
      const { dominantIdentity: dominant, history } = score(evidence);
      const known = dominant === null ? undefined : evidence.identities.get(dominant);
      const own = known && evidence.contacts.length > 0 ? known : { firstSeen: null, lastSeen: null };
      // A contact in a record without a last date may be current, so that the last date is unknown.
      const mayBeCurrent = evidence.contacts.some(({ agreements }) =>
        agreements.some((match) => match.identity === dominant && match.contactLastSeen === null),
      );
      const lastSeen = mayBeCurrent ? null : own.lastSeen;
      expect(history).toMatchObject({ firstSeen: own.firstSeen, lastSeen });
    });
  });

  test('the person of the answer has the name if any identity does', () => {
    expectAlways(anyEvidence, (evidence) => {
      const borne = [...evidence.nameAgreements.values()].some((name) => name.isSame);
      expect(findBestHypothesis(evidence).hasName).toBe(borne);
    });
  });
});
