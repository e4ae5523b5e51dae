// Rows of a table with missing or extra cells.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importPeople } from '../../kit/app.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

test('the output keeps every cell and every line of the input', async () => {
  const rows = [
    'name;email',
    'Quimby; Jane;jane.quimby@example.com',
    ';;;;',
    '',
    'Jane Quimby;jane.quimby@example.com;;',
    'Robert;"rob.zqx@example.org',
    'Jane Quimby;jane.quimby@example.com',
    '',
  ];
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  writeFileSync(file, rows.join('\n'));
  const check = (...args: string[]) => runHere(['check', '--file', file, '--data-dir', folder, ...args]);
  const out = () => readFileSync(join(folder, 'people.checked.csv'), 'utf8');
  const { code, stdout } = await check('--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { rows: 4, answered: 2, unanswered: 2 }]);
  const lines = out().split('\r\n');
  expect(lines).toHaveLength(rows.length);
  const nothing = ';'.repeat(11);
  expect(lines[1]).toBe(
    `Quimby;" Jane;jane.quimby@example.com"${nothing}unreadable_row: line 2: the row has more cells than the table has columns.`,
  );
  expect(lines[2]).toBe(`;${nothing}`);
  expect(lines[3]).toBe(`;${nothing}`);
  expect(lines[4]).toMatch(/^Jane Quimby;jane\.quimby@example\.com;\d\d;/);
  expect(lines[5]).toBe(
    `Robert;"""rob.zqx@example.org"${nothing}unreadable_row: line 6: a quoted cell is never closed.`,
  );
  expect(lines[6]).toMatch(/^Jane Quimby;jane\.quimby@example\.com;\d\d;/);
  expect((await check()).code).toBe(3);
  expect(out().split('\r\n')).toEqual(lines);
});

test('a row of totals is kept in the output, but is no person', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  writeFileSync(
    file,
    'Nr;Name;Mail;Fee\n1;Jane Quimby;jane.quimby@example.com;60\nTOTAL;;;120\n;Razem: 2;;120\n# END\n',
  );
  const { code, stdout } = await runHere(['check', '--file', file, '--data-dir', folder]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 person in .*: 1 checked\.\n/)]);
  const [, , ...rows] = readFileSync(join(folder, 'people.checked.csv'), 'utf8').split('\r\n');
  expect(rows).toEqual([
    ...['TOTAL;;;120', ';Razem: 2;;120', '# END;;;'].map((row) => row + ';'.repeat(11)),
    '',
  ]);
});

test('the output has the delimiter of the input, and the mark by which a spreadsheet program reads UTF-8', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  const check = () => runHere(['check', '--file', file, '--data-dir', folder, '--json']);
  const out = () => readFileSync(join(folder, 'people.checked.csv'), 'utf8');
  const start = async (text: string, encoding: 'latin1' | 'utf8' | 'utf16le') => {
    writeFileSync(file, Buffer.from(text, encoding));
    rmSync(join(folder, 'people.checked.csv'), { force: true });
    const { code } = await check();
    // The next run knows its own output.
    expect(JSON.parse((await check()).stdout)).toMatchObject({ rows: 1, before: 1 });
    return [code, out().slice(0, out().indexOf('score') + 6)];
  };
  const people = 'name;Straße\nJane Quimby;Ash Street 3\n';
  expect(await start(people, 'utf8')).toEqual([0, 'name;Straße;score;']);
  expect(await start(people, 'latin1')).toEqual([0, '\ufeffname;Straße;score;']);
  expect(await start(`\ufeff${people}`, 'utf8')).toEqual([0, '\ufeffname;Straße;score;']);
  expect(await start(`\ufeff${people}`, 'utf16le')).toEqual([0, '\ufeffname;Straße;score;']);
  expect(await start(people.replaceAll(';', '\t'), 'utf8')).toEqual([0, 'name\tStraße\tscore\t']);
  expect(await start(people.replaceAll(';', ','), 'utf8')).toEqual([0, 'name,Straße,score,']);
});

test('a file without headers is refused before the first person, and leaves no output', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  writeFileSync(
    file,
    'Jane Quimby;Ash Street 3;jane.quimby@example.com\nAnn Lee;Oak Street 9;ann@example.com\n',
  );
  const args = ['check', '--file', file, '--data-dir', folder, '--map', 'name=Jane Quimby'];
  const { code, stderr } = await runHere(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('The first line looks like data')]);
  expect(stderr).not.toContain('jane.quimby');
  const output = join(folder, 'people.checked.csv');
  expect(existsSync(output)).toBe(false);
  // Another process may have created it, and not have written to it yet.
  writeFileSync(output, '');
  await runHere(args);
  expect(existsSync(output)).toBe(true);
});

test('a phone is read in the country of its row, without other parts of an address too', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  writeFileSync(
    file,
    'Name,Phone,Country,\nJane Quimby,(415) 555-0134,United States,\nJane Quimby,(415) 555-0134,,\n',
  );
  const { stderr } = await runHere(['check', '--file', file, '--data-dir', folder, '--region', 'FR']);
  expect(stderr).toContain('not used: (no header)');
  const [, placed = '', unplaced = ''] = readFileSync(join(folder, 'people.checked.csv'), 'utf8').split(
    '\r\n',
  );
  expect(placed).toContain(',Primary Match,,Primary Match,,');
  expect(unplaced).toContain(',Primary Match,,Unverified,,');
});

test('a remark in a column of e-mails is one unusable value', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  writeFileSync(
    file,
    'Name,Email\nJane Quimby,no e-mail given\nJane Quimby,jane.quimby@example.com j@example.com\n',
  );
  await runHere(['check', '--file', file, '--data-dir', folder]);
  const [, remark = '', two = ''] = readFileSync(join(folder, 'people.checked.csv'), 'utf8').split('\r\n');
  expect(remark).toMatch(/invalid_request: emails \(number 1\): This is not an email address\.$/);
  expect(two).toContain(',Primary Match; Unverified,');
});

test('a phone of nine digits is read in the country of the row, else in --region; the note says what a phone needs', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, 'people.csv');
  const check = async (text: string, region: string) => {
    writeFileSync(file, text);
    const checked = join(folder, `${region}.csv`);
    const options = ['--data-dir', folder, '--region', region, '--out', checked];
    const { stderr } = await runHere(['check', '--file', file, ...options]);
    const [, ...rows] = readFileSync(checked, 'utf8').trimEnd().split('\r\n');
    return [rows, stderr] as const;
  };
  const text = 'Name;Mail;Tel;City;Country\nArtur Melcer;a@example.com;668 905 108;;\n';
  const [[polish] = [], polishNotes] = await check(text, 'PL');
  expect(polish).toMatch(/;Unverified;Unverified;;req_\w+;;$/);
  expect(polishNotes).not.toContain('left out');
  const [[american] = [], notes] = await check(text, 'US');
  expect(american).toMatch(/;Unverified;;;req_\w+;Tel: unusable;$/);
  expect(notes).toContain('unless it is a whole number of the country of the row or of --region');
  expect(notes).not.toContain('spreadsheet');
  const [[ofRow] = []] = await check(text.replace(';;\n', ';Łódź;PL\n'), 'CA');
  expect(ofRow).toMatch(/;Unverified;Unverified;Unverified;req_\w+;;$/);
});
