// Threads change how long an import takes, and nothing else.
import { expect, test } from 'vitest';
import { recordLines } from '../../../src/generate/record.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { foundIn, importBatches } from '../../kit/graphs/found.ts';
import { type Row } from '../../kit/graphs/graph.ts';

const ROWS = [...recordLines(worldOf(150, { seed: 8 }))]
  .flatMap(({ records }) => records.trim().split('\n'))
  .map((line) => JSON.parse(line) as Row);

test('what two threads import shuffled is to the bit what one imports: partition, weights and counts', async () => {
  const [alone, helped] = [freshFolder(), freshFolder()];
  await importBatches(alone, [ROWS], 0);
  const shuffled = ROWS.map((_, i) => ROWS[(i * 101) % ROWS.length] ?? {}) as Row[];
  expect(new Set(shuffled).size).toBe(ROWS.length);
  await importBatches(helped, [shuffled], 2);
  expect(await foundIn(helped)).toEqual(await foundIn(alone));
});
