// Runs the examples of the pages: commands, requests and files must work unchanged.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { BACKED_UP_FILES } from '../../src/maintenance/data-files.ts';
import { compareNames, loadOperatorNameTable } from '../../src/names/index.ts';
import { freshApp, JANE } from '../kit/app.ts';
import { bonafide, runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { codeIn, fences, pageText, ROOT, rows, section } from '../kit/pages.ts';
import { bareEnvironment } from '../kit/programs/environment.ts';

const inFile = (name: string, text: string): string => {
  const file = join(freshFolder(), name);
  writeFileSync(file, text);
  return file;
};

test('importing: the record is read, nothing of it dropped', async () => {
  const [record = ''] = fences(pageText('importing'), 'json');
  const file = inFile('one.jsonl', record);
  const { stdout } = await runHere([
    'graph',
    'import',
    file,
    '--dry-run',
    '--json',
    '--data-dir',
    freshFolder(),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ read: 1, rejected: 0, dropped: 0 });
});

test('importing: the first hour gives the people and the verdict that it states', async () => {
  const guide = section(pageText('importing'), 'A first hour');
  const file = inFile(
    'orders-october.csv',
    (/(?:^ {4}\S.*\n)+/m.exec(guide)?.[0] ?? '').replace(/^ {4}/gm, ''),
  );
  const dataDir = ['--data-dir', freshFolder()];
  const { code } = await runHere(['graph', 'import', file, '--region', 'DE', '--source', 'shop', ...dataDir]);
  expect(code).toBe(0);
  const { stdout: why } = await runHere(['graph', 'why', '8001', '8005', ...dataDir]);
  expect(why).toContain('Both records are in one identity.');
  const bits = /^([\d.]+) bits in total, (\d+) needed/m.exec(why)?.slice(1) ?? ['-', '-'];
  expect(guide).toContain(`${bits[0]} [bits](glossary.md#checks); ${bits[1]} are`);
  const line = /bonafide (check .*)/.exec(guide)?.[1] ?? '';
  const args = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '');
  const { stdout } = await runHere([...args, ...dataDir]);
  const [score = '', verdict = ''] = /^(\d+) \/ 100[^]*?^([A-Z ]+):/m.exec(stdout)?.slice(1) ?? [];
  expect(guide).toContain(`The answer is ${score}, ${verdict}`);
});

test('importing: --map takes the fields of the table, and knows no other', async () => {
  const fields = rows(section(pageText('importing'), 'CSV')).flatMap(([, cell = '']) => codeIn(cell));
  const file = inFile(
    'one.csv',
    `${fields.map((field) => `x ${field}`).join()}\n${fields.map((field) => (field === 'deleted' ? 'no' : field)).join()}\n`,
  );
  const importing = (map: string) =>
    runHere(['graph', 'import', file, '--dry-run', '--map', map, '--data-dir', freshFolder()]);
  expect(await importing(fields.map((field) => `${field}=x ${field}`).join())).toMatchObject({ code: 0 });
  const { stderr } = await importing('nonsense=x');
  const known = / Fields: (.+)\./.exec(stderr)?.[1]?.split(', ') ?? [];
  expect(fields.toSorted()).toEqual(known.toSorted());
});

test('many: the people of the example are checked', async () => {
  const [, csv = ''] = /^ {4}printf '([^']+)' > people\.csv$/m.exec(pageText('many')) ?? [];
  const file = inFile('people.csv', csv.replaceAll('\\n', '\n'));
  const dataDir = ['--data-dir', freshFolder()];
  const [record = ''] = fences(pageText('importing'), 'json');
  await runHere(['graph', 'import', inFile('one.jsonl', record), ...dataDir]);
  const { code, stdout } = await runHere(['check', '--file', file, ...dataDir]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 people in .*: 2 checked\.$/m)]);
});

test('http: both shapes of a request are taken', async () => {
  const { post } = await freshApp();
  const bodies = fences(section(pageText('http'), 'A request'), 'json');
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect((await post('/v1/validate', body)).status).toBe(200);
});

test('settings: the file is one that can be read', async () => {
  const [text = ''] = fences(pageText('settings'), 'js');
  const file = inFile('bonafide.config.mjs', text);
  expect(await loadConfig({ env: {}, file })).toMatchObject({ dataDir: '/var/lib/bonafide', region: 'GB' });
});

test('ai-features: each line that chooses a model is taken', async () => {
  const folder = freshFolder();
  const lines = pageText('ai-features').match(/^ {4}bonafide features (use|off|list).*$/gm) ?? [];
  expect(lines.length).toBeGreaterThanOrEqual(5);
  for (const line of lines) {
    const args = line.trim().split(' ').slice(1);
    expect(await runHere([...args, '--data-dir', folder])).toMatchObject({ code: 0, stderr: '' });
  }
});

test('operating: the program that holds a Bonafide runs', () => {
  const code = fences(pageText('operating'), 'js').find((text) => text.includes("from 'bonafide'")) ?? '';
  const module = pathToFileURL(join(ROOT, 'src/index.ts')).href;
  const file = inFile('embed.mjs', code.replace("'bonafide'", `'${module}'`));
  const env = { ...bareEnvironment(), BONAFIDE_LOG: 'silent' };
  const said = execFileSync(process.execPath, [file], { cwd: freshFolder(), encoding: 'utf8', env });
  expect(said).toBe("{ status: 'ok' }\n");
});

describe('names', () => {
  const [comparison = '', tables = ''] = fences(pageText('names'), '');

  test('the comparison is what the command prints', async () => {
    const [line = '', ...shown] = comparison.split('\n');
    expect(line).toBe("$ bonafide names compare 'Bob Miller' 'Robert James Miller'");
    const { stdout } = await bonafide(['names', 'compare', 'Bob Miller', 'Robert James Miller']);
    expect(shown.join('\n')).toBe(stdout.replace(/ +$/gm, ''));
  });

  test('the figures in the code are those of the engine', () => {
    const { confidence, variation, same } = compareNames('Bob Miller', 'Robert James Miller');
    expect(pageText('names')).toContain(
      `{ confidence: ${confidence}, variation: '${variation}', same: ${same}, concerns: [],`,
    );
  });

  test('the table of names of your own is read', () => {
    expect(() => loadOperatorNameTable(inFile('names.txt', tables))).not.toThrow();
  });
});

test('privacy: every file that a server makes in its folder is in the table', async () => {
  const { folder, post } = await freshApp();
  await post('/v1/validate', JANE);
  const listed = rows(section(pageText('privacy'), 'Stored data')).map(([file]) => file);
  const made = readdirSync(folder).map((file) => file.replace(/-(wal|shm)$/, ''));
  expect([...made, ...BACKED_UP_FILES].filter((file) => !listed.includes(file))).toEqual([]);
});
