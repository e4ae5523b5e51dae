// A folder without its graph.db, while records.db is still there.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

const person = (id: string, name: string) =>
  `${JSON.stringify({ record_id: id, source: 'crm', name, emails: [`${id}@example.com`] })}\n`;

async function folderWithout(...files: string[]) {
  const folder = freshFolder();
  const run = (...args: string[]) => runHere([...args, '--data-dir', folder]);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const first = file('a.jsonl', person('1', 'Ann Lee') + person('2', 'Bob Ray') + person('3', 'Cy Dee'));
  await run('graph', 'import', first);
  const sourcesOf = async () => JSON.parse((await run('graph', 'sources', '--json')).stdout);
  const numbers = async () => (await run('graph', 'export-ids')).stdout;
  const before = await numbers();
  for (const name of files)
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true });
  return { run, file, sourcesOf, numbers, before };
}

test('every command says that graph link restores a lost graph, and graph link restores it with the same identity numbers', async () => {
  const { run, numbers, before } = await folderWithout('graph.db');
  for (const args of [
    ['graph', 'stats'],
    ['graph', 'find', '--name', 'Ann Lee'],
    ['check', '--name', 'Ann Lee'],
  ]) {
    const told = await run(...args);
    expect([args, told.code, told.stderr]).toEqual([args, 1, expect.stringContaining('graph link')]);
  }
  expect((await run('graph', 'link')).stdout).toContain('3 records of 3 identities');
  expect(await numbers()).toBe(before);
  expect((await run('graph', 'verify')).code).toBe(0);
});

test.each([[['graph.db']], [['graph.db', 'held.json']], [['graph.db', 'held.json', 'link.db']]])(
  'without %j the next import keeps every record that was there',
  async (lost) => {
    const { run, file, sourcesOf } = await folderWithout(...lost);
    const told = await run('graph', 'import', file('b.jsonl', person('4', 'Di Eff').replace('crm', 'shop')));
    expect([told.code, told.stderr]).toEqual([0, expect.anything()]);
    expect(await sourcesOf()).toMatchObject([
      { source: 'crm', records: 3 },
      { source: 'shop', records: 1 },
    ]);
    expect((await run('graph', 'verify')).code).toBe(0);
  },
);
