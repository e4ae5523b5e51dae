// Laws of the score on generated people: households, namesakes, records without a name, shared values.
import { beforeAll, describe, expect, test } from 'vitest';
import { generateCaseAtIndex } from '../../src/generate/checks/index.ts';
import { createRecordWithPersonId } from '../../src/generate/records.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { type Judged, judge } from '../bench/score/judge.ts';
import { worldOf } from '../generate/world.ts';
import { importRows, type Row, sharedFolder } from '../kit/graphs/graph.ts';

const WORLD = worldOf(350);
const CASES = Array.from({ length: 180 }, (_, index) => generateCaseAtIndex(WORLD, index) ?? []).flat();
type Request = (typeof CASES)[number]['request'];
const KINDS = ['emails', 'phones', 'addresses'] as const;

const folder = sharedFolder();
let graph: ReturnType<typeof openSqliteGraph>;
beforeAll(async () => {
  const rows = Array.from(
    { length: WORLD.records },
    (_, place) => createRecordWithPersonId(WORLD, place).record as Row,
  );
  await importRows(folder, [rows]);
  graph = openSqliteGraph({ dataDir: folder });
  return () => graph.close();
});

const run = (request: Request): Promise<Judged> => judge(request, graph);

/** Returns the identity of the score if it has the name; null otherwise. */
const personOf = ({ scored: { bestHypothesis: best } }: Judged) => (best.hasName ? best.identity : null);
const scoreOf = ({ scored }: Judged) => scored.score.value;

/** Yields the request without each of its values, with the index of the removed value. */
function* without(request: Request): Generator<{ left: Request; place: number }> {
  let place = 0;
  for (const kind of KINDS)
    for (const [i] of (request[kind] ?? []).entries())
      yield {
        left: { ...request, [kind]: request[kind]?.filter((_, at) => at !== i) },
        place: place++,
      };
}

describe('on generated people', () => {
  test('2: the order of the values never changes the score', async () => {
    for (const { request } of CASES) {
      const turned = Object.fromEntries(
        Object.entries(request).map(([field, value]) => [
          field,
          Array.isArray(value) ? value.toReversed() : value,
        ]),
      ) as Request;
      expect(scoreOf(await run(turned))).toBe(scoreOf(await run(request)));
    }
  });

  test('3: a value without a record never changes the score', async () => {
    for (const { request } of CASES.filter(({ request: { emails = [] } }) => emails.length < 5)) {
      const more = { ...request, emails: [...(request.emails ?? []), 'nobody.zq@unheard-of.example'] };
      expect(scoreOf(await run(more))).toBe(scoreOf(await run(request)));
    }
  });

  test('4: leaving out a value of the person never raises the score', async () => {
    let left = 0;
    for (const { request, case_id } of CASES) {
      const all = await run(request);
      const person = personOf(all);
      for (const { left: less, place } of without(request)) {
        const hits = all.evidence.contacts[place]?.agreements ?? [];
        if (person === null || !hits.some(({ identity }) => identity === person)) continue;
        const rest = await run(less);
        if (personOf(rest) !== person) continue;
        left++;
        expect([case_id, place, scoreOf(rest) <= scoreOf(all)]).toEqual([case_id, place, true]);
      }
    }
    expect(left).toBeGreaterThan(150);
  });

  test('6, 9: without a contact of an identity with the name the score is at most 64', async () => {
    for (const { request } of CASES) {
      expect(scoreOf(await run({ name: request.name }))).toBeLessThanOrEqual(64);
      const it = await run(request);
      expect(it.scored.score.nameHolderContacts > 0 || scoreOf(it) <= 64).toBe(true);
    }
  });
});
