// Laws 1–11 of the score (contract, section 3) over HTTP, on a graph of households, namesakes, nameless
// records, offices and towers.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disagreementsOf } from './agreement.ts';
import type { Answer, Body } from './answer.ts';
import { contradictionsOf } from './contradictions.ts';
import type { Service } from './random/ask.ts';
import { answersTo, legacyOf, openService } from './random/ask.ts';
import type { Value } from './random/requests.ts';
import { arbitraries, bodyOf, LISTS, NOBODYS, STRANGE, valuesOf, written } from './random/requests.ts';
import { EXCHANGE_PHONE, makeWorld, OFFICE_PHONE, TOWER } from './random/world.ts';

const WORLD = makeWorld();
const VALUES = valuesOf(WORLD);
const { person, name, value, body } = arbitraries(WORLD);
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
const always = <T>(arbitrary: fc.Arbitrary<T>, holds: (it: T) => Promise<void>, numRuns = 150) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns, seed: 11 });
const email = (text: string): Value => ({ kind: 'email', value: text, holders: ['known'] });
const UNHEARD = email('nobody@nowhere.example');
const phone = (text: string): Value => ({ kind: 'phone', value: text, holders: ['known'] });

/**
 * Returns the answers before and after one more value. The value must be new, and the request must have fewer
 * than five of its kind.
 */
async function adding(request: Body, { kind, value }: Value): Promise<{ before: Answer; after: Answer }> {
  const list = request[LISTS[kind]] ?? [];
  fc.pre(list.length < 5 && !list.some((one) => isDeepStrictEqual(one, value)));
  const more = { ...request, [LISTS[kind]]: [...list, value] };
  return { before: await check(request), after: await check(more) };
}

describe('the laws of the score, over HTTP', () => {
  test('1: the same request gives the same answer, with or without AI, in either version, raw or not', async () => {
    const rawShape = (line: string) => !line.startsWith('raw-adds') && !line.startsWith('intents-differ');
    await always(
      body,
      async (request) => {
        const [first, second] = [
          await answersTo(service, request),
          await check({ ...request, operation: 'validate' }),
        ];
        expect(
          disagreementsOf({ ...first, enhanced: second, ai: second }).filter(
            (line) => !/^(?:insights-by|raw-adds|intents-differ)/.test(line),
          ),
        ).toEqual([]);
        expect(disagreementsOf(first).filter(rawShape)).toEqual([]);
      },
      40,
    );
  });

  test('2: order, letter case, formatting and duplicates never change score, person or flag', async () => {
    await always(fc.tuple(body, fc.integer({ min: 1, max: 11 })), async ([request, hand]) => {
      const [one, two] = [await check(request), await check(written(request, hand))];
      const figures = (it: Answer) => [it.trustworthiness_score, it.dominant_identity, it.possible_catfish];
      expect(figures(two)).toEqual(figures(one));
    });
  });

  test('2: the legacy shape gives the same answer', async () => {
    await always(body, async (request) => {
      const { intent: _, ...rest } = request;
      const [one, two] = [await check(rest), await service.ask('/v1/validate', legacyOf(rest))];
      expect(two.trustworthiness_score).toBe(one.trustworthiness_score);
    });
  });

  test('3: adding a value that comes back Unverified never lowers it', async () => {
    await always(fc.tuple(body, fc.constantFrom(...NOBODYS)), async ([request, added]) => {
      const { before, after } = await adding(request, added);
      expect(after.trustworthiness_score).toBeGreaterThanOrEqual(before.trustworthiness_score);
    });
  });

  test('4: adding a value of the person of the submitted name never lowers it', async () => {
    const own = single.chain((one) =>
      fc.record({
        name: fc.constant(one.name),
        own: fc.shuffledSubarray(ownOf(one.label), { minLength: 1 }),
        more: fc.array(value, { maxLength: 3 }),
      }),
    );
    await always(own, async ({ name, own: [added, ...rest], more }) => {
      fc.pre(added !== undefined);
      const { before, after } = await adding(bodyOf(name, [...rest, ...more]), added);
      expect(after.trustworthiness_score).toBeGreaterThanOrEqual(before.trustworthiness_score);
    });
  });

  test('4: the same for one of several namesakes whose other values were sent', async () => {
    const smith = fc.integer({ min: 0, max: 4 }).map((i) => ownOf(`smith-${i}`));
    await always(
      fc.tuple(smith, fc.array(fc.constantFrom(...NOBODYS), { maxLength: 2 })),
      async ([own, more]) => {
        const [first, ...rest] = own;
        fc.pre(first !== undefined);
        for (const added of rest) {
          const { before, after } = await adding(bodyOf('John Smith', [first, ...more]), added);
          expect(after.trustworthiness_score).toBeGreaterThanOrEqual(before.trustworthiness_score);
        }
      },
      20,
    );
  });

  test('4: if no identity has the name, one more value of the same identity that is not rarer never lowers the score', async () => {
    const pairs = WORLD.people.flatMap(({ label }) =>
      ownOf(label).flatMap((rare) =>
        ownOf(label)
          .filter(
            (other) =>
              other !== rare && other.kind === rare.kind && other.holders.length >= rare.holders.length,
          )
          .map((common) => ({ rare, common })),
      ),
    );
    await always(
      fc.tuple(fc.constantFrom(...pairs), fc.constantFrom(...STRANGE)),
      async ([{ rare, common }, name]) => {
        expect(await scoreOf(name, rare, common)).toBeGreaterThanOrEqual(await scoreOf(name, rare));
      },
    );
  });

  test('5: only values of other people lower it', async () => {
    await always(fc.tuple(single, fc.array(value, { maxLength: 4 }), value), async ([one, values, added]) => {
      const { before, after } = await adding(bodyOf(one.name, values), added);
      const others = added.holders.length > 0 && !added.holders.includes(one.label);
      expect(others || after.trustworthiness_score >= before.trustworthiness_score).toBe(true);
    });
  });

  test('6: a name alone scores at most 64, and its texts say only whether the name appears', async () => {
    await always(
      name,
      async (name) => {
        const answer = await service.ask('/v1/validate/enhanced', { name });
        expect(answer.trustworthiness_score).toBeLessThanOrEqual(64);
        const said = contradictionsOf({ name }, answer).filter((line) =>
          /^(?:name-alone|name-appears|message-word|history)/.test(line),
        );
        expect(said).toEqual([]);
        for (const text of [answer.summary, answer.message, ...answer.insights])
          expect(text).toMatch(/\bname\b/i);
      },
      60,
    );
  });

  test('7: a phone of thirty people moves the score less than one of ten, and that less than one of one, up and down', async () => {
    const points = async (name: string, ...values: Value[]) =>
      (await check(bodyOf(name, values))).combined_trust_score.pre_capped;
    const up = async (name: string, text: string) => (await points(name, phone(text))) - (await points(name));
    const [one, ten, thirty] = [
      await up('Wilhelmina Yorkshire', '+1 303 234 3000'),
      await up('Ada Eastlake', EXCHANGE_PHONE),
      await up('Ada Abernathy', OFFICE_PHONE),
    ];
    expect(one).toBeGreaterThan(ten);
    expect(ten).toBeGreaterThan(thirty);
    const own = email('wilhelmina@yorkshire.example');
    const down = async (text: string) =>
      (await points('Wilhelmina Yorkshire', own)) - (await points('Wilhelmina Yorkshire', own, phone(text)));
    expect(await down('+1 402 234 1110')).toBeGreaterThan(await down(EXCHANGE_PHONE));
    expect(await down(EXCHANGE_PHONE)).toBeGreaterThanOrEqual(await down(OFFICE_PHONE));
  });

  test('7: a name of five people moves the score less than a name of one', async () => {
    const points = async (name: string, ...values: Value[]) =>
      (await check(bodyOf(name, values))).combined_trust_score.pre_capped;
    expect(await points('Evangeline Larkspur', email('evangeline@larkspur.example'))).toBeGreaterThanOrEqual(
      await points('John Smith', email('jsmith2@mail2.example')),
    );
  });

  test('8: one kind of contact alone, however many values, does not reach 85', async () => {
    const kind = fc.constantFrom('email', 'phone', 'address');
    await always(fc.tuple(person, kind, fc.subarray([...NOBODYS])), async ([one, kind, more]) => {
      const own = ownOf(one.label).filter((it) => it.kind === kind);
      expect(await scoreOf(one.name, ...own, ...more)).toBeLessThan(85);
    });
  });

  test('9: without a contact of an identity with the name the score is at most 64', async () => {
    const strangers = fc.subarray(VALUES, { minLength: 1, maxLength: 6 });
    await always(fc.tuple(strangers, fc.constantFrom(...STRANGE)), async ([values, name]) => {
      expect(await scoreOf(name, ...values)).toBeLessThanOrEqual(64);
    });
    await always(fc.tuple(single, strangers), async ([one, values]) => {
      const others = values.filter(({ holders }) => !holders.includes(one.label));
      expect(await scoreOf(one.name, ...others)).toBeLessThanOrEqual(64);
    });
  });

  test('9: contacts of a record without a name verify nobody', async () => {
    for (const label of ['nameless-0', 'nameless-1'])
      for (const name of ['Hugo Delacroix-Boone', 'Evangeline Larkspur'])
        expect(await scoreOf(name, ...ownOf(label))).toBeLessThanOrEqual(64);
  });

  test('10: addresses of others leave at least 40, or 25 if the name is not on record, and set no flag', async () => {
    const addresses = fc.subarray(
      VALUES.filter(({ kind }) => kind === 'address'),
      { minLength: 1, maxLength: 4 },
    );
    const unheard = fc.subarray(NOBODYS.filter(({ kind }) => kind !== 'address'));
    await always(
      fc.tuple(single, addresses, unheard),
      async ([one, homes, unknown]) => {
        const own = ownOf(one.label).filter(({ kind, holders }) => kind === 'email' && holders.length === 1);
        const others = homes.filter(({ holders }) => !holders.includes(one.label));
        for (const [name, rest, floor] of [
          [one.name, own, 40],
          [one.name, unknown, 40],
          ['Xiomara Zabriskie', unknown, 25],
        ] as const) {
          const answer = await check(bodyOf(name, [...others, ...rest]));
          expect({ name, low: answer.trustworthiness_score < floor, flag: answer.possible_catfish }).toEqual({
            name,
            low: false,
            flag: false,
          });
        }
      },
      60,
    );
  });

  test('10: a switchboard counts as little against a name as for one, and sets no flag', async () => {
    const base = await scoreOf('Xiomara Zabriskie', UNHEARD);
    const answer = await check(bodyOf('Xiomara Zabriskie', [UNHEARD, phone(OFFICE_PHONE)]));
    const up = (await scoreOf('Ada Abernathy', phone(OFFICE_PHONE))) - (await scoreOf('Ada Abernathy'));
    expect(answer.possible_catfish).toBe(false);
    expect(base - answer.trustworthiness_score).toBeLessThanOrEqual(up + 5);
  });

  test('10: another unit of a known building is no record, for a tenant and for anybody else', async () => {
    for (const name of ['Xiomara Zabriskie', 'Quentin Fairweather']) {
      const request = bodyOf(name, [UNHEARD]);
      const { before, after } = await adding(request, {
        kind: 'address',
        value: { ...TOWER, street2: 'Apt 999' },
        holders: [],
      });
      expect(after.input_validation.address?.inputs.map((row) => row.match_status)).toEqual(['Unverified']);
      expect(after.trustworthiness_score).toBe(before.trustworthiness_score);
    }
  });

  test('10: a value that others had long before the newest record counts less against than one that they have', async () => {
    const [old, recent] = [ownOf('tower-0'), ownOf('tower-10')].map((own) =>
      own.filter(({ kind }) => kind === 'phone'),
    );
    const own = email('evangeline@larkspur.example');
    expect(await scoreOf('Evangeline Larkspur', own, ...(old ?? []))).toBeGreaterThanOrEqual(
      await scoreOf('Evangeline Larkspur', own, ...(recent ?? [])),
    );
  });
});

describe('law 15', () => {
  const colleagues = WORLD.people.filter(({ label }) => label.startsWith('office-'));
  test.each(colleagues.slice(24, 36).map(({ name: text, phones }) => [text ?? '', phones[0] ?? '']))(
    'more of the name of %s never scores lower with a phone that many share',
    async (text, shared) => {
      const [given = '', family = ''] = text.split(' ');
      const forms = [family, `${given.charAt(0)}. ${family}`, text];
      const scores = [];
      for (const form of forms) scores.push(await scoreOf(form, phone(shared)));
      expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    },
  );
});
