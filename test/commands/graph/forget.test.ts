import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bonafide, runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, strangers } from '../../kit/graphs/graph.ts';

const JANE: Row[] = [
  {
    record_id: 'jane@secret.example',
    name: 'Jane Quackenbush',
    emails: ['jane@quackenbush.example'],
    phones: ['+1 503 234 0101'],
    last_seen: '2015-01-01',
  },
  { record_id: 'j2', source: 'shop', name: 'Jane Quackenbush', emails: ['jane@quackenbush.example'] },
];
const SISTER: Row = {
  record_id: 's',
  name: 'Ottilie Quackenbush',
  phones: ['+1 503 234 0101'],
  last_seen: '2024-01-01',
};

async function folderOf(rows: Row[]): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [rows]);
  return folder;
}

const inFolder = (folder: string) => (args: string[]) => runHere(['graph', ...args, '--data-dir', folder]);

test('graph find lists the identities with a value, and the records that contain it', async () => {
  const graph = inFolder(await folderOf([...strangers(30), ...JANE, SISTER]));
  const { stdout } = await graph(['find', '--phone', '(503) 234-0101']);
  expect(stdout).toBe(
    [
      'identity 31  Jane Quackenbush  has this phone',
      '  record crm:jane@secret.example contains the value',
      '  record shop:j2',
      'identity 32  Ottilie Quackenbush  has this phone',
      '  record crm:s contains the value',
      '',
    ].join('\n'),
  );
  const json = JSON.parse((await graph(['find', '--name', 'jane quackenbush', '--json'])).stdout);
  expect(json).toMatchObject({ people: [{ identity: 31, has: [{ kind: 'name', how: 'name' }] }], more: 0 });
  expect((await graph(['find', '--email', 'jane.quackenbush@example.com'])).stdout).toBe(
    'No identity has any of these values.\n',
  );
  expect(await graph(['find'])).toMatchObject({ code: 2 });
  const wrong = await graph(['find', '--email', 'quack']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    'error: The email cannot be read. Write the whole value, as records contain it.\n',
  ]);
});

test('graph find answers each of several values by its position, and never repeats a value', async () => {
  const graph = inFolder(await folderOf([...strangers(5), ...JANE]));
  const { stdout } = await graph([
    'find',
    '--phone=(503) 234-0101',
    '--phone=(503) 234-9999',
    '--email=nobody@example.org',
    '--name=Xaver Unbekannt',
  ]);
  expect(stdout).toBe(
    [
      'identity 6  Jane Quackenbush  has this phone 1',
      '  record crm:jane@secret.example contains the value',
      '  record shop:j2',
      'No identity has this name, email, phone 2.',
      'The phone number has no country code. It was read as a number of US, then of every other country with such numbers.',
      '',
    ].join('\n'),
  );
});

test('a phone number without a country code is tried in every country by find, and refused by forget', async () => {
  const abroad: Row = { record_id: 'd', name: 'Dora Lang', phones: ['+49 30 2345678'] };
  const graph = inFolder(await folderOf([...strangers(5), abroad]));
  const { stdout } = await graph(['find', '--phone', '030 2345678']);
  expect(stdout).toBe(
    'identity 6  Dora Lang  has this phone (read as a number of DE)\n  record crm:d contains the value\n',
  );
  expect((await graph(['find', '--phone', '030 2345679'])).stdout).toBe(
    'No identity has any of these values.\nThe phone number has no country code. It was read as a number of US, then of every other country with such numbers.\n',
  );
  const unsure = await graph(['forget', '--phone', '030 2345678', '--yes']);
  expect([unsure.code, unsure.stderr]).toEqual([
    2,
    'error: As a number of US, the phone belongs to nobody on record. As a number of another country, it belongs to identity 6 (DE). Write it with + and its country code.\n',
  ]);
  const told = await graph(['forget', '--phone', '030 2345678', '--region', 'DE', '--dry-run']);
  expect(told.stdout).toContain('identity 6  Dora Lang');
});

test('graph export contains all data about a person, and no data about others', async () => {
  const graph = inFolder(await folderOf([...strangers(30), ...JANE, SISTER]));
  const held = JSON.parse((await graph(['export', '31'])).stdout);
  expect(held).toMatchObject({
    identity: 31,
    names: ['Jane Quackenbush'],
    records: [
      {
        source: 'crm',
        record_id: 'jane@secret.example',
        fingerprints: { emails: 1, phones: 1, addresses: 0 },
      },
      { source: 'shop', record_id: 'j2', fingerprints: { emails: 1, phones: 0 } },
    ],
  });
  expect(JSON.stringify(held)).not.toContain('Ottilie');
  expect(await graph(['export', '99'])).toMatchObject({ code: 1, stdout: '' });
});

test('graph forget shows what it would remove, changes nothing without confirmation, and then removes everything', async () => {
  const folder = await folderOf([...strangers(30), ...JANE, SISTER]);
  writeFileSync(
    join(folder, 'rejects.jsonl'),
    `${JSON.stringify({ record_id: 'jane@secret.example' })}\n${JSON.stringify({ record_id: 'other' })}\n`,
  );
  const graph = inFolder(folder);
  const dry = await graph(['forget', '--email', 'jane@quackenbush.example', '--dry-run']);
  expect(dry.stdout).toContain(
    'identity 31  Jane Quackenbush\n  record crm:jane@secret.example\n  record shop:j2\n2 records to remove',
  );
  const unasked = await bonafide(['graph', 'forget', '--identity', '31', '--data-dir', folder]);
  expect(unasked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nothing was changed. Add --yes'),
  });
  expect(await operate(folder, (it) => it.records.count())).toBe(33);

  const receipt = join(freshFolder(), 'receipt.json');
  const done = await graph(['forget', '--identity', '31', '--yes', '--receipt', receipt]);
  expect(done.stdout).toContain(
    'Removed 2 records and 1 identity.\nEvery file of the data folder was searched: none contains the removed data.',
  );
  const told = readFileSync(receipt, 'utf8');
  expect(JSON.parse(told)).toMatchObject({
    records: 2,
    sources: { crm: 1, shop: 1 },
    identities: [31],
    traces: [],
    logs_empty: true,
  });
  expect(told).not.toMatch(/quack|jane/i);
  expect(statSync(receipt).mode & 0o77).toBe(0);
  expect(readdirSync(join(folder, 'receipts'))).toHaveLength(1);
  expect(readFileSync(join(folder, 'rejects.jsonl'), 'utf8')).toBe('{"record_id":"other"}\n');
  expect(await graph(['show', '31'])).toMatchObject({ code: 1 });
  const acts = await runHere(['audit', 'show', '--json', '--data-dir', folder]);
  expect(acts.stdout).toContain('"graph.forget"');
  expect(acts.stdout).not.toMatch(/quack|jane/i);
});

test('a value that several identities share selects nobody', async () => {
  const graph = inFolder(await folderOf([...strangers(30), ...JANE, SISTER]));
  const { code, stderr } = await graph(['forget', '--phone', '+1 503 234 0101', '--yes']);
  expect([code, stderr]).toEqual([
    2,
    'error: That phone is on record for several identities (31, 32). Look at each with `bonafide graph show`, and name the right identity.\n',
  ]);
});

test('graph forget --record removes only that record of a person', async () => {
  const folder = await folderOf([...strangers(30), ...JANE]);
  const graph = inFolder(folder);
  const { stdout } = await graph(['forget', '--record', 'shop:j2', '--dry-run']);
  expect(stdout).toContain('(keeps 1 other record)');
  await graph(['forget', '--record', 'shop:j2', '--yes']);
  expect((await graph(['show', '31'])).stdout).toContain('record crm:jane@secret.example\n');
});

test('a dry run of an import counts records of forgotten people, and changes nothing', async () => {
  const folder = await folderOf([...strangers(30), ...JANE]);
  const graph = inFolder(folder);
  await graph(['forget', '--identity', '31', '--yes']);
  const file = join(freshFolder(), 'again.jsonl');
  const [crm] = JANE;
  const rows = [
    { ...crm, source: 'crm' },
    { ...SISTER, source: 'crm' },
    { ...crm, source: 'crm', record_id: 'new', emails: ['jane+news@quackenbush.example'] },
  ];
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  const before = readdirSync(folder);
  const dry = await graph(['import', file, '--dry-run']);
  expect(dry.stdout).toContain(
    '2 records of forgotten people would be left out\n1 record with an e-mail or a phone of a forgotten person, under another name: would be imported',
  );
  expect(readdirSync(folder)).toEqual(before);
  expect((await graph(['import', file])).stdout).toContain('2 left out because they were forgotten');
  const free = await graph(['import', file, '--dry-run', '--allow-reimport']);
  expect(free.stdout).not.toContain('forgotten');
});

test('--older-than removes old records, and counts records without a date, which stay', async () => {
  const folder = await folderOf([...strangers(30), ...JANE, SISTER]);
  const { stderr, stdout } = await inFolder(folder)(['forget', '--older-than', '9y', '--yes']);
  expect(stderr).toContain(
    'identity 31  Jane Quackenbush  (keeps 1 other record)\n  record crm:jane@secret.example\n1 record to remove\n31 records without a date: not removed',
  );
  expect(stdout).toContain('Removed 1 record and 0 identities.');
  expect(await inFolder(folder)(['forget', '--older-than', 'nine', '--yes'])).toMatchObject({ code: 2 });
});

test('if no record was seen for a year, removing more than half of the graph by age needs --clock-is-right', async () => {
  const folder = await folderOf([...strangers(3), ...JANE]);
  const forget = (...args: string[]) => inFolder(folder)(['forget', '--older-than', '9y', ...args]);
  expect((await forget('--dry-run')).stdout).toContain('1 record to remove');
  expect(await forget('--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'no record was seen after 2015-01-01. With this date, 1 of the 1 records',
    ),
  });
  expect((await forget('--yes', '--clock-is-right')).stdout).toContain('Removed 1 record');
});

test.each<[code: number, says: RegExp, ...selection: string[]]>([
  [0, /"dry_run":false/, '--older-than', '5y'],
  [0, /"dry_run":false/, '--repeat'],
  [1, /are still stored/, '--identity', '99'],
])(
  'graph forget that removes nothing (%i %s %s) keeps the undo of the last import, also with --yes',
  async (code, says, ...selection) => {
    const folder = freshFolder();
    const graph = inFolder(join(folder, 'data'));
    const file = join(folder, 'people.jsonl');
    writeFileSync(file, JSON.stringify({ ...JANE[0], source: 's', last_seen: undefined }));
    await graph(['import', file]);
    const { stdout, stderr, ...ran } = await graph(['forget', ...selection, '--yes', '--json']);
    expect([ran.code, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(says)]);
    expect(await graph(['import', '--undo', '--yes'])).toMatchObject({ code: 0 });
  },
);

test('a person who is only in the undo journal of the last import is not reported as unknown, and --yes removes the journal', async () => {
  const folder = freshFolder();
  const graph = inFolder(join(folder, 'data'));
  const gerda = { record_id: '1', source: 's', name: 'Gerda Replaced', emails: ['gerda@repl.example'] };
  const otto = { record_id: '2', source: 's', name: 'Otto Stay', emails: ['otto@stay.example'] };
  const file = (name: string, rows: object[]) => {
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return join(folder, name);
  };
  await graph(['import', file('both.jsonl', [gerda, otto])]);
  await graph(['import', file('one.jsonl', [otto]), '--replace', '--source', 's']);
  const asked = await graph(['forget', '--email', 'gerda@repl.example']);
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringContaining('are still stored for `graph import --undo`'),
  ]);
  const sure = await graph(['forget', '--email', 'gerda@repl.example', '--yes']);
  expect(sure.stderr).not.toContain('still stored');
  expect(sure.stderr).toContain('The last import can no longer be undone');
  expect((await graph(['import', '--undo', '--yes'])).code).toBe(1);
  const found = await graph(['find', '--email', 'gerda@repl.example']);
  expect(found.stdout).not.toContain('Gerda');
});
