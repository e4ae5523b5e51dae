// Lists of people inside objects of other programs.
import { expect, test } from 'vitest';
import { read, summarise } from './kit.ts';

const readObject = (object: object) => read(`${JSON.stringify(object)}\n`, { name: 'leases.jsonl' });
const donna = { id: 7, name: 'Donna Reed', email: 'd@post.example', phone: '206-938-7155' };
const paul = { id: 1, profile: { first_name: 'Paul', last_name: 'Reed' }, email: 'p@post.example' };

test('the people of a list are records of their own, and the first is the person of an object without one', async () => {
  const address = { street: '1 Elm St', city: 'Salem' };
  const items = await readObject({
    id: 1,
    address,
    tenants: [donna, paul, { name: 'Ann Lee' }],
    updated_at: '2024-01-02',
  });
  expect(items.map(({ recordId }) => recordId)).toEqual(['1', '1/tenants2']);
  expect(items.map(({ record }) => [record?.names, record?.contacts.length, record?.lastSeen])).toEqual([
    [['Donna Reed'], 3, Date.UTC(2024, 0, 2)],
    [['Paul Reed'], 1, Date.UTC(2024, 0, 2)],
  ]);
  expect(items[0]?.others).toBe(true);
});

test('no person of a list gets the name, the contacts or the address of the object', async () => {
  const own = { id: 1, email: 'reeds@post.example', addresses: [{ street: '1 Elm St', city: 'Salem' }] };
  expect(summarise(await readObject({ ...own, tenants: [donna] })).map(([names]) => names)).toEqual([
    [],
    ['Donna Reed'],
  ]);
  const [lease] = await readObject({
    id: 1,
    addresses: own.addresses,
    tenants: [{ ...donna, addresses: [{ street: '9 Old St', city: 'Keizer' }] }],
  });
  expect(lease?.record?.contacts.map(({ input }) => JSON.stringify(input)).join()).not.toContain('Old St');
});

test('parents in a list are not the pupil, and lists of things and of employees hold nobody', async () => {
  const lists = { parents: [donna], items: [{ name: 'Shirt', price: 3 }], managers: [paul] };
  const items = await readObject({ id: 1, class: '3b', birth_date: '2015-03-04', ...lists });
  expect(items.map(({ record }) => [record?.names, record?.birthDate])).toEqual([
    [undefined, undefined],
    [['Donna Reed'], null],
  ]);
});
