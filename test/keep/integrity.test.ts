import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDamage } from '../../src/keep/integrity.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { filledFolder } from './kit.ts';

test('a folder that is whole has no damage, also while it is in use', async () => {
  const folder = await filledFolder(50);
  const graph = openGraph({ dataDir: folder });
  let slices = 0;
  expect(await findDamage(folder, { slowly: true, onSlice: (done) => (slices = done) })).toEqual([]);
  expect(slices).toBeGreaterThan(8);
  await graph.close();
});

test('damage is told with its file and table, wherever it is', async () => {
  const folder = await filledFolder(300);
  const file = join(folder, 'graph.db');
  const bytes = readFileSync(file);
  const found = new Set<string>();
  for (let page = 1; page < bytes.length / 4096; page += 9) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, page * 4096, page * 4096 + 100);
    writeFileSync(file, damaged);
    const damages = await findDamage(folder, { slowly: false });
    expect(damages.map(({ name }) => name)).toContain('graph.db');
    for (const { table } of damages) found.add(String(table));
  }
  expect([...found]).toContain('record');
});
