import { expect, test } from 'vitest';
import { identitiesIn, importInto, type Row, strangers } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

const TWO_PEOPLE = [
  ['Kovács Anna', 'Kovács Péter'],
  ['Kovács István', 'Kovács Istvánné'],
  ['Ostrandka István', 'Ostrandka Istvánné'],
  ['Kovacs Istvan', 'Kovacs Istvanne'],
  ['Whitcombe Margaret', 'Whitcombe Thomas'],
  ['Nguyễn Văn Hùng', 'Nguyễn Thị Lan'],
  ['Kim Minjun', 'Kim Seoyeon'],
  ['Иванов Иван', 'Иванов Пётр'],
  ['Hernández Ana', 'Hernández Luis'],
  ['Margaret Whitcombe', 'Thomas Whitcombe'],
];
const ONE_PERSON = [
  ['Margaret Whitcombe', 'Margaret Prescott'],
  ['Precious Emmanuel', 'Precious Okafor'],
  ['Katalin Szabó', 'Katalin Nagy'],
  ['Kovács Istvánné', 'Kovacs Istvanne'],
];

test('people with one family name, one phone and one home are two people, in any order of their names', async () => {
  const pairs = [...TWO_PEOPLE, ...ONE_PERSON];
  const rows = pairs.flatMap((names, i) =>
    names.map((name, j): Row => ({
      record_id: `${i}-${j}`,
      name,
      emails: [`${j === 0 ? 'first' : 'other.person'}${i}@post.example`],
      phones: [`+1 208 234 ${1000 + i}`],
      addresses: [{ street: `${100 + i} Juniper Terrace`, city: 'Boise', state: 'ID', zip: '83702' }],
    })),
  );
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, [[...strangers(400), ...rows]]);
  const of = new Map(await identitiesIn(graph));
  const isOne = pairs.map((names, i) => [...names, of.get(`${i}-0`) === of.get(`${i}-1`)]);
  expect(isOne).toEqual([
    ...TWO_PEOPLE.map((names) => [...names, false]),
    ...ONE_PERSON.map((names) => [...names, true]),
  ]);
}, 60_000);
