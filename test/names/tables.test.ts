import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compareNames, loadOperatorNameTable } from '../../src/names/index.ts';
import { readBuiltInTable } from '../../src/names/tables.ts';

const own = (text: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'names-')), 'own.txt');
  writeFileSync(file, text);
  return file;
};

test.each(['nicknames', 'spellings', 'cultural', 'given', 'surnames', 'words', 'han', 'scripts'])(
  'the table %s says where it is from',
  (name) => {
    expect(readBuiltInTable(`${name}.txt`)).toMatch(/^#.*\n(#.*\n)*# Origin: /);
  },
);

test('an operator can add short forms, spellings, equivalents and names', () => {
  expect(compareNames('Quimbo Alder', 'Xavionne Alder').same).toBe(false);
  loadOperatorNameTable(
    own(
      '# ours\n[nicknames]\nxavionne: quimbo\n[cultural]\nfenbarra ossilia\n[male]\nborgul\n[surname]\nalder\n',
    ),
  );
  expect(compareNames('Quimbo Alder', 'Xavionne Alder')).toMatchObject({ same: true, variation: 'nickname' });
  expect(compareNames('Fenbarra Alder', 'Ossilia Alder')).toMatchObject({
    same: true,
    variation: 'cultural',
  });
});

test('a missing table and an unknown section are errors that say what to do', () => {
  expect(() => loadOperatorNameTable('/nowhere/own.txt')).toThrow(/There is no name table/);
  expect(() => loadOperatorNameTable(own('[pets]\nrex\n'))).toThrow(/\[pets\]. Use \[nicknames\]/);
});

test('a rare family name alone counts more than a common one', () => {
  const rare = compareNames('Zwetschkenbaum', 'Alfred Zwetschkenbaum').confidence;
  expect(rare).toBeGreaterThan(compareNames('Smith', 'Alfred Smith').confidence);
});
