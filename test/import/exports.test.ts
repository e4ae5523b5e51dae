// Files as shops, mail programs and offices export them, each with the expected result of an import without
// options.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../src/import/items.ts';
import { readRecords } from '../../src/import/read.ts';
import type { ColumnMappingReport } from '../../src/import/input/plan.ts';
import type { DetectedInputFormat } from '../../src/import/input/input.ts';

const FOLDER = new URL('../fixtures/exports/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => !file.endsWith('.expected.txt'));

/** Returns everything that is read of a file, as text to compare. */
async function readAs(file: string): Promise<string> {
  const told: string[] = [];
  let form: DetectedInputFormat | undefined;
  let made = 0;
  const options = {
    name: file,
    onInputDetected: (one: DetectedInputFormat) => void (form = one),
    makeId: () => `made ${++made}`,
    onPlan: async ({ columns }: ColumnMappingReport) => {
      const used = columns.filter(({ field }) => field !== null);
      told.push(
        used.map(({ header, field, group }) => `${header} = ${field}${group && `.${group}`}`).join('\n'),
      );
    },
  };
  for await (const { line, recordId, record, problem, aside, dropped } of readRecords(
    createReadStream(new URL(file, FOLDER)),
    options,
  )) {
    const { names = [], contacts = [], birthDate, firstSeen, lastSeen, gender } = record ?? {};
    const seen = [firstSeen, lastSeen]
      .map((at) => (at ? new Date(at).toISOString().slice(0, 10) : '-'))
      .join(' to ');
    told.push(
      [
        `line ${line}: ${recordId ?? 'no id'} ${problem ?? aside ?? names.join(' | ')}`,
        ...contacts.map(({ kind, standardized: is }) =>
          typeof is === 'string'
            ? `${kind} ${is}`
            : `${kind} ${Object.values(is).filter(Boolean).join(' | ')}`,
        ),
        ...(birthDate ? [`born ${birthDate}`] : []),
        ...(gender ? [gender] : []),
        ...(firstSeen || lastSeen ? [`seen ${seen}`] : []),
        ...dropped,
      ].join('\n  '),
    );
  }
  return `${[`${form?.encoding}`, ...told].join('\n\n')}\n`;
}

test.each(FILES)('%s', async (file) => {
  await expect(await readAs(file)).toMatchFileSnapshot(new URL(`${file}.expected.txt`, FOLDER).pathname);
});

const SHOPS = new URL('../fixtures/shops/', import.meta.url);
/** Facts of exports of shops, written down before they were first read: file, line, person (- if the row is left out), contacts and postcodes. */
const FACTS = readFileSync(new URL('facts.tsv', SHOPS), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

test.each([...new Set(FACTS.map(([file = '']) => file))])(
  '%s gives the right people, without firms and guests',
  async (file) => {
    const people = new Map<string, string>();
    const region = file.startsWith('prestashop') ? 'FR' : 'US';
    const options = { name: file, region, makeId: () => `row ${people.size}` };
    for await (const { line, record } of readRecords(createReadStream(new URL(file, SHOPS)), options)) {
      const contacts = JSON.stringify(record?.contacts.map(({ standardized }) => standardized));
      people.set(`${line}`, record ? `${record.names.join() || '(no name)'} ${contacts}` : '-');
    }
    for (const [, line = '', who = '', contacts = ''] of FACTS.filter(([name]) => name === file)) {
      const read = people.get(line) ?? '-';
      const values = contacts.split(' ').filter((value) => value !== '' && !read.includes(value));
      expect([line, read.slice(0, who === '-' ? undefined : who.length + 2), values]).toEqual([
        line,
        who === '-' ? '-' : `${who} [`,
        [],
      ]);
    }
  },
);

describe('a table', () => {
  const table = async (...lines: string[]) => {
    const input = Readable.from([Buffer.from(lines.join('\n'))]);
    const items = [];
    for await (const item of readRecords(input, { name: 'people.csv', makeId: () => 'row' }))
      items.push(item);
    return items;
  };
  const contactsOf = ({ record }: ImportRecordOrProblem) =>
    record?.contacts.flatMap(({ kind, standardized }) => (kind === 'address' ? [] : [standardized]));

  it.each([
    ['H,M', ['male', 'female']],
    ['H,F', ['male', 'female']],
    ['M,F', ['male', 'female']],
  ])('with the genders %s', async (initials, genders) => {
    const rows = initials.split(',').map((initial, i) => `Ana Lee ${i},${initial}`);
    expect((await table('Name,Sexo', ...rows)).map(({ record }) => record?.gender)).toEqual(genders);
  });

  it('has e-mails in a column of phones', async () => {
    const items = await table('Name,Phone', 'Ann Lee,ann@example.com');
    expect(items.map(contactsOf)).toEqual([['ann@example.com']]);
  });

  it('names whose address a row without a customer has', async () => {
    const people = await table(
      'email,firstname,lastname,_address_firstname,_address_lastname,_address_city,_address_telephone',
      'ann@example.com,Ann,Lee,Ann,Lee,Salem,503-555-0142',
      ',,,Bo,Dijk,Portland,503-555-0143',
    );
    expect(people.map((item) => [item.record?.names, contactsOf(item)])).toEqual([
      [['Ann Lee'], ['ann@example.com', '+15035550142']],
      [['Bo Dijk'], ['+15035550143']],
    ]);
  });

  it('says where an unusable phone would be valid', async () => {
    const items = await table('Name,Phone', 'Ann Lee,20 55 50 11');
    expect(items.map(contactsOf)).toEqual([[]]);
    expect(items[0]?.notes).toMatchObject({ regionPhones: 1 });
  });
});
