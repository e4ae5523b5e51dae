// A server whose upstream graph is on another server, over a real connection.
import { expect, test } from 'vitest';
import { JANE, json, PEOPLE, type TestApp } from '../../kit/app.ts';
import { strangers } from '../../kit/graphs/graph.ts';
import { inFrontOf, laptop, office } from '../../kit/graphs/servers.ts';

const [first, second] = strangers(40);
const ABROAD = {
  record_id: 'abroad',
  source: 'crm',
  name: 'Élodie Marchand-Ruiz',
  emails: ['elodie.marchand@post.example'],
  phones: ['+44 20 7946 0018', '+33 1 42 68 53 00'],
  addresses: [{ street: '12 rue des Lilas', city: 'Lyon', zip: '69003', country: 'FR' }],
};
const CHECKS: object[] = [
  JANE,
  { name: 'Nobody Atall', emails: ['nobody@nowhere.example'] },
  { name: 'jane QUIMBY ' },
  { ...JANE, name: 'Robert Vandermeer' },
  { name: 'Jane Quimbey', emails: ['jane.quimbi@example.com'], phones: ['415.555.0134 x12', '12125550177'] },
  { name: first?.name, phones: first?.phones, addresses: second?.addresses },
  {
    name: 'Elodie Marchand',
    phones: ['020 7946 0018'],
    addresses: [{ street: '1 High Street', country: 'GB' }],
  },
  { name: 'Elodie Marchand', phones: ['0142685300'], addresses: ABROAD.addresses },
  { name: 'Elodie Marchand', addresses: [{ street: '12 rue des Lilas, 69003 Lyon' }, { city: 'Lyon' }] },
  {
    nameAddresses: [{ fullName: 'Jane Quimby', address: { line1: '12 Larch St', postalCode: '62701-1234' } }],
  },
  { name: '王小明', emails: ['ÜMLAUT@Exämple.com', 'elodie.marchand@post.example'] },
  { name: '<b>Jane</b>', emails: ['jane.quimby@example.com'], phones: ['999999999999999'] },
];

/** Returns the text of an answer without the ids of the call. */
const told = async (server: TestApp, check: object, query = '') =>
  (await (await server.post(`/v1/validate${query}`, check)).text()).replace(/"req_\w+"/, '""');

test('a server with an upstream graph gives the same answers, byte for byte, as the upstream server', async () => {
  const behind = await office([...PEOPLE, ABROAD, ...strangers(40)]);
  const front = await laptop(inFrontOf(behind));
  for (const check of CHECKS)
    for (const [asked, query] of [
      [check, ''],
      [check, '?response=v2'],
      [{ ...check, operation: 'raw' }, ''],
    ] as const)
      expect(await told(front, asked, query)).toBe(await told(behind, asked, query));
});

test('values without a country belong to the region of the server that receives the check', async () => {
  const behind = await office([ABROAD]);
  const front = await laptop(inFrontOf(behind), { region: 'GB' });
  const answer = await json(front.post('/v1/validate', { name: 'Elodie Marchand', phones: ['02079460018'] }));
  expect(answer.input_validation.phone.match_status).toBe('Primary Match');
});

test('a server between two servers forwards queries', async () => {
  const behind = await office(PEOPLE);
  const middle = await office([], { graph: `${inFrontOf(behind)},serve=true` });
  const front = await laptop(inFrontOf(middle));
  expect(front.logged()).not.toMatch(/"warn"/);
  const counts = { records: 2, identities: 2 };
  const admin = front.key(['admin']);
  expect(await json(front.send('/admin/v1/graph', { key: admin }))).toMatchObject(counts);
  expect((await front.send('/admin/v1/graph/sources', { key: admin })).status).toBe(503);
  expect(await told(front, JANE)).toBe(await told(behind, JANE));
});
