import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCheckWithoutServer } from '../../src/app/local-checks.ts';
import { fillDemoGraph } from '../../src/commands/serve/demo.ts';
import { loadConfig } from '../../src/config.ts';
import { SAMPLE_FOLDER } from '../../src/platform/assets.ts';
import { REASON_CODES } from '../../src/score/reason.ts';
import * as weights from '../../src/score/weights.ts';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { fences, minus, pageText, rows, section, textOf } from '../kit/pages.ts';

const text = pageText('scoring');
const minusSign = (number: number) => String(number).replace('-', '−');

test('the worked example is what the demo request gets, and the README has its score', async () => {
  const config = await loadConfig({ flags: { dataDir: freshFolder() }, env: {} });
  await fillDemoGraph(config);
  const body = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8'));
  const { score } = (await runCheckWithoutServer(config, body)).verdict;
  const listed = rows(section(text, 'A worked example')).map(([, bits = '']) => minus(bits));
  const reasons = score.trustScore.reasons.map((reason) => reason.split(' ')[0]?.replace(/^-/, '−'));
  expect(listed.map((bits) => bits.replace(/^-/, '−'))).toEqual(expect.arrayContaining(reasons));
  expect(listed.at(-1)).toBe(`${score.trustScore.raw.toFixed(2)} → ${score.value}`);
  expect(text).toContain(`The sum makes ${score.combined.preCapped} of 100`);
  expect(textOf('README.md')).toContain(`The answer says ${score.value}, ${score.message.split(':')[0]}`);
});

test('the waterfall is what the command shows of the demo request', async () => {
  const folder = freshFolder();
  await fillDemoGraph(await loadConfig({ flags: { dataDir: folder }, env: {} }));
  const body = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8'));
  const values = (option: string, list: string[]) => list.flatMap((value) => [`--${option}`, value]);
  const addresses = body.addresses.map((address: object) => Object.values(address).join(', '));
  const { stdout } = await runHere([
    'check',
    '--why',
    ...values('data-dir', [folder]),
    ...values('name', [body.name]),
    ...values('email', body.emails),
    ...values('phone', body.phones),
    ...values('address', addresses),
  ]);
  const [shown = ''] = fences(section(text, 'Ask why'), '');
  expect(stdout.slice(stdout.indexOf('Evidence for '))).toBe(shown);
});

test('the weights of the table are the weights of the score', () => {
  const table = section(text, 'The weights');
  for (const gain of Object.values(weights.MAX_BITS_OF_MATCHING_CONTACTS))
    expect(table).toContain(`up to +${gain}`);
  expect(table).toContain(`${100 * weights.WEIGHT_FRACTION_OF_FIRST_CONTACT} % of that`);
  expect(table).toContain(
    `+${weights.RECORDED_NAME_WEIGHT.least} for a very common name, up to +${weights.RECORDED_NAME_WEIGHT.most}`,
  );
  expect(table).toContain(
    `+${weights.HISTORY_LENGTH_WEIGHT.perYear} a year, up to +${weights.HISTORY_LENGTH_WEIGHT.most}`,
  );
  expect(table).toContain(`−${weights.OTHER_PERSON_CONTACT_WEIGHTS.most} if`);
  expect(table).toContain(`${weights.OTHER_PERSON_CONTACT_WEIGHTS.single} less if it is the only one`);
  expect(table).toContain(`−${weights.OTHER_PERSON_CONTACT_WEIGHTS.unsupported} more`);
  expect(table).toContain(`${weights.OTHER_PERSON_CONTACT_WEIGHTS.further} of that`);
  expect(table).toContain(`down to −${weights.OTHER_PERSON_ADDRESS_WEIGHT.most} together`);
  expect(text).toContain(`- ${weights.MAX_OTHER_PERSON_CERTAINTY.relative} of a stranger's value`);
  expect(text).toContain(`The sum starts at ${weights.START_WEIGHT.bits} bits`);
});

test('what a name can carry is the curve of the score', () => {
  const [agreements = [], bits = []] = section(text, 'Agreement of the name')
    .split('\n')
    .filter((line) => /^\| (agreement|bits)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );
  const listed = agreements.map((agreement, i) => [agreement, bits[i]]);
  const curve = weights.MAX_BITS_BY_NAME_AGREEMENT.filter(([agreement]) => agreement < 100);
  expect(listed).toEqual(curve.map(([agreement, carried]) => [String(agreement), minusSign(carried)]));
  expect(text).toContain(`carries ${weights.NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT.bits}`);
  expect(text).toContain(`up to ${weights.OTHER_GIVEN_NAME_PENALTY.most} bits less`);
});

test('the bounds of the page are those of the score', () => {
  const bounds = section(text, 'Bounds');
  for (const bound of [
    weights.NO_NAME_HOLDER_SCORE_BOUND,
    weights.ONE_CONTACT_TYPE_SCORE_BOUND,
    weights.CONFLICT_SCORE_UPPER_BOUND,
  ])
    expect(bounds).toContain(`at most ${bound}`);
  expect(bounds).toContain(`do not take it below ${weights.OTHER_PERSON_ADDRESS_SCORE_FLOOR}`);
});

test('the catalogue lists every code of a reason once', () => {
  const [catalogue = ''] = pageText('reasons').split('In `raw.explanation`');
  expect(
    rows(catalogue)
      .map(([code]) => code)
      .toSorted(),
  ).toEqual(REASON_CODES.toSorted());
});
