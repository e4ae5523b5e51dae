import { writeFileSync } from 'node:fs';
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
