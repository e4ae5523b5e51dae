import { expect, test } from 'vitest';
import { adminApp, administered, sharedAdminApp } from '../kit.ts';
import { PEOPLE } from '../../../kit/app.ts';
import { inFrontOf, laptop, office } from '../../../kit/graphs/servers.ts';

const open = sharedAdminApp();

test('a person on record is found, shown and exported over HTTP', async () => {
  const it = await open();
  expect(await it.do('graph/find', { emails: ['jane.quimby@example.com'] })).toEqual({
    people: [
      {
        identity: 1,
        names: ['Jane Quimby'],
        has: [{ kind: 'email', index: 0, how: 'email', region: null }],
        records: [{ source: 'crm', record_id: '1', holds: true }],
      },
    ],
    more: 0,
    tried: null,
  });
  expect(await it.get('graph/identities/1')).toMatchObject({
    identity: 1,
    names: ['Jane Quimby'],
    merged_from: null,
  });
  expect(await it.get('graph/identities/1/export')).toMatchObject({
    records: [{ record_id: '1', fingerprints: { emails: 1, phones: 1, addresses: 1 } }],
  });
  expect(await it.do('graph/why', { a: 'crm:1', b: 'crm:2' })).toMatchObject({ together: false, needed: 3 });
  expect(await it.get('graph/identities/1/links')).toEqual({ links: [] });
});

test('forgetting shows its records first and needs their number; later checks do not find the person', async () => {
  const it = await adminApp();
  const asked = { emails: ['jane.quimby@example.com'] };
  expect(await it.do('graph/forget', asked)).toMatchObject({
    records: 1,
    people: [{ identity: 1 }],
    receipt: null,
  });
  expect(await it.refusal('POST', 'graph/forget', { ...asked, confirm: 2 })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/confirm', code: 'invalid_confirm' }],
  });
  const done = await it.do('graph/forget', { ...asked, confirm: 1 });
  expect(done).toMatchObject({ records: 1, receipt: { records: 1, identities: [1], traces: [] } });
  expect(await it.do('graph/find', asked)).toEqual({ people: [], more: 0, tried: null });
  const checked = JSON.parse(await (await it.post('/v1/validate', { name: 'Jane Quimby', ...asked })).text());
  expect(checked.input_validation.email).toMatchObject({ match_status: 'Unverified' });
  const [act] = (await it.get('audit')).items;
  expect(act).toMatchObject({ act: 'graph.forget', actor: it.admin.id, target: '' });
  expect(it.logged()).not.toContain('quimby');
});

test.each<[string, object, string, string]>([
  ['forget', { identities: [1, 99] }, '/identities/1', 'unknown_identity'],
  ['forget', { records: ['crm:99'] }, '/records/0', 'unknown_record'],
  ['forget', { identities: [1], emails: ['nobody@example.com'] }, '/emails/0', 'unknown_record'],
  ['forget', { phones: ['+1 415 555 0198'] }, '/phones/0', 'unknown_record'],
  ['join', { identities: [1, 99], why: 'x' }, '/identities/1', 'unknown_identity'],
  ['split', { records: ['99'], why: 'x' }, '/records/0', 'unknown_record'],
  ['why', { a: 'crm:1', b: 'crm:99' }, '/b', 'unknown_record'],
])('graph/%s with %j points to the value that is not on record', async (route, body, pointer, code) => {
  const it = await adminApp();
  expect(await it.refusal('POST', `graph/${route}`, body)).toMatchObject({
    status: 422,
    errors: [{ pointer, code }],
  });
});

test('a server in front of another graph says that it stores no records', async () => {
  const it = administered(await laptop(inFrontOf(await office(PEOPLE))));
  const errors = [
    { detail: expect.stringMatching(/^This server stores no records: .* Do this on the server/) },
  ];
  for (const [route, body] of [
    ['graph/forget', { identities: [1] }],
    ['graph/find', { emails: ['jane.quimby@example.com'] }],
    ['graph/verify', undefined],
  ] as const)
    expect(await it.refusal('POST', route, body)).toMatchObject({ status: 422, errors });
});

test('a source is removed over HTTP, and an unknown source is not found', async () => {
  const it = await adminApp();
  expect(await it.refusal('POST', 'graph/sources/remove', { source: 'nobody’s' })).toMatchObject({
    status: 404,
  });
  expect(await it.do('graph/sources/remove', { source: 'crm' })).toMatchObject({ records: 0, identities: 0 });
  expect((await it.get('graph/sources')).items).toEqual([]);
  const [act] = (await it.get('audit')).items;
  expect(act).toMatchObject({ act: 'graph.remove-source', actor: it.admin.id, target: 'crm' });
  expect(await it.refusal('POST', 'graph/import/undo')).toMatchObject({ status: 404 });
});

test('a manual link is made, listed and undone in the name of the key', async () => {
  const it = await adminApp();
  expect(await it.do('graph/join', { identities: [1, 2], why: 'they told us' })).toEqual({
    id: 1,
    kind: 'join',
    records: 2,
    identities: [1],
  });
  expect((await it.get('graph/judgements')).items).toMatchObject([
    { id: 1, kind: 'join', who: it.admin.id, why: 'they told us', undone: null, records: [2] },
  ]);
  expect(await it.do('graph/judgements/1/undo')).toMatchObject({ id: 1, records: 2 });
  expect(await it.refusal('POST', 'graph/judgements/1/undo')).toMatchObject({ status: 404 });
});

test('unknown people and impossible requests are refused, and no input is repeated', async () => {
  const it = await open();
  expect(await it.refusal('GET', 'graph/identities/99')).toMatchObject({ status: 404 });
  expect(await it.refusal('GET', 'graph/identities/x')).toMatchObject({ status: 404 });
  const nobody = await it.refusal('POST', 'graph/why', { a: 'crm:secret@example.com', b: 'crm:2' });
  expect(nobody.status).toBe(422);
  const unreadable = await it.refusal('POST', 'graph/find', { emails: ['secret'] });
  expect(unreadable).toMatchObject({
    status: 422,
    errors: [{ detail: expect.stringContaining('cannot be read') }],
  });
  expect(JSON.stringify([nobody, unreadable])).not.toContain('secret');
});

test('the graph is verified and compacted over HTTP; people who came back are forgotten again', async () => {
  const it = await open();
  expect(await it.do('graph/verify', {})).toMatchObject({ wrong: 0, settled: true });
  expect(await it.do('graph/compact', {})).toEqual({ completed: null, logs_empty: true });
  expect(await it.do('graph/forget', { again: true })).toEqual({ records: 0, people: [], receipt: null });
});

test('most of the graph is forgotten by age only if the clock is confirmed, when nobody was seen for a year', async () => {
  const old = { name: 'Olga Thorvald', last_seen: '2015-01-01' };
  const people = ['1', '2', '3'].map((record_id) => ({ ...old, record_id, source: 'old' }));
  const it = await adminApp({ people });
  const { records } = await it.do('graph/forget', { older_than: '1826d' });
  const asked = { older_than: '1826d', confirm: records };
  expect(await it.refusal('POST', 'graph/forget', asked)).toMatchObject({
    status: 422,
    errors: [{ pointer: '/clock_is_right' }],
  });
  expect(await it.do('graph/forget', { ...asked, clock_is_right: true })).toMatchObject({ records: 3 });
});
