import Database from 'better-sqlite3';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { identitiesOf, operate } from '../../kit/graphs/graph.ts';

const line = (row: object) => `${JSON.stringify(row)}\n`;
const ADA = { record_id: '1', name: 'Ada Abernathy', emails: ['ada@post.example'] };

test('what is in a folder is imported, what is deleted there is taken out, and the graph is settled and verified in the end', async () => {
  const [dataDir, spool] = [freshFolder(), freshFolder()];
  const watch = async () => {
    const { code, stdout } = await runHere(['graph', 'watch', spool, '--once', '--data-dir', dataDir]);
    return { code, stdout };
  };
  writeFileSync(join(spool, 'crm.jsonl'), line(ADA) + line({ ...ADA, record_id: '2' }));
  writeFileSync(join(spool, 'shop.jsonl'), `${line({ record_id: '1', name: 'Bo Berg' })}no JSON\n`);
  const { code, stdout } = await watch();
  expect(code).toBe(0);
  expect(stdout).toContain('2 added, 0 replaced, 0 taken out, 0 rejected: 2 records on 1 identities');
  expect(stdout).toContain('line 2: the line is not valid JSON');
  expect(stdout).toContain('1 added, 0 replaced, 0 taken out, 1 rejected: 3 records on 2 identities');
  appendFileSync(join(spool, 'crm.jsonl'), line({ record_id: '1', deleted: true }));
  expect((await watch()).stdout).toContain('1 taken out, 0 rejected: 2 records on 2 identities');
  expect(await operate(dataDir, (graph) => graph.stats())).toMatchObject({ settled: true, records: 2 });
  expect((await identitiesOf(dataDir)).size).toBe(2);
  const verify = () => runHere(['graph', 'verify', '--data-dir', dataDir]);
  expect((await verify()).stdout).toContain('all 2 records are where linking all of them anew puts them\n');
  await operate(dataDir, (graph) => graph.records.remove([{ source: 'crm', recordId: '2' }]));
  const unlinked = await verify();
  // Checks still read the identity whose only record is gone.
  expect([unlinked.code, unlinked.stdout]).toEqual([
    1,
    expect.stringContaining(
      'as many identities are published as records belong to: not 1 of 2. Run: bonafide graph link',
    ),
  ]);
  const db = new Database(join(dataDir, 'records.db'));
  db.exec('UPDATE record SET identity = NULL');
  db.close();
  const { code: wrong, stdout: says } = await verify();
  expect([wrong, says]).toEqual([1, expect.stringContaining('1 of 1 records are not where')]);
});

test('what is not there is told', async () => {
  const { code, stderr } = await runHere(['graph', 'watch', '/nowhere.jsonl', '--data-dir', freshFolder()]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no file or folder /nowhere.jsonl')]);
});
