import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOnce } from '../src/app.ts';
import { fillDemoGraph } from '../src/commands/demo.ts';
import graph from '../src/commands/graph.ts';
import { ENVIRONMENT, loadConfig } from '../src/config.ts';
import { PROBLEMS } from '../src/http/problems.ts';
import * as weights from '../src/score/weights.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const section = (title: string) =>
  readme.split(`### ${title}\n`)[1]?.split('\n### ')[0]?.split('\n## ')[0] ?? '';
const cells = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
    .slice(1)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const bare = (cell: string | undefined) => (cell ?? '').replaceAll('`', '');

const minus = (text: string) => text.replaceAll('−', '-');

test('the worked example of the score is what the demo request gets', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bonafide-readme-'));
  try {
    const config = await loadConfig({ flags: { dataDir }, env: {} });
    await fillDemoGraph(config);
    const body = JSON.parse(
      readFileSync(new URL('../data/sample/demo-request.json', import.meta.url), 'utf8'),
    );
    const { verdict } = await checkOnce(config, body);
    const example = section('The score').split('A worked example')[1] ?? '';
    const listed = cells(example).map(([, bits]) => minus(bits ?? ''));
    const reasons = verdict.trustScore.reasons.map((reason) => reason.split(' ')[0]);
    expect(listed).toEqual(expect.arrayContaining(reasons));
    expect(listed.at(-1)).toBe(`${verdict.trustScore.raw.toFixed(2)} → ${verdict.score}`);
    expect(readme).toContain(`The answer says ${verdict.score}, ${verdict.message.split(':')[0]}`);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

describe('the README says what the code does', () => {
  test('every setting and its environment variable is listed, and no other', () => {
    const listed = Object.fromEntries(
      cells(section('Settings')).map(([name, variable]) => [bare(name), bare(variable)]),
    );
    expect(listed).toEqual(ENVIRONMENT);
  });

  test('every error code and its status is listed, and no other', () => {
    const listed = Object.fromEntries(
      cells(section('Errors')).map(([status, code]) => [bare(code), Number(status)]),
    );
    expect(listed).toEqual(
      Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
    );
  });

  test('every route is listed, and no other', () => {
    const source = readFileSync(new URL('../src/http/server.ts', import.meta.url), 'utf8');
    const served = [...source.matchAll(/route\(app, '([^']+)', \{ (\w+):/g)].map(
      ([, path, method]) => `${method} ${path}`,
    );
    const listed = [...section('Routes').matchAll(/`((?:GET|POST) \/[^`]+)`/g)].map(
      ([, route]) => route as string,
    );
    expect(listed.toSorted()).toEqual(served.toSorted());
  });

  test('every command is listed', async () => {
    const source = readFileSync(new URL('../src/commands/run.ts', import.meta.url), 'utf8');
    const listed = section('Commands');
    const names = [...source.matchAll(/^ {2}(\w+): \(\) => load\(/gm)].map(([, name]) => name);
    expect(names).toContain('serve');
    for (const name of names) expect(listed).toContain(`\`${name}`);
    for (const name of Object.keys(graph.subCommands as object)) expect(listed).toContain(`graph ${name}`);
  });

  test('the weights of the scoring table are the weights of the score', () => {
    const text = section('The score');
    for (const gain of Object.values(weights.KIND_GAIN)) expect(text).toContain(`up to +${gain}`);
    expect(text).toContain(
      `+${weights.NAME_GAIN.least} for a name that very many bear, up to +${weights.NAME_GAIN.most}`,
    );
    expect(text).toContain(`+${weights.HISTORY_GAIN.perYear} a year, up to +${weights.HISTORY_GAIN.most}`);
    expect(text).toContain(`−${weights.FOREIGN_PENALTY} where`);
    expect(text).toContain(`−${weights.SPLIT_PENALTY} for each bit`);
    expect(text).toContain(`starts at −${-weights.PRIOR} bits`);
    expect(text).toContain(`at most ${weights.NO_CONTACT_CAP}`);
  });
});
