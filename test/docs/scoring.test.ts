import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOnce } from '../../src/app.ts';
import { fillDemoGraph } from '../../src/commands/demo.ts';
import { loadConfig } from '../../src/config.ts';
import { SAMPLE } from '../../src/platform/assets.ts';
import * as weights from '../../src/score/weights.ts';
import { freshFolder } from '../kit/folder.ts';
import { minus, pageText, rows, section, textOf } from '../kit/pages.ts';

const text = pageText('scoring');

test('the worked example is what the demo request gets, and the README tells its score', async () => {
  const config = await loadConfig({ flags: { dataDir: freshFolder() }, env: {} });
  await fillDemoGraph(config);
  const body = JSON.parse(readFileSync(join(SAMPLE, 'demo-request.json'), 'utf8'));
  const { score } = (await checkOnce(config, body)).verdict;
  const listed = rows(section(text, 'A worked example')).map(([, bits = '']) => minus(bits));
  const reasons = score.trustScore.reasons.map((reason) => reason.split(' ')[0]);
  expect(listed).toEqual(expect.arrayContaining(reasons));
  expect(listed.at(-1)).toBe(`${score.trustScore.raw.toFixed(2)} → ${score.value}`);
  expect(textOf('README.md')).toContain(`The answer says ${score.value}, ${score.message.split(':')[0]}`);
});

test('the weights of the table are the weights of the score', () => {
  const table = section(text, 'The weights');
  for (const gain of Object.values(weights.KIND_GAIN)) expect(table).toContain(`up to +${gain}`);
  expect(table).toContain(
    `+${weights.NAME_GAIN.least} for a name that very many bear, up to +${weights.NAME_GAIN.most}`,
  );
  expect(table).toContain(`+${weights.HISTORY_GAIN.perYear} a year, up to +${weights.HISTORY_GAIN.most}`);
  expect(table).toContain(`−${weights.CONFLICT_PENALTY} where`);
  expect(table).toContain(`−${weights.SPLIT_PENALTY} for each bit`);
  expect(text).toContain(`starts at −${-weights.PRIOR} bits`);
  expect(text).toContain(`the score is at most ${weights.NO_CONTACT_CAP}`);
});

test('the bits of each kind of agreement are those of the score', () => {
  const table = section(text, 'The weights').split('| agreement |')[1] ?? '';
  const listed = rows(`| agreement |${table}`).map(([, bits]) => Number(bits));
  const known = Object.values(weights.KEY_BITS).filter((bits) => bits > 0);
  expect(listed.toSorted()).toEqual(known.toSorted());
});
