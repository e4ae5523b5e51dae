import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLabelledCasesAndColumns } from '../../src/commands/labelled-cases.ts';
import { CASE_LABEL_FIELD_NAMES, parseLabelledCase } from '../../src/evaluate/cases.ts';
import { CASE_TYPES } from '../../src/generate/checks/index.ts';
import { freshFolder } from '../kit/folder.ts';
import { codeIn, fences, pageText, rows, section } from '../kit/pages.ts';

const text = section(pageText('evaluating'), 'The file of cases');

test('the examples are read, both as the same two cases', async () => {
  const read = ['csv', 'jsonl'].map((ending) => {
    const file = join(freshFolder(), `cases.${ending}`);
    writeFileSync(file, fences(text, ending)[0] ?? '');
    return readLabelledCasesAndColumns(file);
  });
  for (const { cases } of await Promise.all(read))
    expect(cases.map(({ id, role }) => [id, role])).toEqual([
      ['a-1', 'genuine'],
      ['a-2', 'not_genuine'],
    ]);
});

test('each label is listed', () => {
  const listed = rows(text.slice(0, text.indexOf('graph generate'))).map(([label]) => label);
  expect(listed.toSorted()).toEqual(CASE_LABEL_FIELD_NAMES.filter((label) => label !== 'id').toSorted());
});

test('every kind that is generated counts as the page says', () => {
  const listed = rows(text.slice(text.indexOf('graph generate')));
  const roleOf = (kind: string) => {
    const one = parseLabelledCase({ kind, request: { name: 'Jane' } }, 1);
    return typeof one === 'string' ? one : one.role.replace('_', ' ');
  };
  const said = listed.flatMap(([kinds = '', role = '']) =>
    codeIn(kinds.split(';')[0]?.replace(/^([a-z_]+)$/, '`$1`') ?? '').map((kind) => [kind, role]),
  );
  expect(said).toEqual(said.map(([kind = '']) => [kind, roleOf(kind)]));
  expect(said.map(([kind]) => kind).toSorted()).toEqual(CASE_TYPES.map(([kind]) => kind).toSorted());
});
