import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { importRows, sharedFolder, strangers } from '../kit/graphs/graph.ts';

const PEOPLE = strangers(60);
const data = sharedFolder();
beforeAll(() => importRows(data, [PEOPLE]));

/** Cases of each person with their own contacts, and with the contacts of the next person. */
const CASES = PEOPLE.flatMap(({ record_id, name = '', emails = [], phones = [] }, i) => {
  const next = PEOPLE[(i + 1) % PEOPLE.length];
  return [
    { case_id: record_id, genuine: 'yes', name, emails, phones },
    {
      case_id: `${record_id}-x`,
      genuine: 'no',
      name,
      emails: next?.emails ?? [],
      phones: next?.phones ?? [],
    },
  ];
});
const JSON_LINES = CASES.map((one) => JSON.stringify(one)).join('\n');
const LABELLED = CASES.map(({ case_id, genuine, ...request }) =>
  JSON.stringify({ case_id, kind: genuine === 'yes' ? 'genuine' : 'chimera', request, expected: {} }),
).join('\n');
const TABLE = [
  'Case_ID;Genuine;Full Name;E-Mail;Phone;Notes',
  ...CASES.map(
    (one) => `${one.case_id};${one.genuine};${one.name};${one.emails.join()};${one.phones.join()};-`,
  ),
].join('\n');

function inFile(name: string, text: string): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, text);
  return file;
}
const evaluating = (file: string, ...args: string[]) =>
  runHere(['evaluate', file, '--data-dir', data, ...args]);
const printed = async (file: string, ...args: string[]) =>
  JSON.parse((await evaluating(file, '--json', ...args)).stdout);

test('a table, flat JSON lines and labelled JSON lines of the same cases give the same figures', async () => {
  const [flat, labelled, table] = [
    await printed(inFile('a.jsonl', JSON_LINES)),
    await printed(inFile('b.jsonl', LABELLED)),
    await printed(inFile('c.csv', TABLE)),
  ];
  expect(flat).toMatchObject({
    cases: { genuine: 60, not_genuine: 60, refused: 0 },
    figures: { auc: { value: 1 } },
  });
  for (const other of [labelled, table]) {
    expect(other.figures).toEqual(flat.figures);
    expect(other.answers).toEqual(flat.answers);
  }
});

test('the report is written to its file, and nothing about the cases is stored in the data folder', async () => {
  const before = contentOf(data);
  const out = join(freshFolder(), 'report.html');
  const { code, stdout } = await evaluating(inFile('c.csv', TABLE), '--out', out);
  expect(code).toBe(0);
  expect(stdout).toMatch(/not used: Notes\nCases: 60 genuine, 60 not genuine, 0 reported separately\n/);
  expect(stdout).toMatch(/\(AUC\) +1\.000 +1\.000 to 1\.000\n/);
  const page = readFileSync(out, 'utf8');
  expect(page).toContain('How good are the scores?');
  for (const { name = '', emails = [] } of PEOPLE)
    expect([page.includes(name), page.includes(emails[0] ?? '')]).toEqual([false, false]);
  expect(contentOf(data)).toBe(before);
  expect(statSync(out).mode & 0o077).toBe(0);
});

const contentOf = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .filter((name) => !/-(wal|shm)$/.test(name))
    .map((name) => `${name} ${readFileSync(join(folder, name), 'base64')}`)
    .join('\n');

test('an evaluation is compared with an earlier output', async () => {
  const file = inFile('a.jsonl', JSON_LINES);
  const before = inFile('before.json', (await evaluating(file, '--json')).stdout);
  const out = join(freshFolder(), 'report.html');
  const { comparison } = await printed(file, '--compare', before, '--out', out);
  expect(comparison).toMatchObject({ shared: 120, unshared: 0, moved: 0 });
  expect(readFileSync(out, 'utf8')).toContain('Before and after');
});

test('a report never replaces a file of a data folder', async () => {
  const graph = inFile('graph.db', 'records');
  const { code, stderr } = await evaluating(inFile('a.jsonl', JSON_LINES), '--out', graph);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('graph.db is a file of the data folder. Choose another path for the output.'),
  ]);
  expect(readFileSync(graph, 'utf8')).toBe('records');
});

test('requests that the API refuses are reported by rule and line, without their values', async () => {
  const odd = JSON.stringify({ case_id: 'odd', genuine: 'yes', name: 'Odd One', phones: ['123-SECRET'] });
  const { stdout } = await evaluating(
    inFile('a.jsonl', `${JSON_LINES}\n${odd}`),
    '--out',
    inFile('r.html', ''),
  );
  expect(stdout).toContain(
    'not evaluated, because the request breaks a rule of the API: 1\n  phones: A phone number has 10 to 15 digits. Add the country code to a shorter one. 1 case, first in line 121',
  );
  expect(stdout).not.toContain('SECRET');
});

describe('a file without valid cases is refused, with its lines and without its values', () => {
  test.each([
    [
      'x.jsonl',
      '{"name":"SECRET"}\n[]\n{"na',
      ['line 1: It has no `genuine`', 'line 2: It is not a JSON object.', 'line 3: It is not valid JSON.'],
    ],
    ['x.csv', 'name,email,genuine\nSECRET,a@example.com,perhaps\n', ['line 2: `genuine` must be yes or no.']],
    ['x.csv', 'name,email,genuine\nSECRET,a@example.com,yes\n', ['There are no non-genuine cases. Add some']],
    [
      'x.jsonl',
      '{"name":"SECRET","genuine":true,"emial":"x"}\n{"name":"SECRET","genuine":false}',
      ['There are no genuine cases', 'did you mean `emails`? 1 case, first in line 1'],
    ],
  ])('%s %j', async (name, text, sentences) => {
    const { code, stdout, stderr } = await evaluating(inFile(name, text));
    expect([code, stdout]).toEqual([2, '']);
    for (const sentence of sentences) expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('SECRET');
  });

  test('a missing file, and a file that is not an evaluation, are refused', async () => {
    const file = inFile('a.jsonl', JSON_LINES);
    expect(await evaluating('nowhere.jsonl')).toMatchObject({
      code: 1,
      stderr: 'error: There is no file nowhere.jsonl. Check the path.\n',
    });
    expect((await evaluating(file, '--compare', file)).stderr).toContain(
      'is not the output of `bonafide evaluate --json`.',
    );
  });
});
