import { expect, test } from 'vitest';
import { identitiesIn, importInto, type Row } from '../../kit/graphs/graph.ts';
import { memoryGraph } from '../../kit/graphs/memory.ts';

type Person = Omit<Row, 'record_id'>;

/** Returns the number of identities that linking makes of these people's records. */
async function countIdentities(...people: Person[]): Promise<number> {
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, [people.map((one, i): Row => ({ record_id: `${i}`, ...one }))]);
  return new Set((await identitiesIn(graph)).values()).size;
}

const BOISE = { city: 'Boise', state: 'ID', zip: '83702' };

test('a graph of namesakes with years on 1 January does not make them one', async () => {
  const namesakes = Array.from({ length: 60 }, (_, i) => ({
    name: 'John Miller',
    birth_date: `${1930 + i}-01-01`,
    emails: [`jm${i}@mail.example`],
    phones: [`+1 503 556 1${100 + i}`],
    addresses: [{ ...BOISE, street: `${200 + 2 * i} Juniper Terrace` }],
  }));
  expect(await countIdentities(...namesakes)).toBe(60);
});

test('an equal 1 January is only a year: it needs a contact', async () => {
  const year = { name: 'Jane Doe', birth_date: '1969-01-01', addresses: [{ city: 'Boise', state: 'ID' }] };
  const one = { ...year, emails: ['jd@post.example'], phones: ['+1 206 300 1020'] };
  const two = { ...year, emails: ['doe@mail.example'], phones: ['+1 206 300 1077'] };
  expect(await countIdentities(one, two)).toBe(2);
  expect(await countIdentities(one, one)).toBe(1);
});

test('slips of a birth date are one person with a phone, another year is not', async () => {
  const born = (birth_date: string) => ({ name: 'Jane Doe', birth_date, phones: ['+1 206 300 1020'] });
  for (const slip of ['1969-07-21', '1996-07-20', '1968-07-20', '1970-07-20'])
    expect(await countIdentities(born('1969-07-20'), born(slip))).toBe(1);
  for (const other of ['1982-07-20', '1987-07-20'])
    expect(await countIdentities(born('1969-07-20'), born(other))).toBe(2);
});
