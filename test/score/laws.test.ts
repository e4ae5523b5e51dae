// Laws of the score on a real graph, for requests of any form and order.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { strangers } from '../kit/graphs/graph.ts';
import {
  WORLD,
  held,
  unknown,
  name,
  anyValue,
  anyRequest,
  bearer,
  ownValue,
  requestOf,
  rewritten,
  openWorld,
  valuesOf,
  run,
  expectAlways,
  adding,
  dedupe,
  HALVES,
  holdersOf,
  isOthers,
  isSurelyAnother,
  KINDS,
  MISSPELT_BESIDE,
  OFFICE,
  ALONE,
  type Value,
} from './world.ts';

const folder = openWorld();

describe('the laws of the score', () => {
  test('1: the same request has the same verdict, to the byte, also from a graph opened anew', async () => {
    const again = openSqliteGraph({ dataDir: folder });
    await expectAlways(anyRequest, async (any) => {
      const request = { ...any, operation: 'raw' } as const;
      const first = JSON.stringify(await run(request));
      expect(JSON.stringify(await run(request))).toBe(first);
      expect(JSON.stringify(await run(request, again))).toBe(first);
    });
    again.close();
  });

  test('2: order, letter case, formatting and duplicates never change the score', async () => {
    await expectAlways(fc.tuple(anyRequest, fc.nat(20)), async ([request, turn]) => {
      const first = await run(request);
      const other = await run(rewritten(request, turn));
      expect([other.score, other.dominantIdentity, other.isPossibleCatfish]).toEqual([
        first.score,
        first.dominantIdentity,
        first.isPossibleCatfish,
      ]);
      const twice = {
        ...request,
        emails: [...request.emails, ...request.emails.slice(0, 1)],
        phones: [...request.phones, ...request.phones.slice(0, 1)],
      };
      expect((await run(twice)).score).toBe(first.score);
    });
  });

  test('3: a value without a record never changes the score', async () => {
    await expectAlways(fc.tuple(anyRequest, fc.constantFrom(...unknown)), async ([request, value]) => {
      const { before, after, to } = await adding(request, value);
      expect(to).toEqual([]);
      expect(after.score).toBe(before.score);
    });
  });

  test('4: a value of an identity with the name never lowers the score', async () => {
    await expectAlways(ownValue, async ({ request, value }) => {
      const { before, after, to } = await adding(request, value);
      fc.pre(before.name.identity !== null && to.includes(before.name.identity));
      expect(after.score).toBeGreaterThanOrEqual(before.score);
    });
  });

  test('5: only a value of somebody else lowers the score', async () => {
    await expectAlways(fc.tuple(anyRequest, anyValue), async ([request, value]) => {
      const { before, after, to } = await adding(request, value);
      const { identity } = before.name;
      const foreign = to.length > 0 && !(identity !== null && to.includes(identity));
      expect(foreign || after.score >= before.score).toBe(true);
    });
  });

  test('5: a stranger’s value never raises the score', async () => {
    const stranger = held.filter(([, value]) =>
      JSON.stringify(value).match(/stranger\.example|Denver|\+1 303/),
    );
    await expectAlways(fc.tuple(anyRequest, fc.constantFrom(...stranger)), async ([request, value]) => {
      fc.pre(
        !strangers(60).some(
          (row) =>
            row.name!.split(' ')[0] === request.name.split(' ')[0] ||
            row.name!.slice(-5) === request.name.slice(-5),
        ),
      );
      const { before, after, to } = await adding(request, value);
      fc.pre(before.name.identity === null || !to.includes(before.name.identity));
      expect(after.score).toBeLessThanOrEqual(before.score);
    });
  });

  test('5: a value of people with at most half of the name never raises the score', async () => {
    const others = fc.constantFrom(...held);
    await expectAlways(fc.tuple(anyRequest, others), async ([request, value]) => {
      const holders = holdersOf(value);
      fc.pre(holders.every((row) => isOthers(request.name, row)));
      const known = new Set(dedupe(request).flatMap(holdersOf));
      fc.pre(!holders.some((row) => known.has(row)));
      const { before, after } = await adding(request, value);
      expect(after.score).toBeLessThanOrEqual(before.score);
    });
  });

  test('4, 15: the only contact of an identity with half of the name, or without a name, speaks for nobody', async () => {
    for (const name of ['Margaret Delacroix', 'Wilhelmina Underhill', 'Hugo Delacroix-Boone']) {
      const alone = await run(requestOf(name, []));
      for (const row of [...HALVES, ...WORLD.filter((one) => one.name === undefined)]) {
        const [email] = row.emails ?? [];
        if (email === undefined || isSurelyAnother(name, row) || alone.name.identity !== null) continue;
        const it = await run(requestOf(name, [['emails', email]]));
        expect([name, row.name, it.score <= alone.score && it.score >= 10]).toEqual([name, row.name, true]);
      }
    }
  });

  test('5: a value of the person’s misspelt record lowers the score little', async () => {
    for (const [name, own, other] of MISSPELT_BESIDE) {
      const before = await run(requestOf(name, [own]));
      const after = await run(requestOf(name, [own, other]));
      const stranger = await run(requestOf(name, [own, ['phones', '+1 303 210 1010']]));
      expect([name, before.score - after.score <= 10]).toEqual([name, true]);
      expect(after.score).toBeGreaterThan(stranger.score);
    }
  });

  test('a further value of the same other person never clears the flag, except the home of a relative', async () => {
    const request = fc.tuple(bearer, name).chain(([row, full]) => {
      const family = row.name!.split(' ').at(-1)!;
      return fc.record({
        family: fc.constant(family),
        name: fc.constantFrom(full, `Annika ${family}`),
        values: fc.shuffledSubarray(valuesOf(row), { minLength: 1 }),
      });
    });
    await expectAlways(request, async ({ family, name, values: [value, ...sent] }) => {
      const { before, after, to } = await adding(requestOf(name, sent), value!);
      fc.pre(before.isPossibleCatfish && !to.includes(before.name.identity ?? -1));
      fc.pre(value![0] !== 'addresses' || !name.includes(family));
      expect(after.isPossibleCatfish).toBe(true);
    });
  });

  test('6: a name alone scores at most 64, and its texts tell only whether the name is on record', async () => {
    await expectAlways(name, async (name) => {
      const it = await run(requestOf(name, []));
      expect(it.score).toBeLessThanOrEqual(64);
      for (const text of [it.summary, it.message.replace(/^[A-Z ]+: /, ''), ...it.insights])
        expect(text).toMatch(/^The name (?:appears|does not appear) in the identity graph\.$/);
    });
  });

  test('7: a phone of thirty people moves the score less than a phone of one person, up and down', async () => {
    const score = async (name: string, ...phones: string[]) =>
      (
        await run(
          requestOf(
            name,
            phones.map((phone): Value => ['phones', phone]),
          ),
        )
      ).combined.preCapped;
    const up = async (name: string, phone: string) => (await score(name, phone)) - (await score(name));
    expect(await up('Wilhelmina Yorkshire', ALONE)).toBeGreaterThan(await up('James Ridgeway', OFFICE));
    const own = '+1 509 234 1000';
    const margaret = WORLD[0]?.name ?? '';
    const down = async (phone: string) => (await score(margaret, own)) - (await score(margaret, own, phone));
    expect(await down(OFFICE)).toBeGreaterThan(0);
    expect(await down(ALONE)).toBeGreaterThan(await down(OFFICE));
  });

  test('7: a name of thirty people moves the score less than a name of one person', async () => {
    const score = async (name: string, ...values: Value[]) =>
      (await run(requestOf(name, values))).combined.preCapped;
    expect(await score('Wilhelmina Yorkshire')).toBeGreaterThan(await score('James Ridgeway'));
    expect(await score('James Ridgeway')).toBeGreaterThan(await score('Hugo Delacroix-Boone'));
    expect(await score('Wilhelmina Yorkshire', ['emails', 'wy@post.example'])).toBeGreaterThan(
      await score('James Ridgeway', ['emails', 'james3@post.example']),
    );
  });

  test('8: one kind of contact alone cannot reach 85 without a matching name', async () => {
    const oneKind = fc.constantFrom(...KINDS).chain((kind) =>
      fc.tuple(
        name,
        fc.subarray(
          held.filter((one) => one[0] === kind),
          { maxLength: 4 },
        ),
      ),
    );
    await expectAlways(oneKind, async ([name, values]) => {
      const it = await run(requestOf(name, values));
      const matches = it.name.identity !== null && it.name.identity === it.dominantIdentity;
      expect(matches || it.score < 85).toBe(true);
    });
  });
});
