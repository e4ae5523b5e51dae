import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bonafide, runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { importRows, strangers } from '../kit/graphs/graph.ts';

const TWO = [
  { record_id: 'a', name: 'Margaret Ostrander', phones: ['+1 208 234 0145'] },
  { record_id: 'b', source: 'shop', name: 'Peggy Ostrander', phones: ['+1 208 234 0145'] },
];

test('graph export-ids prints one line a record: its id, its source and its identity', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...TWO, ...strangers(100)]]);
  const { code, stdout } = await runHere(['graph', 'export-ids', '--data-dir', folder]);
  const lines = stdout.trim().split('\n');
  expect([code, lines.length]).toEqual([0, 102]);
  expect(lines[0]).toBe('{"record_id":"a","source":"crm","identity":1}');
  for (const line of lines) expect(line).toMatch(/^\{"record_id":"[^"]+","source":"[^"]+","identity":\d+\}$/);
});

test('graph why prints weighed evidence, its sum and what came of it', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...TWO, ...strangers(200)]]);
  const { code, stdout } = await runHere(['graph', 'why', 'a', 'shop:b', '--data-dir', folder]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +\+\d+\.\d +the names are one \(nickname\), borne by 1 of about 181 records$/m);
  expect(stdout).toMatch(/^ +\+\d+\.\d +same phone \(phone\)$/m);
  expect(stdout).toMatch(/^\d+\.\d bits in all, 3 needed: enough to join\nThey are in one identity\.$/m);
  const other = await runHere(['graph', 'why', 'a', 'stranger-7', '--data-dir', folder]);
  expect(other.stdout).toContain('They are in different identities.');
  const json = await runHere(['graph', 'why', 'a', 'b', '--data-dir', folder, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ together: true, conflict: false, needed: 3 });
});

test('graph show prints names and records, and follows a merged number', async () => {
  const folder = freshFolder();
  const labelled = (label: string) => ({
    record_id: 'b',
    identity: label,
    name: 'Peggy Ostrander',
    last_seen: '2024-03-01',
  });
  await importRows(folder, [[{ record_id: 'a', identity: 'x', name: 'Margaret Ostrander' }, labelled('y')]]);
  await importRows(folder, [[labelled('x')]]);
  const { stdout } = await runHere(['graph', 'show', '2', '--data-dir', folder]);
  expect(stdout).toBe(
    'identity 1 (2 was merged into it)\nnames: Peggy Ostrander, Margaret Ostrander\nseen: 2024-03-01 to 2024-03-01\nrecord a (crm)\nrecord b (crm)\n',
  );
});

test('graph import tells what each column of a CSV file was taken for', async () => {
  const folder = freshFolder();
  const file = join(folder, 'customers.csv');
  writeFileSync(file, 'Customer No,Full Name,Mobile,Shoe size\n1,Ada Abernathy,+1 503 234 0101,38\n');
  const dry = await runHere(['graph', 'import', file, '--dry-run', '--data-dir', folder]);
  expect(dry.stdout).toContain(
    `${file}: record_id=Customer No, name=Full Name, phone=Mobile; not used: Shoe size\n`,
  );
});

test('graph import shows its plan with masked examples, and keeps it for --map', async () => {
  const folder = freshFolder();
  const [file, map] = [join(folder, 'customers.csv'), join(folder, 'customers.map')];
  writeFileSync(file, 'Vorname;Nachname;Mobil;Notiz\nAda;Abernathy;0151 55501430;marked\n');
  const run = (...more: string[]) =>
    runHere(['graph', 'import', file, '--dry-run', '--data-dir', folder, ...more]);
  const { stdout, stderr } = await run('--save-map', map);
  expect(stderr).toMatch(/^ {2}Mobil +phone +9999 99999999$/m);
  expect(stdout + stderr).not.toMatch(/Ada|Abernathy|5550|marked/);
  expect(readFileSync(map, 'utf8')).toBe('given=Vorname\nfamily=Nachname\nphone=Mobil\nnone=Notiz\n');
  writeFileSync(map, 'given=Vorname\nfamily=Nachname\nnone=Mobil\n');
  expect((await run('--map', map)).stdout).toContain('not used: Mobil, Notiz');
});

test('graph import refuses a file as a whole where too much of it cannot be used, and one without anything', async () => {
  const folder = freshFolder();
  const [file, data] = [join(folder, 'customers.csv'), join(folder, 'data')];
  const run = (...more: string[]) => runHere(['graph', 'import', file, '--data-dir', data, ...more]);
  writeFileSync(file, 'id,name\n1,Ada Abernathy\n2,7\n3,Firm Ltd\n4,Test Test\n');
  expect(await run('--max-rejects', '5%')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: 1 of 2 records cannot be used, more than 5%: nothing was imported\./m,
    ),
  });
  expect((await runHere(['graph', 'stats', '--data-dir', data])).code).not.toBe(0);
  const { code, stdout } = await run('--max-rejects', '50%');
  expect(code).toBe(0);
  expect(stdout).toContain(
    'left out as no people: companies 1, guests and tests 1 (--keep-companies keeps them)',
  );
  expect(stdout).toMatch(/^1 added, 0 replaced$/m);
  writeFileSync(file, 'id,name\n3,Firm Ltd\n');
  expect(await run()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing could be used: every row/),
  });
});

test('graph import tells what it read, and a dry run leaves nothing behind', async () => {
  const folder = freshFolder();
  const file = join(folder, 'people.jsonl');
  writeFileSync(file, [...TWO, { record_id: 'bad' }].map((row) => JSON.stringify(row)).join('\n'));
  const data = join(folder, 'data');
  const dry = await runHere(['graph', 'import', file, '--dry-run', '--data-dir', data]);
  expect(dry.stdout).toMatch(/^3 records read, 1 rejected, 0 single values dropped\n/);
  expect(dry.stdout).toContain('dry run: nothing was written');
  expect((await runHere(['graph', 'stats', '--data-dir', data])).code).not.toBe(0);
  const real = await runHere(['graph', 'import', file, '--data-dir', data, '--json']);
  expect(JSON.parse(real.stdout)).toMatchObject({
    read: 2,
    added: 2,
    replaced: 0,
    rejected: 1,
    records: 2,
    rejects_file: join(data, 'rejects.jsonl'),
  });
});

test('graph import writes what it cannot use neither over the graph nor over what it reads', async () => {
  const folder = freshFolder();
  const file = join(folder, 'people.jsonl');
  const text = [...TWO, { record_id: 'bad' }].map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(file, text);
  const line = ['graph', 'import', file, '--data-dir', folder];
  expect((await runHere(line)).code).toBe(0);
  for (const rejects of [join(folder, 'graph.db'), join(folder, 'graph.db-wal'), file])
    expect(await runHere([...line, '--rejects', rejects])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* choose another.*\n$/),
    });
  expect(readFileSync(file, 'utf8')).toBe(text);
  const { stdout } = await runHere(['graph', 'stats', '--json', '--data-dir', folder]);
  expect(JSON.parse(stdout)).toMatchObject({ records: 2 });
});

test('a graph that was linked with other name tables says so, until it is linked anew', async () => {
  const folder = freshFolder();
  const tables = join(folder, 'names.txt');
  writeFileSync(tables, '[nicknames]\nmargaret : zogs\n');
  await importRows(folder, [[{ record_id: 'a', name: 'Zogs Ostrander', phones: ['+1 208 234 0145'] }]]);
  const asked = (...args: string[]) =>
    bonafide([...args, '--data-dir', folder], { BONAFIDE_NAME_TABLES: tables });
  const warning = /name tables are others .* Run: bonafide graph link/;
  expect((await asked('graph', 'stats')).stdout).toMatch(warning);
  const linked = await asked('graph', 'link');
  expect([linked.code, linked.stdout]).toEqual([0, 'the graph holds 1 records on 1 identities\n']);
  expect((await asked('graph', 'stats')).stdout).not.toMatch(warning);
  const check = await asked('check', '--name', 'Margaret Ostrander', '--phone', '208 234 0145', '--json');
  expect(JSON.parse(check.stdout)).toMatchObject({ possible_catfish: false });
});
