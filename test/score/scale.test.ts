// Bits and points of a calibrated scale.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Calibration } from '../../src/model.ts';
import { createScoreScale } from '../../src/score/curves.ts';
import { applyScoreBounds } from '../../src/score/points.ts';
import { scoreEvidence } from '../../src/score/score.ts';
import { anyEvidence } from './arbitrary.ts';

const MAP: Calibration = {
  name: 'shop',
  scoringModel: 1,
  knots: [
    [5, 1],
    [50, 30],
    [95, 90],
  ],
};
const { points, bits } = createScoreScale(MAP);

test('interpolation goes through its points, is level beyond them, and rises between', () => {
  expect([points(-30), points(0), points(30)]).toEqual([1, 30, 90]);
  fc.assert(
    fc.property(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      (at, more) => {
        expect(points(at + more)).toBeGreaterThanOrEqual(points(at));
      },
    ),
  );
});

test('points convert to the least bits that reach them, and to Infinity beyond the highest', () => {
  for (const wanted of [2, 25, 40, 64, 89]) expect(points(bits(wanted))).toBeCloseTo(wanted, 6);
  expect(bits(91)).toBe(Infinity);
});

test('with a calibration, points add up, all finals are equal, and the explanation names the calibration', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const { identityScore: it, combined, trustScore, value } = scoreEvidence(evidence, MAP).score;
      expect(it.raw + it.bonuses + it.penalties + it.fraudRiskPenalty).toBeCloseTo(it.adjusted, 2);
      expect([it.final, combined.final, trustScore.final]).toEqual([value, value, value]);
      expect(it.penalties).toBeLessThanOrEqual(0);
      expect(combined.explanation).toMatch(/ The calibration shop was applied\.$/);
    }),
  );
});

test('a calibration does not change statuses and bits', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const bearsOne = [...evidence.nameAgreements.values()].filter(({ isSame: same }) => same).length === 1;
      fc.pre(bearsOne);
      const [plain, mapped] = [scoreEvidence(evidence), scoreEvidence(evidence, MAP)];
      expect([mapped.name, mapped.contacts, mapped.score.trustScore.reasons]).toEqual([
        plain.name,
        plain.contacts,
        plain.score.trustScore.reasons,
      ]);
    }),
  );
});

test('an old phone of strangers never raises a score that household contacts have lowered', () => {
  const conflict = {
    reasons: [],
    worstConflict: 0,
    household: new Set<never>(),
    namesakes: new Set<never>(),
    namesakeConflict: 0,
    sharedOnlyBound: 100,
    addressBits: 0,
  };
  const own = { kinds: [1], lifts: [1], directStrength: 1 };
  const cents = fc.integer({ min: 1, max: 600 });
  const household = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(cents, household, cents, (sum, householdBits, phone) => {
      const score = (bits: number, oldPhoneBits: number) =>
        applyScoreBounds({
          bits,
          hasName: true,
          own,
          conflict: { ...conflict, householdBits, oldPhoneBits, oldPhoneFloor: 45 },
          isNonPerson: false,
          nameCeiling: { bits: 20, limit: 'name' },
          scale: createScoreScale(MAP),
        }).score;
      const bits = (sum - 200) / 100;
      expect(score(bits - phone / 100, phone / 100)).toBeLessThanOrEqual(score(bits, 0));
    }),
    { numRuns: 2000 },
  );
});
