import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bonafide, runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, strangers } from '../../kit/graphs/graph.ts';

const TWO = [
  { record_id: 'a', name: 'Margaret Ostrander', phones: ['+1 208 234 0145'] },
  { record_id: 'b', source: 'shop', name: 'Peggy Ostrander', phones: ['+1 208 234 0145'] },
];

test('graph export-ids prints a line for each record: id, source and identity', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...TWO, ...strangers(100)]]);
  const { code, stdout } = await runHere(['graph', 'export-ids', '--data-dir', folder]);
  const lines = stdout.trim().split('\n');
  expect([code, lines.length]).toEqual([0, 102]);
  expect(lines[0]).toBe('{"record_id":"a","source":"crm","identity":1}');
  for (const line of lines) expect(line).toMatch(/^\{"record_id":"[^"]+","source":"[^"]+","identity":\d+\}$/);
});

test('graph why prints weighted evidence, its sum and the verdict', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...TWO, ...strangers(200)]]);
  const { code, stdout } = await runHere(['graph', 'why', 'a', 'shop:b', '--data-dir', folder]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +\+\d+\.\d +the names are one \(nickname\); records with this name: about 1$/m);
  expect(stdout.match(/of about \d+[^\n]*/g)).toEqual([
    'of about 4096, the smallest population that is assumed',
  ]);
  expect(stdout).toMatch(/^ +\+\d+\.\d +same phone$/m);
  expect(stdout).toMatch(
    /^\d+\.\d bits in total, 3 needed: enough to link them\nBoth records are in one identity\.$/m,
  );
  const other = await runHere(['graph', 'why', 'a', 'stranger-7', '--data-dir', folder]);
  expect(other.stdout).toContain('The records are in different identities.');
  const json = await runHere(['graph', 'why', 'a', 'b', '--data-dir', folder, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ together: true, conflict: false, needed: 3 });
});

test('graph show prints names and records, also for the number of a merged identity', async () => {
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
    'identity 1 (identity 2 was merged into it)\nnames: Peggy Ostrander / Margaret Ostrander\nseen: 2024-03-01 to 2024-03-01\nrecord crm:a\nrecord crm:b\n',
  );
});

test('graph import shows the recognised field of each column of a CSV file', async () => {
  const folder = freshFolder();
  const file = join(folder, 'customers.csv');
  writeFileSync(file, 'Customer No,Full Name,Mobile,Shoe size\n1,Ada Abernathy,+1 503 234 0101,38\n');
  const dry = await runHere(['graph', 'import', file, '--dry-run', '--data-dir', folder]);
  expect(dry.stderr).toMatch(/^ {2}Customer No +record_id +9$/m);
  expect(dry.stderr).toMatch(/^ {2}Full Name +name +Xxx Xxxxxxxxx$/m);
  expect(dry.stderr).toMatch(/1 column is not used \(-\)\n(?:.*\n)* {2}Shoe size +- +99$/m);
  expect(dry.stdout).not.toContain('Customer No');
});

test('graph import summarises identities, shared contacts, differences between records, and ambiguous dates', async () => {
  const folder = freshFolder();
  const file = join(folder, 'people.csv');
  const names = ['Ada Abernathy', 'Bo Dijk', 'Cem Yildiz', 'Dora Voss', 'Emil Novak', 'Fay Okoro'];
  const row = (i: number) =>
    `${i};${names[i % 6] ?? ''};ada${i % 6}@post.example;0341 555014${i % 3};06/05/1971`;
  const lines = ['id;Name;E-Mail;Telefon;geboren', ...Array.from({ length: 12 }, (_, i) => row(i))];
  writeFileSync(file, [...lines, '99;Gil Hale;gil-at-hale;;'].join('\n'));
  const run = (...more: string[]) =>
    runHere(['graph', 'import', file, '--data-dir', join(folder, 'data'), '--region', 'DE', ...more]);
  const [dry, real] = [await run('--dry-run'), await run()];
  for (const { stdout } of [dry, real]) {
    expect(stdout).toContain('1 invalid e-mail (line 14)');
    expect(stdout).toMatch(
      /^ {2}12 dates of birth with unclear order of day and month, .* --dates dmy .*\(lines 2, 3, /m,
    );
    expect(stdout).toMatch(/13 records of 7 identities: 1 with one record, 6 with two/);
    expect(stdout).toMatch(/^shared by several identities: .*\d phones? \(one of them by \d identities\)/m);
    expect(stdout).toMatch(/^differences between records of one identity: e-mails in /m);
    expect(stdout).not.toMatch(/emails\[|\b1 records|Abernathy|@post|5550/);
  }
  expect(real.stdout).toContain('rejects.jsonl lists each of these, with its line');
});

test('graph import stops if no record has a name, unless --yes is given', async () => {
  const folder = freshFolder();
  const file = join(folder, 'contacts.csv');
  writeFileSync(file, 'Code,Email\nA1,ada@post.example\nB2,bo@post.example\n');
  const run = (...more: string[]) =>
    runHere(['graph', 'import', file, '--data-dir', join(folder, 'data'), ...more]);
  const stopped = await run();
  expect(stopped.code).toBe(2);
  expect(stopped.stderr).toMatch(/^.*contacts\.csv: no column holds names$/m);
  expect(stopped.stderr).toMatch(/2 of 2 records have no name\..*--map "name=HEADER".*--yes/);
  expect((await run('--dry-run')).stdout).toContain('2 of 2 records have no name');
  expect((await run('--yes')).stdout).toContain('2 added');
});

test('graph import counts phones without a country, dates against the order, and unknown fields', async () => {
  const folder = freshFolder();
  const rows = [
    'id,Name,Phone,Country,Born',
    '1,Ada Abernathy,415 555 0100,,03/04/1976',
    '2,Bo Dijk,030 23125014,,05/13/1980',
    '3,Cem Yildiz,030 23125015,DE,06/07/1981',
    '4,Dia Lopez,0000123456,,',
  ];
  writeFileSync(join(folder, 'people.csv'), rows.join('\n'));
  const line = (id: number) => JSON.stringify({ record_id: `${id}`, name: 'Ada Abernathy', emials: [] });
  writeFileSync(join(folder, 'people.jsonl'), `${line(1)}\n${line(2)}\n`);
  const run = (file: string) =>
    runHere(['graph', 'import', join(folder, file), '--dates', 'dmy', '--dry-run', '--data-dir', folder]);
  const { stdout } = await run('people.csv');
  expect(stdout).toContain('1 of the dates in birth_date is impossible in the order dmy');
  expect(stdout).toContain('read as numbers of US (the default region): 3');
  expect(stdout).toContain('doubtful: 1 of these numbers is invalid in US but valid in DE');
  expect(stdout).toContain(
    'doubtful: 1 of these numbers is invalid in US: set the country of the file with --region',
  );
  expect((await run('people.jsonl')).stdout).toContain('emials (2 records, did you mean emails?)');
});

test('graph import counts signs for no e-mail or phone, and e-mails that belong to nobody', async () => {
  const folder = freshFolder();
  const rows = [
    'id,Name,Phone,E-Mail',
    '1,Ada Abernathy,+14155550100,keine',
    '2,Bo Dijk,n/a,-',
    '3,Cem Yildiz,+4930123456,test@test.de',
    '4,Dia Lopez,,none@none.com',
    '5,Eva Long,NULL,eva@post.example',
  ];
  writeFileSync(join(folder, 'people.csv'), rows.join('\n'));
  const data = join(folder, 'data');
  const { stdout } = await runHere(['graph', 'import', join(folder, 'people.csv'), '--data-dir', data]);
  expect(stdout).toContain('left out, not people: 1 guest, test or service account (line ');
  expect(stdout).toContain('2 e-mails with a placeholder for “none”, such as n/a (lines 2, 3)');
  expect(stdout).toContain('1 phone number with a placeholder for “none”, such as n/a (line 3)');
  expect(stdout).toContain('1 e-mail of nobody, such as none@none.com (line 4)');
  expect(stdout).toContain('4 added');
});

test('a dry run writes nothing, and record ids that look like a contact are not printed', async () => {
  const folder = freshFolder();
  const [file, data] = [join(folder, 'people.csv'), join(folder, 'data')];
  writeFileSync(file, 'id;Name\n+49 341 5550142;7\nada@post.example;8\n3;Bo Dijk\n');
  const run = (...more: string[]) => runHere(['graph', 'import', file, '--data-dir', data, ...more]);
  expect((await run('--dry-run')).code).toBe(0);
  expect(readdirSync(folder)).toEqual(['people.csv']);
  const rejects = join(folder, 'rejects.jsonl');
  writeFileSync(rejects, 'of another import', { mode: 0o644 });
  const { stdout, stderr } = await run('--json', '--rejects', rejects);
  expect(stdout + stderr).not.toMatch(/555 ?0142|ada@/);
  expect(readFileSync(rejects, 'utf8')).toContain('ada@post.example');
  const isPosix = process.platform !== 'win32';
  expect(statSync(rejects).mode & 0o777).toBe(isPosix ? 0o600 : 0o666);
});

test('graph import shows the columns with masked examples, and saves them for --map', async () => {
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
  const { stderr: mapped } = await run('--map', map);
  expect(mapped).toMatch(/^ {2}Mobil +- +.*\n {2}Notiz +- /m);
});

test('--save-map accepts several tables with the same columns, and refuses tables with different columns', async () => {
  const folder = freshFolder();
  const [first, same, other, map] = ['a.csv', 'b.csv', 'c.csv', 'kept.map'].map((name) => join(folder, name));
  for (const file of [first, same]) writeFileSync(file ?? '', 'Name,E-Mail\nAda Berg,ada@post.example\n');
  writeFileSync(other ?? '', 'Kunde;Mobil\nOtto Lang;0151 55501430\n');
  const data = join(folder, 'data');
  const run = (...files: (string | undefined)[]) =>
    runHere([
      'graph',
      'import',
      ...files.map(String),
      '--save-map',
      String(map),
      '--yes',
      '--data-dir',
      data,
    ]);
  const refused = await run(first, other);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('differ')]);
  expect(existsSync(join(data, 'graph.db'))).toBe(false);
  expect((await run(first, same)).code).toBe(0);
  expect(readFileSync(String(map), 'utf8')).toBe('name=Name\nemail=E-Mail\n');
});

test('control characters in headers reach neither the terminal nor a saved map', async () => {
  const folder = freshFolder();
  const [file, json, map] = ['odd.csv', 'odd.json', 'odd.map'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, '\u001b[31mName\u001b[0m,E-Mail,\u009bnote\u0007\nAda Berg,ada@post.example,x\n');
  const row = { 'name\u001b]0;pwned\u0007': 'Ada Berg', email: 'ada@post.example', '\u001b[2Jmore': 'x' };
  writeFileSync(json, JSON.stringify([row, row, row]));
  const run = (of: string, ...more: string[]) =>
    runHere(['graph', 'import', of, '--dry-run', '--data-dir', folder, ...more]);
  const said = [await run(file, '--save-map', map), await run(json)];
  const kept = readFileSync(map, 'utf8');
  said.push(
    await run(file, '--map', map),
    await run(file, '--map', 'name=None'),
    await run(json, '--map', 'name=None'),
  );
  for (const { stdout, stderr } of said) expect(stdout + stderr + kept).not.toMatch(/[^\P{C}\n]/u);
  expect(kept).toContain('=[31mName [0m\n');
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 2, 2]);
});

test('graph import refuses a file with more unusable records than --max-rejects, and an empty file', async () => {
  const folder = freshFolder();
  const [file, data] = [join(folder, 'customers.csv'), join(folder, 'data')];
  const run = (...more: string[]) => runHere(['graph', 'import', file, '--data-dir', data, ...more]);
  writeFileSync(file, 'id,name\n1,Ada Abernathy\n2,7\n3,Firm Ltd\n4,Test Test\n');
  expect(await run('--max-rejects', '5%')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: 1 of 2 records cannot be used, and the limit is 5%\. Nothing was imported\./m,
    ),
  });
  expect((await runHere(['graph', 'stats', '--data-dir', data])).code).not.toBe(0);
  const { code, stdout } = await run('--max-rejects', '50%');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /left out, not people: 1 company \(line \d+\), 1 guest, test or service account \(line \d+\); --keep-companies keeps them/,
  );
  expect(stdout).toMatch(/^1 added, 0 replaced$/m);
  writeFileSync(file, 'id,name\n3,Firm Ltd\n');
  expect(await run()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing was imported\. Every row/),
  });
});

test('graph import prints a summary, and a dry run leaves no files', async () => {
  const folder = freshFolder();
  const file = join(folder, 'people.jsonl');
  writeFileSync(file, [...TWO, { record_id: 'bad' }].map((row) => JSON.stringify(row)).join('\n'));
  const data = join(folder, 'data');
  const dry = await runHere(['graph', 'import', file, '--dry-run', '--data-dir', data]);
  expect(dry.stdout).toMatch(/^2 records read, 1 more cannot be used\nsources: people 1, shop 1\n/);
  expect(dry.stdout).toContain('1 record: it has no usable name and no usable contact (line 3)');
  expect(dry.stdout).toContain('linked without those of the graph: 2 records of 1 identity');

  expect(dry.stdout).toContain('Dry run: nothing was written.');
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

test('graph import writes rejects neither over the graph nor over an input file', async () => {
  const folder = freshFolder();
  const file = join(folder, 'people.jsonl');
  const text = [...TWO, { record_id: 'bad' }].map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(file, text);
  const line = ['graph', 'import', file, '--data-dir', folder];
  expect((await runHere(line)).code).toBe(0);
  for (const rejects of [join(folder, 'graph.db'), join(folder, 'graph.db-wal'), file])
    expect(await runHere([...line, '--rejects', rejects])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* [Cc]hoose another.*\n$/),
    });
  expect(readFileSync(file, 'utf8')).toBe(text);
  const { stdout } = await runHere(['graph', 'stats', '--json', '--data-dir', folder]);
  expect(JSON.parse(stdout)).toMatchObject({ records: 2 });
});

test('a graph that was linked with other name tables warns about it until it is linked again', async () => {
  const folder = freshFolder();
  const tables = join(folder, 'names.txt');
  writeFileSync(tables, '[nicknames]\nmargaret : zogs\n');
  await importRows(folder, [[{ record_id: 'a', name: 'Zogs Ostrander', phones: ['+1 208 234 0145'] }]]);
  const asked = (...args: string[]) =>
    bonafide([...args, '--data-dir', folder], { BONAFIDE_NAME_TABLES: tables });
  const warning = /name tables have changed .* Run: bonafide graph link/;
  expect((await asked('graph', 'stats')).stdout).toMatch(warning);
  expect((await asked('doctor')).stdout).toMatch(/^WARNING +graph .* name tables have changed/m);
  const linked = await asked('graph', 'link');
  expect([linked.code, linked.stdout]).toEqual([0, 'The graph has 1 record of 1 identity.\n']);
  expect((await asked('graph', 'stats')).stdout).not.toMatch(warning);
  expect((await asked('doctor')).stdout).toMatch(/^ok +graph +1 records? of 1 identit/m);
  const check = await asked('check', '--name', 'Margaret Ostrander', '--phone', '208 234 0145', '--json');
  expect(JSON.parse(check.stdout)).toMatchObject({ possible_catfish: false });
});
