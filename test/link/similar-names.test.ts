import { expect, test } from 'vitest';
import { identitiesIn, importInto, type Row, strangers } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

test('a similar name and one birth date with other contacts make one person in no graph, however large', async () => {
  const others = Array.from({ length: 2000 }, (_, i): Row => {
    const word = (i * 7919 + 40_000)
      .toString(36)
      .replaceAll(/\d/g, (digit) => 'aeioulmnrs'[Number(digit)] ?? '');
    return {
      record_id: `o${i}`,
      name: `${word}a ${word}son`,
      birth_date: `19${10 + (i % 80)}-0${1 + (i % 9)}-11`,
    };
  });
  const born = (record_id: string, name: string, email: string): Row => ({
    record_id,
    name,
    birth_date: '1980-02-02',
    emails: [email],
  });
  const rows = [
    born('a', 'Lena Berg', 'lena@k.example'),
    born('b', 'Lena Burg', 'burg@l.example'),
    // The same name, or a contact in common, still makes one person.
    born('c', 'Hugo Lindt', 'hugo@k.example'),
    born('d', 'Hugo Lindt', 'lindt@l.example'),
    born('e', 'Emil Novak', 'emil@k.example'),
    born('f', 'Emil Nowak', 'emil@k.example'),
  ];
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, [others, rows]);
  const of = new Map(await identitiesIn(graph));
  const isOne = (one: string, two: string) => of.get(one) === of.get(two);
  expect([isOne('a', 'b'), isOne('c', 'd'), isOne('e', 'f')]).toEqual([false, true, true]);
}, 60_000);

const TWO_PEOPLE = [
  ['Kovács Anna', 'Kovács Péter'],
  ['Kovács István', 'Kovács Istvánné'],
  ['Ostrandka István', 'Ostrandka Istvánné'],
  ['Kovacs Istvan', 'Kovacs Istvanne'],
  ['Whitcombe Margaret', 'Whitcombe Thomas'],
  ['Nguyễn Văn Hùng', 'Nguyễn Thị Lan'],
  ['Nguyễn Văn Hùng', 'Nguyễn Văn Hưng'],
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
  ['Nguyễn Văn Hùng', 'Nguyen Van Hung'],
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
