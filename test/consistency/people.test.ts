// Laws 12 and 15 of the score (contract, section 3) over HTTP, and records that are added to a person.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Body } from './answer.ts';
import type { Service } from './random/ask.ts';
import { openService } from './random/ask.ts';
import type { Value } from './random/requests.ts';
import { arbitraries, bodyOf, valuesOf } from './random/requests.ts';
import { makeWorld } from './random/world.ts';

const WORLD = makeWorld();
const VALUES = valuesOf(WORLD);
const { person, value } = arbitraries(WORLD);
/** People whose name nobody else has in any form. */
const single = person.filter(({ label }) => !/^(?:smith|stoddart|.*berg|.*ling|.*mann)/.test(label));
const ownOf = (label: string): Value[] => VALUES.filter(({ holders }) => holders.includes(label));

let service: Service;
beforeAll(async () => {
  service = await openService(WORLD.records);
});
afterAll(() => service.close());

const check = (request: Body): Promise<Answer> => service.ask('/v1/validate', request);
const scoreOf = async (name: string, ...values: Value[]) =>
  (await check(bodyOf(name, values))).trustworthiness_score;
const always = <T>(arbitrary: fc.Arbitrary<T>, holds: (it: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: 150, seed: 11 });

describe('the laws of people with common values and names, over HTTP', () => {
  test('12: beside an e-mail or phone of somebody else the score is at most 84', async () => {
    await always(
      fc.tuple(single, fc.array(value, { maxLength: 3 }), value),
      async ([one, values, foreign]) => {
        const { kind, holders } = foreign;
        fc.pre(kind !== 'address' && holders.length > 0 && !holders.includes(one.label));
        fc.pre(!holders.some((holder) => holder.startsWith('nameless')));
        expect(await scoreOf(one.name, ...ownOf(one.label), ...values, foreign)).toBeLessThanOrEqual(84);
      },
    );
  });

  test('12: a value that two people share lifts nobody above 39, or 64 in a household', async () => {
    const shared = VALUES.filter(({ holders }) => holders.length === 2 || holders.length === 3);
    const alone = VALUES.filter(({ kind, holders }) => kind !== 'address' && holders.length === 1);
    const pairs = shared.flatMap((value) =>
      value.holders.flatMap((label) =>
        alone
          .filter(({ holders: [other] }) => other !== label && value.holders.includes(other ?? ''))
          .map((foreign) => ({ label, values: [value, foreign] })),
      ),
    );
    const named = new Map(WORLD.people.map(({ label, name }) => [label, name]));
    await always(fc.constantFrom(...pairs), async ({ label, values }) => {
      const household = /^\w+-[A-Z]/.test(label);
      const score = await scoreOf(named.get(label) ?? '', ...values);
      // An old phone may have a new subscriber (law 17), an e-mail hardly.
      const isPhone = values.at(-1)?.kind === 'phone';
      expect(score).toBeLessThanOrEqual(household ? 64 : isPhone ? 50 : 39);
    });
  });

  test('15: the order of the words of a name changes nothing, and more of the own name never lowers the score', async () => {
    await always(fc.tuple(single, fc.nat(2)), async ([one, count]) => {
      // A switchboard alone carries too little for an initial to add anything.
      fc.pre(!one.label.startsWith('office'));
      const words = one.name.split(' ');
      fc.pre(words.length === 2 && /^\p{Script=Latin}+$/u.test(words.join('').replaceAll(/['’-]/g, '')));
      const [given = '', family = ''] = words;
      const values = ownOf(one.label).slice(0, count + 1);
      const whole = await scoreOf(one.name, ...values);
      for (const chain of [
        [family, `${given.charAt(0)}. ${family}`],
        [given, `${given} ${family.charAt(0)}.`],
      ]) {
        const scores: number[] = [];
        for (const name of chain) scores.push(await scoreOf(name, ...values));
        scores.push(whole);
        expect(scores).toEqual(scores.toSorted((a, b) => a - b));
      }
      expect(await scoreOf(`${family} ${given}`, ...values)).toBe(whole);
    });
  });
});

describe('another record of the same person', () => {
  const other = (name: string) => name.replace(' ', ' Pieter ');
  /** Spread into a record, gives it the last date of the person: a newer one would count more against others. */
  const lastDateOf = (label: string) => {
    const dates = WORLD.records.flatMap((one) => (one.identity === label ? (one.last_seen ?? []) : []));
    return dates.length === 0 ? {} : { last_seen: dates.toSorted().at(-1) as string };
  };
  const records = WORLD.people.flatMap(({ label, name, emails }) =>
    name && name.includes(' ')
      ? [
          {
            record_id: `${label}-more`,
            source: 'more',
            identity: label,
            name: other(name),
            emails: emails.slice(0, 1),
            ...lastDateOf(label),
          },
        ]
      : [],
  );
  let larger: Service;
  beforeAll(async () => {
    larger = await openService([...WORLD.records, ...records]);
  });
  afterAll(() => larger.close());

  test('never lowers the score of a request that it fits', async () => {
    await always(
      fc.tuple(single, fc.array(value, { maxLength: 2 }), fc.boolean()),
      async ([one, more, isOther]) => {
        fc.pre(one.name.includes(' '));
        const request = bodyOf(isOther ? other(one.name) : one.name, [
          ...ownOf(one.label).slice(0, 2),
          ...more,
        ]);
        const { trustworthiness_score: before } = await check(request);
        const { trustworthiness_score: after } = await larger.ask<Answer>('/v1/validate', request);
        expect(after).toBeGreaterThanOrEqual(before);
      },
    );
  });
});
