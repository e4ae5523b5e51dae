// Small differences in the input change the score little, along every axis.
import { describe, expect, test } from 'vitest';
import type {
  ContactMatch,
  Calibration,
  ContactEvidence,
  CheckEvidence,
  ContactKind,
  NameMatch,
} from '../../src/model.ts';
import { weighMatchingContacts } from '../../src/score/matching-contacts.ts';
import { createScoreScale } from '../../src/score/curves.ts';
import { scoreEvidence } from '../../src/score/score.ts';
import { weighContactsOnRecord } from '../../src/score/values.ts';
import { findBestHypothesis } from '../../src/score/weigh.ts';
import { NEWEST, NOBODY } from './arbitrary.ts';

const YEAR = 365.25 * 86_400_000;
const KINDS: ContactKind[] = ['email', 'phone', 'address'];
const NAMES = [0, 20, 35, 48, 52, 70, 100];
const MOST = 10;
/**
 * Calibration that lowers low scores and raises high ones, and the factor by which it separates two scores at
 * most.
 */
const MAP: Calibration = {
  name: 'own',
  scoringModel: 1,
  knots: [
    [1, 3],
    [20, 12],
    [50, 45],
    [80, 85],
    [99, 98],
  ],
};
const STEEPEST = 4 / 3;

interface CheckSituation {
  /** Kinds of contacts that only the person has. */
  own: ContactKind[];
  /** Kind of a contact that somebody else has; null for none. */
  other: ContactKind | null;
  /** Agreement of the name with the person's name; `otherName` with the other person's. */
  name: number;
  otherName: number;
}

function named(agreement: number): NameMatch {
  const same = agreement >= 50;
  return {
    ...NOBODY,
    agreement,
    isSame: same,
    variation: same ? 'exact' : 'no_match',
    closestName: 'A Name',
  };
}

function contact(kind: ContactKind, over: Partial<ContactMatch>): ContactEvidence {
  const agreement = { identity: 1, type: kind, primary: true, share: 1, firstSeen: null, lastSeen: NEWEST };
  return {
    kind,
    agreements: [{ ...agreement, ...over }],
    isRepeat: false,
    hasLookAlike: false,
    standardized: null,
    hasExtension: false,
  };
}

/** Sharers of the other contact (or else the first own contact), and the years since it was last seen. */
interface Axes {
  share: number;
  years?: number;
}

/** Returns the score without the texts and figures beside it, which take most of the time of `scoreEvidence`. */
function at(situation: CheckSituation, { calibration, ...axes }: Axes & { calibration: Calibration | null }) {
  const evidence = evidenceOf(situation, axes);
  const scale = createScoreScale(calibration);
  return Math.round(findBestHypothesis(evidence, weighContactsOnRecord(evidence), scale).score);
}

function evidenceOf(
  { own, other, name, otherName }: CheckSituation,
  { share, years = 0 }: Axes,
): CheckEvidence {
  const aged = { share, lastSeen: NEWEST - years * YEAR };
  const contacts = own.map((kind, i) => contact(kind, other === null && i === 0 ? { share } : {}));
  if (other) contacts.push(contact(other, { identity: 2, ...aged }));
  const names = new Map([[1, named(name)]]);
  if (other) names.set(2, named(Math.min(otherName, 49)));
  return {
    graphSize: 10_000,
    nameHolders: 1,
    newestSeen: NEWEST,
    nameAgreements: names,
    identities: new Map(),
    contacts,
  };
}

const OWN: ContactKind[][] = [
  [],
  ['email'],
  ['phone'],
  ['address'],
  ['email', 'address'],
  ['email', 'phone', 'address'],
  ['email', 'email', 'phone'],
];
const SITUATIONS: CheckSituation[] = OWN.flatMap((own) =>
  [null, ...KINDS].flatMap((other) =>
    NAMES.flatMap((name) =>
      (other ? [0, 20, 40] : [0]).map((otherName) => ({ own, other, name, otherName })),
    ),
  ),
);

function jumps(axis: number[], score: (step: number) => number): number {
  const scores = axis.map(score);
  return Math.max(...scores.slice(1).map((one, i) => Math.abs(one - (scores[i] ?? one))));
}

const steps = (from: number, to: number, by = 1) =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, i) => from + i * by);

/** Above thirty sharers, one more hardly changes the score, so only every fifteenth number is tested. */
const SHARERS = [...steps(1, 30), ...steps(35, 200, 15)];

describe.each([
  ['as it is', null, MOST],
  ['mapped by a calibration', MAP, MOST * STEEPEST],
])('no step moves the score far, %s', (_title, calibration, most) => {
  test('the score is that of the whole check', () => {
    for (const one of SITUATIONS)
      expect([one, at(one, { share: 2, calibration })]).toEqual([
        one,
        scoreEvidence(evidenceOf(one, { share: 2 }), calibration).score.value,
      ]);
  });

  test('one more sharer of a value, from 1 to 200', () => {
    for (const one of SITUATIONS)
      for (const years of one.other ? [0, 12] : [0])
        expect([one, jumps(SHARERS, (share) => at(one, { share, years, calibration })) <= most]).toEqual([
          one,
          true,
        ]);
  });

  test('one more year since somebody else was seen with a value, from 0 to 30', () => {
    for (const one of SITUATIONS.filter(({ other }) => other))
      for (const share of [1, 5])
        expect([one, jumps(steps(0, 30), (years) => at(one, { share, years, calibration })) <= most]).toEqual(
          [one, true],
        );
  });

  test('a little more agreement of the name, for the same and for a partial name', () => {
    for (const { name: _, ...one } of SITUATIONS.filter(({ name }) => name === 0))
      for (const axis of [steps(20, 49.5, 0.5), steps(50, 100, 0.5)]) {
        const walk = jumps(axis, (name) => at({ ...one, name }, { share: 1, calibration }));
        expect([one, walk <= most]).toEqual([one, true]);
      }
  });
});

test('a contact of many people lifts no bound, also if a weaker contact of nobody else is beside it', () => {
  const contacts = [
    contact('email', {}),
    contact('phone', { share: 7 }),
    contact('address', { type: 'street' }),
  ];
  const evidence = {
    contacts,
    nameAgreements: new Map([[1, named(100)]]),
    identities: new Map(),
    newestSeen: NEWEST,
  };
  const { kinds, lifts } = weighMatchingContacts(weighContactsOnRecord(evidence as never), 1);
  expect(kinds[1]).toBeGreaterThan(0.4);
  expect(lifts).toEqual([1, 0.25, 0]);
});

test.each(['address', 'phone'] as const)(
  'an e-mail with %s of many people stays below 85, with that of a few it does not',
  (kind) => {
    const score = (share: number) =>
      at({ own: [kind, 'email'], other: null, name: 100, otherName: 0 }, { share, calibration: null });
    expect([7, 8, 30].filter((share) => score(share) >= 85)).toEqual([]);
    expect([1, 2, 3, 4].filter((share) => score(share) < 85)).toEqual([]);
  },
);
