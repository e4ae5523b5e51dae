// Tests of `bonafide check --file`: output, continuation of an interrupted run, counted calls.
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, importPeople, JANE, type TestApp } from '../../kit/app.ts';
import { bonafide, runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

const TABLE = [
  'No;Full Name;Mail;Mobile;Note',
  '1;Jane Quimby;jane.quimby@example.com;(415) 555-0134;=cmd|x',
  '2;Robert Vandermeer;rob.zqx@@example.org;12;"two',
  'lines"',
  '3;Nobody Known;nobody@example.com;;-1',
].join('\r\n');

async function withPeople(name: string, text: string | Buffer) {
  const folder = freshFolder();
  await importPeople(folder);
  const file = join(folder, name);
  writeFileSync(file, text);
  const check = (...args: string[]) => runHere(['check', '--file', file, '--data-dir', folder, ...args]);
  return { folder, file, check };
}

const out = (folder: string, name = 'people.checked.csv') => readFileSync(join(folder, name), 'utf8');

test('the output has the columns of the input, followed by the result columns', async () => {
  const { folder, check } = await withPeople('people.csv', TABLE);
  const { code, stdout, stderr } = await check();
  const [header, jane, robert, robert2, nobody, end] = out(folder).split('\n');
  expect(header).toBe(
    'No;Full Name;Mail;Mobile;Note;score;status;verdict;flags;name_status;email_status;phone_status;address_status;request_id;left_out;error\r',
  );
  expect(jane).toMatch(
    /^1;Jane Quimby;jane\.quimby@example\.com;\(415\) 555-0134;'=cmd\|x;\d\d;HIGH;VERIFIED;;Primary Match;Primary Match;Primary Match;;req_\w+;;\r$/,
  );
  expect(`${robert}\n${robert2}`).toMatch(
    /^2;Robert Vandermeer;rob\.zqx@@example\.org;12;"two\nlines";{11}invalid_request: emails \(number 1\): This is not an email address\. phones \(number 1\): A phone number has 10 to 15 digits\. Add the country code to a shorter one\.\r$/,
  );
  expect(nobody).toMatch(
    /^3;Nobody Known;nobody@example\.com;;'-1;\d\d;LOW;NO RECORD;;Unverified;Unverified;;;req_\w+;;\r$/,
  );
  expect(end).toBe('');
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^3 people in .+people\.checked\.csv: 2 checked, 1 failed \(see the column error\)\.\nNo calls were counted\.\n$/,
  );
  expect(stderr).toContain('checking with the local graph');
  expect(stderr).toContain('record_id=No, name=Full Name, email=Mail, phone=Mobile; not used: Note');
  expect(stdout + stderr).not.toMatch(/quimby|zqx/i);
});

test('a phone that a spreadsheet rounded is left out with a note, and the person is checked', async () => {
  const { folder, check } = await withPeople(
    'people.csv',
    'Name;Mail;Mobile\nJane Quimby;jane.quimby@example.com;4,91512E+11',
  );
  const { code, stderr } = await check();
  expect(code).toBe(0);
  expect(stderr).toMatch(/left out: e-mails and phones .* in 1 row \(line 2\).*4\.9E\+11/);
  expect(out(folder)).toMatch(
    /\n.*;4,91512E\+11;\d\d;MEDIUM;LIKELY REAL;;Primary Match;Primary Match;;;req_\w+;Mobile: rounded;/,
  );
});

test('JSON output has the fields of the input first; records and requests are accepted', async () => {
  const people = [
    { id: 7, status: 'customer', ...JANE },
    {
      record_id: 'a',
      birth_date: '1980-01-01',
      name: { given: 'Jane', family: 'Quimby' },
      email: 'jane.quimby@example.com',
    },
    { nmae: 'Jane Quimby' },
    { name: 'Jane Quimby', e_mail: 'jane.quimby@example.com' },
  ];
  const text = `${people.map((one) => JSON.stringify(one)).join('\n')}\nno json\n`;
  const { folder, check } = await withPeople('people.jsonl.gz', gzipSync(text));
  const { code } = await check();
  expect(code).toBe(3);
  const lines = out(folder, 'people.checked.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { score, name_status, email_status, error } = lines[0];
  expect(lines[0]).toMatchObject({ ...people[0], bonafide_status: 'HIGH', verdict: 'VERIFIED', flags: [] });
  expect({ score, name_status, email_status, error }).toEqual({
    score: expect.any(Number),
    name_status: 'Primary Match',
    email_status: ['Primary Match'],
    error: null,
  });
  expect(lines[1]).toMatchObject({
    ...people[1],
    name_status: 'Primary Match',
    email_status: ['Primary Match'],
  });
  expect(lines[2]).toMatchObject({
    score: null,
    error: expect.stringMatching(/^invalid_request: .*did you mean `name`/),
  });
  expect(lines[3]).toMatchObject({ ...people[3], email_status: ['Primary Match'], error: null });
  expect(lines[4]).toMatchObject({
    score: null,
    error: 'unreadable_row: line 5: the line is not a JSON object.',
  });
});

test('the exit code is 0 if everybody was checked, and a second run checks nobody again', async () => {
  const { folder, check } = await withPeople(
    'people.csv',
    'name,email\nJane Quimby,jane.quimby@example.com\n',
  );
  expect((await check()).code).toBe(0);
  const first = out(folder);
  expect(JSON.parse((await check('--json')).stdout)).toMatchObject({
    rows: 1,
    answered: 1,
    before: 1,
    counts: false,
  });
  expect(out(folder)).toBe(first);
  expect(statSync(join(folder, 'people.checked.csv')).mode & 0o777).toBe(0o600);
});

test('the next run completes an output that was cut anywhere, with each person once', async () => {
  const { folder, check } = await withPeople('people.csv', TABLE);
  await check();
  const file = join(folder, 'people.checked.csv');
  const whole = out(folder).replaceAll(/req_\w+/g, 'req');
  const size = statSync(file).size;
  for (let cut = 0; cut < size; cut += 7) {
    truncateSync(file, Math.min(cut, statSync(file).size));
    expect((await check()).code).toBe(3);
    expect(out(folder).replaceAll(/req_\w+/g, 'req')).toBe(whole);
  }
});

describe('a file that is not the output of this input stays unchanged', () => {
  test.each([
    ['another table', 'a,b\r\n1,2\r\n'],
    ['half a line of something', 'hello'],
    ['one that has more people', null],
  ])('%s', async (_, text) => {
    const { folder, check } = await withPeople('people.csv', TABLE);
    const file = join(folder, 'people.checked.csv');
    if (text === null) {
      await check();
      appendFileSync(file, '4,Too Many\r\n');
    } else writeFileSync(file, text);
    const before = readFileSync(file, 'utf8');
    const { stderr } = await check();
    expect(stderr).toContain('is not the output of this input');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('an output that is the input is refused', async () => {
    const { file, check } = await withPeople('people.csv', TABLE);
    expect((await check('--out', file)).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(TABLE);
  });
});

test('options that do not fit, and a table without a name column, are errors', async () => {
  const { folder, check } = await withPeople('people.csv', 'id,mail\n1,jane.quimby@example.com\n');
  const said = async (...args: string[]) => {
    const { code, stderr } = await runHere(['check', '--data-dir', folder, ...args]);
    return `${code} ${stderr}`;
  };
  expect(await said()).toMatch(/^2 .*Give the name of a person with --name, or a file/s);
  expect(await said('--file', 'x', '--name', 'Jane')).toMatch(
    /^2 .*--name and --file cannot be used together/s,
  );
  expect(await said('--out', 'x')).toMatch(/^2 .*--out needs --file/s);
  expect(await said('--file', join(folder, 'people.csv'), '--server', 'localhost')).toMatch(
    /^2 .*--server must be/s,
  );
  expect(await said('--file', join(folder, 'people.csv'), '--server', 'http://127.0.0.1:1')).toMatch(
    /^2 .*BONAFIDE_KEY/s,
  );
  expect((await check()).stderr).toContain('no column looks like a name. Map the right column to it');
  // The exit code is 1 if no person of the file was checked.
  expect((await check('--map', 'name=id')).code).toBe(1);
});

const callsOf = async (app: TestApp, key: string) =>
  JSON.parse(await (await app.send('/v1/usage', { key })).text()).calls as number;

/** Starts an app with a server, and returns the arguments of a command that checks a file with it. */
async function served(people: number) {
  const app = await freshApp();
  const { url } = await app.app.listen();
  const folder = freshFolder();
  const file = join(folder, 'people.csv');
  const rows = Array.from({ length: people }, (_, i) => `${i},Jane Quimby,jane.quimby@example.com`);
  writeFileSync(file, ['no,name,email', ...rows, ''].join('\n'));
  const key = app.key(['validate', 'read']);
  const args = ['check', '--file', file, '--server', url];
  const checked = join(folder, 'people.checked.csv');
  return { app, key, args, checked, env: { BONAFIDE_KEY: key } };
}

test('a run against a server that is killed several times ends with each person once, and each call counted once', async () => {
  const { app, key, args, checked, env } = await served(240);
  for (const rows of [30, 130]) {
    const child = execFile(process.execPath, [getLauncher(), ...args, '--concurrency', '16'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const gone = new Promise((resolve) => child.on('exit', resolve));
    await expect.poll(() => lines(checked), { interval: 1 }).toBeGreaterThan(rows);
    child.kill('SIGKILL');
    await gone;
    expect(lines(checked)).toBeLessThan(241);
  }
  const { code, stdout, stderr } = await bonafide(args, env);
  expect(stdout).toMatch(
    /^240 people .* 240 checked\.\n\d+ of them were checked by an earlier run\. To check them again, remove [^\n]+ with --out\.\n\d+ calls were counted/s,
  );
  expect(stderr).toContain('each answer counts as a call of the key');
  expect(code).toBe(0);
  const numbers = readFileSync(checked, 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => Number(row.split(',')[0]));
  expect(numbers).toEqual(Array.from({ length: 240 }, (_, i) => i));
  expect(await callsOf(app, key)).toBe(240);
});

const lines = (file: string) => (existsSync(file) ? readFileSync(file, 'latin1').split('\n').length - 1 : 0);

test('an error that concerns every row stops the run, and the next run continues', async () => {
  const { app, key, args, checked } = await served(20);
  const run = async (value: string, ...more: string[]) => {
    vi.stubEnv('BONAFIDE_KEY', value);
    const { code, stdout, stderr } = await runHere([...args, ...more]);
    return { code, said: stdout + stderr };
  };
  onTestFinished(() => void vi.unstubAllEnvs());
  const typo = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  expect(await run(typo)).toMatchObject({
    code: 2,
    said: expect.stringContaining('does not contain an API key'),
  });
  const refused = await run(app.key(['read']));
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('forbidden') });
  expect((await run(key)).code).toBe(0);
  expect(lines(checked)).toBe(21);
  // A second check of the same people counts no calls.
  const again = await run(key, '--out', `${checked}.2`);
  expect(again.code).toBe(0);
  expect(again.said).toContain('No calls were counted; 20 had been counted by an earlier run.');
  expect(await callsOf(app, key)).toBe(20);
  await app.app.close();
  const away = await run(key, '--out', `${checked}.3`);
  expect(away).toMatchObject({ code: 1, said: expect.stringContaining('unreachable') });
  appendFileSync(args[2] ?? '', '20,Jane Quimby,jane.quimby@example.com\n');
  const more = await run(key);
  expect(more).toMatchObject({ code: 3, said: expect.stringContaining('Run the command again to continue') });
});

test('the run waits for the rate limit of the plan, and checks everybody', async () => {
  const { app, args } = await served(9);
  const { store } = app.app;
  // The clock stops until the command reports that it waits, so that the rate limit is reached on a slow
  // machine too.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const told = () => vi.mocked(process.stderr.write).mock?.calls.join().includes('rate limit is reached');
  const clock = setInterval(() => told() && vi.setSystemTime(Date.now() + 1000), 20);
  onTestFinished(() => clearInterval(clock));
  createPlan(store, 'slow', { included: 100, rate: { calls: 4, seconds: 1, burst: 2 } }, Date.now());
  const account = createAccount(store, { name: 'x', plan: 'slow' }, Date.now()).id;
  const { key } = createKey(store, { name: 'x', scopes: ['validate'], account }, Date.now());
  vi.stubEnv('BONAFIDE_KEY', key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stdout, stderr } = await runHere([...args, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 9, answered: 9, counts: true });
  expect([code, stderr]).toEqual([0, expect.stringContaining('The rate limit is reached')]);
  expect(await callsOf(app, key)).toBe(9);
});

test('a row that the probe limit refuses has an error, and the other rows are checked', async () => {
  const { app, args, checked } = await served(0);
  const file = args[2] ?? '';
  const row = (i: number) =>
    i % 2 === 0 ? `${i},Jane Quimby,jane.quimby@example.com,4155550134` : `${i},Nobody Known,,`;
  writeFileSync(file, ['no,name,email,phone', ...Array.from({ length: 6 }, (_, i) => row(i)), ''].join('\n'));
  const { store } = app.app;
  createPlan(store, 'few', { included: 100, probes: 1 }, Date.now());
  const account = createAccount(store, { name: 'x', plan: 'few' }, Date.now()).id;
  const { key } = createKey(store, { name: 'x', scopes: ['validate'], account }, Date.now());
  vi.stubEnv('BONAFIDE_KEY', key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stdout } = await runHere([...args, '--concurrency', '1', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { rows: 6, answered: 4, counted: 4, complete: true }]);
  const told = readFileSync(checked, 'utf8').split('\r\n').slice(1, -1);
  const errors = told.map((line) => /rate_limited: The plan of this key has 1 check an hour/.test(line));
  expect(errors).toEqual([false, false, false, true, false, true]);
});

test('another program at the address of the server is an error, and its answer is never used', async () => {
  const { app, args, checked } = await served(2);
  const answers = ['{}', '{"message":"=cmd|x","input_validation":{"name":{}}}'];
  const other = createServer((_, response) => response.end(answers.shift() ?? 'no'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  vi.stubEnv('BONAFIDE_KEY', app.key());
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = () => runHere([...args.slice(0, 3), '--server', url, '--concurrency', '1']);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('Is it a Bonafide server?') });
  expect(lines(checked)).toBe(1);
  expect(await run()).toMatchObject({ code: 3, stderr: expect.stringContaining('unreadable_answer') });
  expect(readFileSync(checked, 'utf8')).not.toMatch(/,=/);
});
