// Commands on a graph in PostgreSQL.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();

async function onPostgres() {
  const [folder, at] = [freshFolder(), freshFolder()];
  const config = join(at, 'bonafide.config.json');
  const database = await (await server()).database();
  writeFileSync(config, JSON.stringify({ graph: { engine: 'postgres', database } }));
  const run = (...args: string[]) => runHere([...args, '--config', config, '--data-dir', folder]);
  return async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    return { code, stdout, stderr, all: stdout + stderr };
  };
}

function rowsIn(name: string, rows: object[]): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, rows.map((row) => JSON.stringify({ source: 'crm', ...row })).join('\n'));
  return file;
}

describe.skipIf(isWithoutPostgres('commands on a graph in PostgreSQL'))('on a graph in PostgreSQL', () => {
  test('graph import --undo removes added records and restores replaced records', async () => {
    const graph = await onPostgres();
    const first = strangers(6);
    const second = strangers(9)
      .slice(4)
      .map((row) => ({ ...row, birth_date: '1970-01-01' }));
    expect(await graph('graph', 'import', rowsIn('first.jsonl', first))).toMatchObject({ code: 0 });
    const before = await graph('graph', 'export-ids');
    const gifts = async () => (await graph('graph', 'show', '1')).stdout;
    const shown = await gifts();
    expect(await graph('graph', 'import', rowsIn('second.jsonl', second))).toMatchObject({ code: 0 });
    const undone = await graph('graph', 'import', '--undo', '--yes');
    expect(undone.all).toContain('3 records removed, 2 restored');
    expect(undone.all).toContain('The graph now has 6 records of 6 identities');
    expect((await graph('graph', 'export-ids')).stdout).toBe(before.stdout);
    expect(await gifts()).toBe(shown);
    expect(await graph('graph', 'import', '--undo', '--yes')).toMatchObject({ code: 1 });
  });

  test('graph import --undo removes the whole first import', async () => {
    const graph = await onPostgres();
    await graph('graph', 'import', rowsIn('first.jsonl', strangers(4)));
    expect((await graph('graph', 'import', '--undo', '--yes')).all).toContain(
      '4 records removed, 0 restored',
    );
    expect(JSON.parse((await graph('graph', 'stats', '--json')).stdout)).toMatchObject({ records: 0 });
  });
});
