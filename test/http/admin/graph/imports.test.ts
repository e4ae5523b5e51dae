// Imports of uploaded files over HTTP: read, corrected, imported, undone.
import { globSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { listAuditEntries } from '../../../../src/store/audit.ts';
import { openSqliteStore, getStoreFile } from '../../../../src/store/sqlite/open.ts';
import { json } from '../../../kit/app.ts';
import { adminApp, sharedAdminApp } from '../kit.ts';

const FILE = { 'content-type': 'application/octet-stream' };
const SHOP = `Kunde;Zeichen;Mailadresse
Oda Thorvald;17;oda@example.net
Ned Quarry;18;ned@example
Acme GmbH;19;info@acme.example
Summe;3;
`;
const OF_ODA = { name: 'Oda Thorvald', emails: ['oda@example.net'] };

const open = sharedAdminApp();

const listUploads = (folder: string) =>
  globSync('uploads/*', { cwd: folder, exclude: ['**/*.rejects'] }).map(
    (file) => basename(file).split('.')[0],
  );

async function importing(it: Awaited<ReturnType<typeof adminApp>>) {
  const send = async (body: string | Buffer, name: string) =>
    it.ask('POST', `graph/imports?name=${encodeURIComponent(name)}`, body, FILE);
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        const view = await json(it.ask('GET', `graph/imports/${id}`));
        if (['reading', 'importing'].includes(view.state)) throw new Error(view.state);
        return view;
      },
      { timeout: 120_000, interval: 30 },
    );
  const read = async (body: string | Buffer, name: string) => {
    const response = await send(body, name);
    expect(response.status).toBe(201);
    return ended((await json(response)).id);
  };
  const before = listUploads(it.folder);
  const onRecord = async () =>
    (await json(it.post('/v1/validate', OF_ODA))).input_validation.email.match_status;
  return {
    ...it,
    send,
    read,
    ended,
    onRecord,
    uploads: () => listUploads(it.folder).filter((id) => !before.includes(id)),
  };
}

test('a file is read without changing the graph, imported as a whole, and undone', async () => {
  const { read, ended, ask, do: done, onRecord, folder, uploads } = await importing(await adminApp());
  const view = await read(gzipSync(SHOP), 'shop.csv.gz');
  expect(view).toMatchObject({
    name: 'shop.csv.gz',
    state: 'ready',
    failed: null,
    found: { read: 2, companies: 1, totals: 1, dropped: 1, became: null, form: { packing: 'gzip' } },
  });
  expect(view.found.columns).toMatchObject([{ field: 'name' }, {}, { field: 'email' }]);
  expect(JSON.stringify(view)).not.toMatch(/Thorvald|oda@/);
  expect(view.found.unusable).toMatchObject([
    { line: 3, whole: false },
    { line: 4, whole: true },
  ]);
  expect(await onRecord()).toBe('Unverified');

  await done(`graph/imports/${view.id}/start`, { source: 'shop', map: 'record_id=Zeichen' });
  const imported = await ended(view.id);
  expect(imported).toMatchObject({
    state: 'done',
    found: { sources: [{ source: 'shop', records: 2 }], became: { added: 2 } },
  });
  expect(await onRecord()).toBe('Primary Match');
  expect(uploads()).toEqual([]);
  expect(await json(ask('GET', 'graph/imports'))).toMatchObject({
    items: [{ id: view.id, state: 'done', reading: { source: 'shop', map: 'record_id=Zeichen' } }],
    undo: { added: 2, replaced: 0, removed: 0 },
    refused: null,
  });
  expect((await ask('POST', `graph/imports/${view.id}/start`, {})).status).toBe(422);

  // An import that was killed later had not changed the graph.
  const mark = join(folder, 'import-begun.0123abcd-1');
  writeFileSync(mark, String(Date.now()));
  const sixMinutesAgo = Date.now() / 1000 - 360;
  utimesSync(mark, sixMinutesAgo, sixMinutesAgo);
  const refused = await ask('POST', 'graph/import/undo');
  expect([refused.status, JSON.stringify(await refused.json())]).toEqual([
    422,
    expect.stringMatching(/"detail":"Nothing was undone\. .*\(2 records added/),
  ]);
  expect(await done('graph/import/undo', {})).toMatchObject({ removed: 2 });
  expect(await json(ask('GET', 'graph/imports'))).toMatchObject({ undo: null });
  expect(await onRecord()).toBe('Unverified');
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const acts = listAuditEntries(store, { limit: 10 });
  expect(acts.map(({ act, actor, target }) => [act, actor.slice(0, 4), target])).toContainEqual([
    'graph.import',
    'key_',
    'shop',
  ]);
  store.close();
});

test('the fields of columns can be given, and an unreadable file is reported', async () => {
  const { read, ended, do: done, ask, uploads } = await importing(await open());
  const view = await read('No,A,B\n1,Oda Thorvald,oda@example.net\n', 'strange.csv');
  expect(view).toMatchObject({ state: 'failed', found: { read: 0, became: null } });
  expect(view.failed.detail).toMatch(/no column/);
  expect(view.found.columns).toMatchObject([
    { header: 'No', field: null, examples: ['9'] },
    { header: 'A', field: null, examples: ['Xxx Xxxxxxxx'] },
    { header: 'B' },
  ]);
  const bare = await read('Oda Thorvald,oda@example.net\nNed Quarry,ned@example.net\n', 'bare.csv');
  expect(bare).toMatchObject({ state: 'failed', found: null });
  expect(bare.failed.detail).toMatch(/looks like data/);
  await ask('POST', `graph/imports/${bare.id}/drop`);
  await done(`graph/imports/${view.id}/read`, { map: 'record_id=No\nname=A\nemail=B' });
  expect(await ended(view.id)).toMatchObject({ state: 'ready', failed: null, found: { read: 1 } });
  const dropped = await ask('POST', `graph/imports/${view.id}/drop`);
  expect(await dropped.json()).toMatchObject({ state: 'dropped' });
  expect((await ask('GET', `graph/imports/${view.id}`)).status).toBe(404);
  expect(uploads()).toEqual([]);
  expect(await read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'old.xls')).toMatchObject({
    state: 'failed',
    failed: { code: 'unreadable_file' },
  });
});

test('one file is read or imported at a time, and a refused file is removed', async () => {
  const { send, ended, ask, uploads } = await importing(await open());
  const [first, second] = await Promise.all([send(SHOP, 'a.csv'), send(SHOP, 'b.csv')]);
  expect([first.status, second.status].sort()).toEqual([201, 503]);
  const { id } = await json(first.status === 201 ? first : second);
  await ended(id);
  expect(uploads()).toEqual([id]);
  const large = await ask('POST', 'graph/imports', SHOP, { ...FILE, 'content-length': String(2 ** 29) });
  expect(large.status).toBe(413);
  expect((await ask('POST', 'graph/imports', SHOP, { 'content-type': 'text/csv' })).status).toBe(415);
  expect((await ask('POST', 'graph/imports?name=..%2Fx', SHOP, FILE)).status).toBe(422);
  expect((await ask('POST', 'graph/imports?name=%1b%5b2Jx', SHOP, FILE)).status).toBe(422);
  expect(uploads()).toEqual([id]);
});

test('a stopped import leaves nothing behind, and the audit log names no file', async () => {
  const { read, ended, ask, do: done, onRecord, folder, uploads } = await importing(await adminApp());
  const { id } = await read(SHOP, 'Oda Thorvald.csv');
  const { undo } = await json(ask('GET', 'graph/imports'));
  await done(`graph/imports/${id}/start`, {});
  const stopped = await json(ask('POST', `graph/imports/${id}/drop`));
  expect(stopped).toMatchObject({ state: 'dropped', failed: null });
  expect(await json(ask('GET', 'graph/imports'))).toMatchObject({ items: [], undo });
  expect(uploads()).toEqual([]);
  expect(await onRecord()).toBe('Unverified');
  const again = await read(SHOP, 'Oda Thorvald.csv');
  await done(`graph/imports/${again.id}/start`, {});
  expect(await ended(again.id)).toMatchObject({ state: 'done', failed: null });
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const acts = await vi.waitFor(() => {
    const kept = listAuditEntries(store, { limit: 10 });
    expect(kept.map(({ act, target }) => [act, target])).toContainEqual([
      'graph.import',
      '(named by its file)',
    ]);
    return kept;
  }, 120_000);
  store.close();
  expect(JSON.stringify(acts)).not.toContain('Thorvald');
});

test('a file without names is imported only if that is confirmed', async () => {
  const { ask, read, ended } = await importing(await open());
  const view = await read('Code,Email\nA1,ada@post.example\nB2,bo@post.example\n', 'contacts.csv');
  expect(view.found).toMatchObject({
    nameless: true,
    doubts: ['2 of 2 records have no name: a check by name will not find these people'],
  });
  const start = async (body: object) => {
    expect((await ask('POST', `graph/imports/${view.id}/start`, body)).status).toBe(200);
    return ended(view.id);
  };
  const stopped = await start({});
  expect(stopped).toMatchObject({ state: 'failed', failed: { code: 'invalid_arguments' } });
  expect(stopped.failed.detail).toContain('"allow_nameless": true');
  expect(await start({ allow_nameless: true })).toMatchObject({
    state: 'done',
    found: { became: { added: 2 } },
  });
});

test('a file that would remove most records of its source is imported only if that is confirmed', async () => {
  const { ask, read, ended } = await importing(await open());
  const rows = Array.from({ length: 20 }, (_, i) => `A${i},Ada Berg${i}`);
  const start = async (count: number, body: object) => {
    const view = await read(`Code,Name\n${rows.slice(0, count).join('\n')}\n`, 'members.csv');
    await ask('POST', `graph/imports/${view.id}/start`, body);
    return ended(view.id);
  };
  expect(await start(20, {})).toMatchObject({ state: 'done' });
  const stopped = await start(8, { replace: true });
  expect(stopped).toMatchObject({ state: 'failed', failed: { code: 'invalid_arguments' } });
  expect(stopped.failed.detail).toContain('remove 12 of 20 records of source members');
  expect(stopped.failed.detail).toContain('"allow_removal": true');
  expect(await start(8, { replace: true, allow_removal: true })).toMatchObject({
    found: { became: { replaced: 8, removed: 12 } },
  });
});

test('a file is imported as it was last read, except for options of the import itself', async () => {
  const { read, ended, do: done } = await importing(await open());
  const view = await read(SHOP, 'shop.csv');
  await done(`graph/imports/${view.id}/read`, { map: 'record_id=Zeichen', region: 'DE', replace: true });
  await ended(view.id);
  await done(`graph/imports/${view.id}/start`, { source: 'shop' });
  const { state, reading } = await ended(view.id);
  expect([state, reading]).toEqual(['done', { map: 'record_id=Zeichen', region: 'DE', source: 'shop' }]);
});
