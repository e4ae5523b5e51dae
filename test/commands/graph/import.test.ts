import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

const MAIL = { record_id: 'm1', source: 'crm', name: 'Mergo Splitto', emails: ['m@post.example'] };
const PHONE = { record_id: 'm2', source: 'crm', name: 'Mergo Splitto', phones: ['+1 503 234 0101'] };
const BOTH = { ...PHONE, ...MAIL, record_id: 'm3' };

test('identities that a deleted record had merged get their earlier numbers back', async () => {
  const folder = freshFolder();
  const graph = async (...args: string[]) => (await runHere(['graph', ...args, '--data-dir', folder])).stdout;
  const taken = (rows: object[], ...command: string[]) => {
    const file = join(freshFolder(), 'rows.jsonl');
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return graph(...command, file);
  };
  const shown = async (number: number) =>
    (await graph('show', `${number}`)).match(/^identity .*|(?<=^record crm:)m\d/gm);
  await taken([MAIL, PHONE], 'import');
  for (const command of [['import'], ['watch', '--once']]) {
    await taken([BOTH], ...command);
    expect(await shown(2)).toEqual(['identity 1 (identity 2 was merged into it)', 'm1', 'm2', 'm3']);
    await taken([{ record_id: 'm3', source: 'crm', deleted: true }], ...command);
    expect(await shown(1)).toEqual(['identity 1', 'm1']);
    expect(await shown(2)).toEqual(['identity 2', 'm2']);
  }
});

test('a dry run lists rows left out in the file that --rejects names', async () => {
  const folder = freshFolder();
  const [file, rejects] = [join(folder, 'people.csv'), join(folder, 'rejects.jsonl')];
  writeFileSync(file, 'id,Name\n1,Ann Lee\n2,Ann and Bob Lee\n3,Harbor Supply LLC\n,\n');
  const data = join(folder, 'data');
  await runHere(['graph', 'import', file, '--data-dir', data, '--dry-run', '--rejects', rejects]);
  const lines = readFileSync(rejects, 'utf8').trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { line: 3, record_id: '2', reason: 'left out, not a person: couple or family' },
    { line: 4, record_id: '3', reason: 'left out, not a person: company' },
  ]);
  expect(readdirSync(folder)).toEqual(['people.csv', 'rejects.jsonl']);
});
