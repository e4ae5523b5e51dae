import { describe, expect, test } from 'vitest';
import { toEvidenceSteps, computeEvidenceSumsAndRange } from '../../src/evaluate/steps.ts';
import type { WeighedEvidence } from '../../src/model.ts';
import { REASON_CODES } from '../../src/score/reason.ts';

const explained = (code: string, rest: Partial<WeighedEvidence> = {}): WeighedEvidence => ({
  code,
  field: null,
  index: null,
  key: null,
  weight: 1,
  score_without: null,
  ...rest,
});

describe('a step says where its evidence comes from, what it is, and by what key it was found', () => {
  test.each([
    [explained('start'), 'where every check starts'],
    [explained('name_borne', { field: 'name' }), 'name: on record'],
    [explained('name_in_part', { field: 'name' }), 'name: borne in part'],
    [explained('email_own', { field: 'email', index: 0, key: 'email' }), 'e-mail 1: the person’s own'],
    [
      explained('email_own', { field: 'email', index: 1, key: 'mailbox' }),
      'e-mail 2: the person’s own, found by mailbox',
    ],
    [explained('phone_other', { field: 'phone', index: 0, key: 'phone' }), 'phone 1: somebody else’s'],
    [
      explained('address_in_part', { field: 'address', index: 0, key: 'premise' }),
      'address 1: of somebody who bears part of the name, found by premise',
    ],
  ])('%j', (one, text) => {
    expect(toEvidenceSteps([one])).toEqual([{ bits: 1, text }]);
  });

  test.each(REASON_CODES)('%s has words', (code) => {
    const [field] = (['name', 'email', 'phone', 'address'] as const).filter((one) =>
      code.startsWith(`${one}_`),
    );
    expect(toEvidenceSteps([explained(code, { field: field ?? null })])[0]?.text).toMatch(/ /);
    expect(toEvidenceSteps([explained(code, { field: field ?? null })])[0]?.text).not.toContain('_');
  });
});

test('steps begin where the one before ended', () => {
  const steps = [-0.5, 3, -1].map((bits) => ({ bits, text: '' }));
  expect(computeEvidenceSumsAndRange(steps)).toEqual({ ends: [-0.5, 2.5, 1.5], low: -0.5, high: 2.5 });
  expect(computeEvidenceSumsAndRange([])).toEqual({ ends: [], low: 0, high: 0 });
});
