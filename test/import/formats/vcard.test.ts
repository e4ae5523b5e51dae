import { expect, test } from 'vitest';
import { readVcards } from '../../../src/import/formats/vcard.ts';

async function cardOf(...properties: string[]) {
  const lines = ['BEGIN:VCARD', 'VERSION:4.0', ...properties, 'END:VCARD'];
  const batch = lines.map((text, i) => ({ line: i + 1, text }));
  const batches = async function* () {
    yield batch;
  };
  for await (const [card] of readVcards(batches()))
    if (card) return { ...card, record: JSON.parse(card.text) };
  throw new Error('no card');
}

test.each([
  ['an organisation by its kind', ['FN:Osgood Works', 'N:Osgood Works;;;;', 'KIND:org', 'TEL:+4930231250']],
  ['one that is called as its organisation', ['FN:Osgood Works', 'ORG:Osgood Works', 'TEL:+4930231250']],
  [
    'so is one with that in the place of a name',
    ['FN:Osgood Works', 'N:Osgood Works;;;;', 'ORG:Osgood Works'],
  ],
  ['one with a legal form', ['FN:Osgood Ltd', 'TEL:+4930231250']],
])('a card of %s is a company', async (_what, properties) => {
  expect(await cardOf(...properties)).toMatchObject({ aside: 'company' });
});

test('a guest has no name, and is left out without contacts', async () => {
  expect(await cardOf('FN:Guest Guest', 'N:Guest;Guest;;;')).toMatchObject({ aside: 'placeholder' });
  const reached = await cardOf('FN:Guest Guest', 'N:Guest;Guest;;;', 'TEL:+4930231250');
  expect(reached.aside).toBeUndefined();
  expect(reached.record).toMatchObject({ names: [], phones: ['+4930231250'] });
  expect(reached.record.name).toBeUndefined();
});

test('an employee of a company, or the owner of a company of the same name, is a person', async () => {
  expect((await cardOf('FN:Jo Lee', 'ORG:Osgood Works')).aside).toBeUndefined();
  expect((await cardOf('FN:Jo Lee', 'N:Lee;Jo;;;', 'ORG:Jo Lee')).aside).toBeUndefined();
});
