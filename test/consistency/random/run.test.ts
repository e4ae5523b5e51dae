// Some hundred random answers on a mixed graph contain no contradiction. `npm run bench:consistency` reads
// 100,000 answers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from './ask.ts';
import { openService } from './ask.ts';
import { countContradictions, tableOf } from './count.ts';
import { makeWorld } from './world.ts';

const world = makeWorld();
let service: Service;
beforeAll(async () => {
  service = await openService(world.records);
});
afterAll(() => service.close());

test('no answer contradicts itself, another answer to the same request, or the contract', async () => {
  const tally = await countContradictions({ service, world, requests: 300 });
  expect(tally.answers).toBeGreaterThan(400);
  expect(tally.wrong === 0 ? '' : tableOf(tally)).toBe('');
});
