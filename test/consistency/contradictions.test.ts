// Each planted contradiction is found by its rule and by no other; good answers have no contradiction.
import { describe, expect, test } from 'vitest';
import type { Kind } from './answer.ts';
import { contradictionsOf, RULES } from './contradictions.ts';
import type { Case } from './good/build.ts';
import { HISTORY } from './good/build.ts';
import { mixed, nameOnly, noRecord, person, stranger } from './good/cases.ts';
import { FACTS } from './planted/facts.ts';
import { HOLDERS } from './planted/holders.ts';
import { INSIGHTS } from './planted/insights.ts';
import { NUMBERS } from './planted/numbers.ts';
import { PAIRS } from './planted/pairs.ts';
import { ROWS } from './planted/rows.ts';
import { SENTENCES } from './planted/sentences.ts';
import { VERDICT } from './planted/verdict.ts';
import { WORDING } from './planted/wording.ts';
import type { Known } from './story.ts';

const NAMED: Known = {
  nameless: false,
  words: new Set(['ottoline', 'farr']),
  first_seen: null,
  last_seen: null,
};
/** Knowledge that every value belongs to one person. */
const KNOWN = {
  identities: new Map<number, Known>([
    [1, { nameless: false, names: ['Jane Quimby'], ...HISTORY }],
    [7, NAMED],
    [9, NAMED],
    [11, { ...NAMED, words: new Set(['hans', 'farr']), family: 'farr' }],
    [13, { ...NAMED, nameless: true, words: new Set() }],
    [12, { ...NAMED, words: new Set(), last_seen: '2030-01-01' }],
  ]),
  unseenYears: (_kind: Kind, input: unknown) => (String(input).startsWith('old.') ? 9 : 1),
  holds: (identity: number, kind: Kind) => identity === 12 || (identity === 11 && kind === 'address'),
  holders: (_kind: Kind, input: unknown) => (String(input).startsWith('12125559') ? 30 : 1),
};
const PLANTS = [
  ...NUMBERS,
  ...ROWS,
  ...VERDICT,
  ...WORDING,
  ...SENTENCES,
  ...FACTS,
  ...HOLDERS,
  ...INSIGHTS,
  ...PAIRS,
];

const fired = ({ request, answer }: Case): string[] => [
  ...new Set(contradictionsOf(request, answer, KNOWN).map((line) => line.split(':', 1).join())),
];

describe('the consistency checker', () => {
  test.each([
    ['a person', person],
    ['a mixed answer', mixed],
    ['a stranger', stranger],
    ['nothing on record', noRecord],
    ['a name alone', nameOnly],
  ])('finds nothing in a good answer: %s', (_title, story) => {
    const { request, answer } = story();
    expect(contradictionsOf(request, answer)).toEqual([]);
    expect(contradictionsOf(request, answer, KNOWN)).toEqual([]);
    expect(contradictionsOf(request, { ...answer, ai_insights: null })).toEqual([]);
  });

  test.each(PLANTS)(
    'finds the contradiction that is planted for %s, with no other rule',
    (rule, story, alter, ...others) => {
      const it = story();
      alter(it);
      expect(fired(it).toSorted()).toEqual([rule, ...others].toSorted());
    },
  );

  test('every rule has a planted contradiction and a clause', () => {
    const planted = new Set(PLANTS.map(([rule]) => rule));
    expect(RULES.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    expect(RULES.filter(({ clause }) => clause.length < 20)).toEqual([]);
  });
});
