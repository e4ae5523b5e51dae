import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { identitiesOf, operate } from '../../kit/graphs/graph.ts';

const line = (row: object) => `${JSON.stringify(row)}\n`;
const ADA = { record_id: '1', name: 'Ada Abernathy', emails: ['ada@post.example'] };

test('graph watch --once imports the lines of a folder, removes deleted records, and leaves a verified graph', async () => {
  const [dataDir, spool] = [freshFolder(), freshFolder()];
  const watch = async () => {
    const { code, stdout } = await runHere(['graph', 'watch', spool, '--once', '--data-dir', dataDir]);
    return { code, stdout };
  };
  writeFileSync(join(spool, 'crm.jsonl'), line(ADA) + line({ ...ADA, record_id: '2' }));
  writeFileSync(join(spool, 'shop.jsonl'), `${line({ record_id: '1', name: 'Bo Berg' })}no JSON\n`);
  const { code, stdout } = await watch();
  expect(code).toBe(0);
  expect(stdout).toContain(
    '2 added, 0 replaced, 0 removed, 0 rejected. The graph has 2 records of 1 identity',
  );
  expect(stdout).toContain('line 2: the line is not valid JSON');
  expect(stdout).toContain(
    '1 added, 0 replaced, 0 removed, 1 rejected. The graph has 3 records of 2 identities',
  );
  appendFileSync(join(spool, 'crm.jsonl'), line({ record_id: '1', deleted: true }));
  expect((await watch()).stdout).toContain('1 removed, 0 rejected. The graph has 2 records of 2 identities');
  expect(await operate(dataDir, (graph) => graph.stats())).toMatchObject({ settled: true, records: 2 });
  expect((await identitiesOf(dataDir)).size).toBe(2);
  const verify = () => runHere(['graph', 'verify', '--data-dir', dataDir]);
  expect((await verify()).stdout).toContain(
    'All 2 records are in the identities that linking all records gives.\n',
  );
  await operate(dataDir, (graph) => graph.records.remove([{ source: 'crm', recordId: '2' }]));
  // Checks still read an identity whose only record was removed, until the next linking. That is not an
  // error.
  const unlinked = await verify();
  expect([unlinked.code, unlinked.stdout]).toEqual([
    0,
    expect.stringMatching(/^1 changed records are not linked yet: .+ bonafide graph link/),
  ]);
  const db = new Database(join(dataDir, 'records.db'));
  db.exec('UPDATE record SET identity = NULL');
  db.close();
  const { code: wrong, stdout: says } = await verify();
  expect([wrong, says]).toEqual([1, expect.stringContaining('belongs to a published identity: not 1 of 1')]);
});

test('graph watch --once imports a last line without a line end', async () => {
  const [dataDir, spool] = [freshFolder(), freshFolder()];
  writeFileSync(join(spool, 'crm.jsonl'), line(ADA) + line({ ...ADA, record_id: '2' }).trimEnd());
  const { code, stdout } = await runHere(['graph', 'watch', spool, '--once', '--data-dir', dataDir]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('. The graph has 2 records of 1 identity')]);
});

test('dates in the future are left out and reported', async () => {
  const [dataDir, spool] = [freshFolder(), freshFolder()];
  writeFileSync(join(spool, 'crm.jsonl'), line({ ...ADA, birth_date: '2099-01-02', last_seen: '2098' }));
  const { code, stdout } = await runHere(['graph', 'watch', spool, '--once', '--data-dir', dataDir]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('birth_date is in the future (this value was left out)'),
  ]);
  expect(stdout).toContain('last_seen is in the future (this value was left out)');
});

test('a missing path is an error', async () => {
  const { code, stderr } = await runHere(['graph', 'watch', '/nowhere.jsonl', '--data-dir', freshFolder()]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no file or folder /nowhere.jsonl')]);
});

test('files that cannot be read are reported, and the other files are imported', async () => {
  const [dataDir, spool] = [freshFolder(), freshFolder()];
  mkdirSync(join(spool, 'folder.jsonl'));
  execFileSync('mkfifo', [join(spool, 'a-pipe.jsonl')]);
  writeFileSync(join(spool, 'crm.jsonl'), line(ADA));
  const it = await runHere(['graph', 'watch', spool, '--once', '--data-dir', dataDir]);
  expect([it.code, it.stdout]).toEqual([0, expect.stringContaining('1 added')]);
  expect(it.stderr).toContain(`Skipped: ${join(spool, 'a-pipe.jsonl')} is a pipe\n`);
  expect(it.stderr).toContain(`Skipped: ${join(spool, 'folder.jsonl')} is a folder\n`);
  const pipe = await runHere(['graph', 'watch', join(spool, 'a-pipe.jsonl'), '--data-dir', dataDir]);
  expect([pipe.code, pipe.stderr]).toEqual([
    1,
    expect.stringContaining('is neither a file nor a folder. Choose another path.'),
  ]);
});

test('a second path is refused', async () => {
  const { code, stderr } = await runHere(['graph', 'watch', freshFolder(), freshFolder(), '--once']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('graph watch takes at most 1 argument')]);
});
