import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_GRAPH_SETTINGS } from '../../../src/config.ts';
import { openRecordStoringGraph } from '../../../src/graph/engines.ts';
import { countRecordsBySource } from '../../../src/graph/inspect.ts';
import { GRAPH_REPORTS } from '../../../src/admin/graph/reports.ts';
import { removeSource } from '../../../src/import/sources.ts';
import { linkChangedRecords } from '../../../src/people/linking.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, operate } from '../../kit/graphs/graph.ts';

const ROWS = [
  { record_id: '1', source: 'mallory@example.com', name: 'Ada Berg', emails: ['ada@post.example'] },
  { record_id: '2', source: 'shop', name: 'Otto Lang', first_seen: '2024-05-06' },
  { record_id: '3', source: 'shop', name: 'Ida Lund', last_seen: '2025-07-08' },
];
const MASKED = 'xxxxxxx@xxxxxxx.xxx';
const REFUSED = 'error: Nothing was changed. Add --yes to confirm: there is no terminal to ask in.\n';

async function imported() {
  const folder = freshFolder();
  const graph = (...args: string[]) => runHere(['graph', ...args, '--data-dir', folder]);
  const file = join(freshFolder(), 'rows.jsonl');
  writeFileSync(file, ROWS.map((row) => JSON.stringify(row)).join('\n'));
  await graph('import', file);
  return { folder, graph };
}

test('a source with a name like an e-mail is masked in every list of sources', async () => {
  const { folder, graph } = await imported();
  const { stdout } = await graph('sources');
  const [shop, other] = stdout.trimEnd().split('\n');
  expect(shop).toMatch(/^shop +2 records +2024-05-06 to 2025-07-08 +imported 20\d\d-\d\d-\d\d \d\d:\d\d$/);
  expect(other).toMatch(new RegExp(`^${MASKED} +1 record +no dates +imported 20`));
  expect((await graph('sources', '--json')).stdout).not.toContain('mallory');
  const html = join(freshFolder(), 'report.html');
  await graph('stats', '--html', html);
  expect(readFileSync(html, 'utf8')).toContain(MASKED);
  expect(readFileSync(html, 'utf8')).not.toContain('mallory');
  const { sources } = await operate(folder, GRAPH_REPORTS.survey);
  expect(sources.map(({ source }) => source)).toEqual(['shop', MASKED]);
});

test('without a terminal nothing is removed or undone without --yes', async () => {
  const { graph } = await imported();
  const before = (await graph('stats')).stdout;
  for (const args of [
    ['sources', 'remove', 'shop'],
    ['import', '--undo'],
  ])
    for (const more of [[], ['--json']])
      expect(await graph(...args, ...more)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(more.length > 0 ? 'Add --yes' : REFUSED),
      });
  expect((await graph('stats')).stdout).toBe(before);
});

test('--replace warns if the source had no records', async () => {
  const { graph } = await imported();
  const file = join(freshFolder(), 'shop.jsonl');
  writeFileSync(file, '{"record_id":"2","name":"Otto Lang"}\n');
  const slip = await graph('import', file, '--source', 'shpo', '--replace');
  expect(slip.stdout).toContain(
    'Nothing was replaced: the graph had no records of the source shpo. List its sources: bonafide graph sources',
  );
  expect((await graph('import', '--undo', '--yes')).stdout).toContain('is undone: 1 record removed');
  const right = await graph('import', file, '--source', 'shop', '--replace');
  expect(right.stdout).not.toContain('Nothing was replaced');
  expect(right.stdout).toContain('1 replaced, changed or not, 1 removed');
});

test('a source can be removed by its name, or by its masked name', async () => {
  const { folder, graph } = await imported();
  const masked = operate(folder, (it) => removeSource(it, MASKED, () => linkChangedRecords(it)));
  expect(await masked).toMatchObject({ removed: 1 });
  writeFileSync(join(folder, 'again.jsonl'), JSON.stringify(ROWS[0]));
  await graph('import', join(folder, 'again.jsonl'));
  const { code, stdout } = await graph('sources', 'remove', 'mallory@example.com', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain(`Removed 1 record of the source ${MASKED}.\n`);
  expect((await graph('sources')).stdout).not.toContain(MASKED);
});

test('graph sources shows the last import of each source, also after an undo', async () => {
  const { folder, graph } = await imported();
  const told = () => operate(folder, countRecordsBySource);
  const [shop, other] = await told();
  expect(Math.abs((shop?.imported ?? 0) - Date.now())).toBeLessThan(3_600_000);
  expect(other?.imported).toBe(shop?.imported);
  const file = join(freshFolder(), 'shop.jsonl');
  writeFileSync(file, '{"record_id":"2","name":"Otto Lang"}\n');
  await graph('import', file, '--source', 'shop');
  const [again, same] = await told();
  expect(again?.imported).toBeGreaterThan(shop?.imported ?? 0);
  expect(same?.imported).toBe(other?.imported);
  await graph('import', '--undo', '--yes');
  expect((await told()).map(({ imported }) => imported)).toEqual([shop?.imported, other?.imported]);
  await operate(folder, async ({ records }) => {
    await records.put([...(await records.findByRecordId('2'))].map((row) => ({ ...row, source: 'late' })));
  });
  expect((await told()).find(({ source }) => source === 'late')?.imported).toBeNull();
});

test('graph rekey keeps the times of the imports', async () => {
  const folder = freshFolder();
  const graph = openRecordStoringGraph({
    dataDir: folder,
    graph: { ...DEFAULT_GRAPH_SETTINGS, keep: 'sealed' },
  });
  await importInto(graph, [[{ record_id: '2', name: 'Otto Lang', emails: ['otto@post.example'] }]]);
  const [before] = await countRecordsBySource(graph);
  await graph.close();
  await runHere(['graph', 'rekey', '--yes', '--data-dir', folder]);
  const [after] = await operate(folder, countRecordsBySource);
  expect(after).toEqual(before);
  expect(after?.imported).not.toBeNull();
});

test('the summary says of a table without ids what importing it again does', async () => {
  const folder = freshFolder();
  const run = (text: string) => {
    writeFileSync(join(folder, 'people.csv'), text);
    return runHere(['graph', 'import', join(folder, 'people.csv'), '--dry-run', '--data-dir', folder]);
  };
  const said = /no column holds record ids\. .*each changed row is added as a new record; --replace /;
  expect((await run('Name,Email\nAda Abernathy,ada@post.example\n')).stdout).toMatch(said);
  expect((await run('Id,Name\n1,Ada Abernathy\n')).stdout).not.toMatch(said);
});

const MANY = Array.from({ length: 24 }, (_, i) => ({ record_id: `${i}`, name: `Ada Berg${i}` }));

test('--replace needs a confirmation to remove most records, and a dry run counts them', async () => {
  const folder = freshFolder();
  const file = join(freshFolder(), 'rows.jsonl');
  const load = (count: number, ...args: string[]) => {
    writeFileSync(
      file,
      MANY.slice(0, count)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    return runHere(['graph', 'import', file, '--source', 'shop', '--data-dir', folder, ...args]);
  };
  const records = async () => (await runHere(['graph', 'sources', '--data-dir', folder])).stdout;
  expect((await load(24, '--replace', '--dry-run')).stdout).not.toContain('would remove');
  await load(24);
  expect((await load(11, '--replace', '--dry-run')).stdout).toContain(
    '--replace would remove 13 of 24 records of source shop\n',
  );
  expect(JSON.parse((await load(11, '--replace', '--dry-run', '--json')).stdout)).toMatchObject({
    would_remove: 13,
    of_source: 24,
  });
  const refused = await load(11, '--replace');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('would remove 13 of 24 records of source shop');
  expect(await records()).toContain('24 records');
  expect((await load(12, '--replace')).stdout).toContain('12 replaced, changed or not, 12 removed');
  // A few records may go without a question, whatever their share is.
  expect((await load(2, '--replace')).stdout).toContain('10 removed');
  await load(24);
  expect((await load(11, '--replace', '--yes')).stdout).toContain('13 removed');
});
