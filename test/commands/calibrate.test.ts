// Tests of `bonafide calibrate`: a calibration is saved under a name, and used only if a setting names it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { importRows, sharedFolder, strangers } from '../kit/graphs/graph.ts';

const PEOPLE = strangers(240);
const data = sharedFolder();
beforeAll(() => importRows(data, [PEOPLE]));

/**
 * Cases of each person with their own contacts (genuine), and with the contacts of the next person. One in
 * ten of the latter is labelled genuine.
 */
const CASES = PEOPLE.flatMap(({ name = '', emails = [], phones = [] }, i) => {
  // Neighbours in the list have one family name: they would be of one household.
  const next = PEOPLE[(i + 21) % PEOPLE.length];
  return [
    { genuine: 'yes', name, emails, phones },
    { genuine: i % 10 === 0 ? 'yes' : 'no', name, emails: next?.emails ?? [], phones: next?.phones ?? [] },
  ];
});

function inFile(name: string, lines: object[]): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, lines.map((one) => JSON.stringify(one)).join('\n'));
  return file;
}
function settings(calibration: string): string {
  const file = join(freshFolder(), 'bonafide.config.json');
  writeFileSync(file, JSON.stringify({ calibration }));
  return file;
}
const [first] = PEOPLE;
const checking = (...args: string[]) =>
  runHere([
    'check',
    '--data-dir',
    data,
    '--json',
    '--name',
    first?.name ?? '',
    '--email',
    PEOPLE[1]?.emails?.[0] ?? '',
    ...args,
  ]);
const answered = async (...args: string[]) => {
  const { request_id: _id, ...answer } = JSON.parse((await checking(...args)).stdout);
  return answer;
};

test('a calibration is saved under its name, changes nothing by itself, and is used once the setting names it', async () => {
  const before = await answered();
  const made = await runHere([
    'calibrate',
    inFile('cases.jsonl', CASES),
    '--name',
    'shop-2026',
    '--data-dir',
    data,
  ]);
  expect(made.stderr).toBe('');
  expect(made.stdout).toMatch(/^shop-2026: fitted to 2\d\d genuine and 216 not genuine cases/);
  const [kept] = JSON.parse(readFileSync(join(data, 'calibrations.json'), 'utf8'));
  expect(kept).toMatchObject({ name: 'shop-2026', notGenuine: 216 });
  expect(JSON.stringify(kept)).not.toContain('@');

  expect(await answered()).toEqual(before);
  const after = await answered('--config', settings('shop-2026'));
  expect(after.combined_trust_score.explanation).toMatch(/ The calibration shop-2026 was applied\.$/);
  expect(after.trustworthiness_score).toBeGreaterThan(before.trustworthiness_score);
  expect(after.trust_score.reasons).toEqual(before.trust_score.reasons);
});

test('too few cases are refused with the reason, and nothing is saved', async () => {
  const file = inFile('few.jsonl', CASES.slice(0, 100));
  const { code, stderr } = await runHere(['calibrate', file, '--data-dir', data]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /No calibration was saved\. A calibration needs 200 genuine and 200 non-genuine cases/,
  );
});

test('an invalid name, and a setting with an unknown name, are refused', async () => {
  const file = inFile('cases.jsonl', CASES);
  expect((await runHere(['calibrate', file, '--name', '../x', '--data-dir', data])).code).toBe(2);
  expect((await checking('--config', settings('nobody'))).stderr).toMatch(/There is no calibration nobody\./);
});

test('a calibration for another scoring model, and one that is not increasing, are refused', async () => {
  const folder = sharedFolder();
  await importRows(folder, [PEOPLE.slice(0, 3)]);
  const write = (over: object) =>
    writeFileSync(
      join(folder, 'calibrations.json'),
      JSON.stringify([{ name: 'old', scoringModel: 0, knots: [[1, 2]], ...over }]),
    );
  const run = () => runHere(['check', '--data-dir', folder, '--name', 'A B', '--config', settings('old')]);
  write({});
  expect((await run()).stderr).toMatch(/fitted for version 0 of the scoring model/);
  write({
    knots: [
      [1, 20],
      [50, 10],
    ],
  });
  expect((await run()).stderr).toMatch(/is not a valid file of calibrations/);
});
