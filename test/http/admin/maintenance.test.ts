import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { createWebhookSetting, JANE, json } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { openWebhookMessageQueue } from '../../../src/store/serving/notices.ts';
import { adminApp, sharedAdminApp } from './kit.ts';

const open = sharedAdminApp();

test('a feature is turned off and on, and the command line shows the same', async () => {
  const it = await adminApp();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const isOn = async () => {
    const { ai_insights: blocks } = await json(it.post('/v1/validate/enhanced', JANE));
    return blocks.fraud_detection.ai_enabled;
  };
  const off = await it.do('features/fraud_detection/off');
  expect(off.features).toContainEqual(expect.objectContaining({ feature: 'fraud_detection', on: false }));
  expect(await isOn()).toBe(false);
  expect(await run('features', 'list')).toEqual(await it.get('features'));
  await it.do('features/fraud/on');
  expect(await isOn()).toBe(true);
  const used = await it.do('features/narrative/use', { model: 'rules', deadline_ms: 5000 });
  expect(used.features).toContainEqual(
    expect.objectContaining({ feature: 'trust_enhancement', deadline_ms: 5000 }),
  );
  expect((await it.do('features/test', { features: ['name_matching'] })).items).toMatchObject([
    { feature: 'name_matching', ok: true },
  ]);
});

test('a model that is not set up cannot be chosen, and no model can be set up over HTTP', async () => {
  const it = await open();
  for (const model of ['nobody', '__proto__', '../x'])
    expect(await it.refusal('POST', 'features/narrative/use', { model })).toMatchObject({
      status: 422,
      errors: [{ pointer: '/model', code: 'invalid_model' }],
    });
  // This model plugin needs options.
  expect((await it.refusal('POST', 'features/narrative/use', { model: 'openai-compatible' })).status).toBe(
    422,
  );
  const options = { model: 'anthropic', options: { key_file: '/etc/passwd' } };
  expect(await it.refusal('POST', 'features/narrative/use', options)).toMatchObject({
    errors: [{ pointer: '', code: 'unknown_field' }],
  });
  expect(await it.refusal('POST', 'features/narrative/use', { modle: 'anthropic' })).toMatchObject({
    errors: [
      { pointer: '/modle', code: 'unknown_field', detail: expect.stringContaining('did you mean `model`?') },
      { pointer: '/model' },
    ],
  });
  for (const path of ['features/nothing/on', 'features/__proto__/off', 'features/constructor/on'])
    expect(await it.refusal('POST', path)).toMatchObject({
      status: 404,
      detail: 'There is no such feature.',
    });
  expect(it.files()).not.toContain('features.json');
});

test('counts and sources of the graph are those of the command line', async () => {
  const it = await open();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const { counted: _, linked_at: linkedAt, ...graph } = await it.get('graph');
  expect({ ...graph, linkedAt }).toEqual(await run('graph', 'stats'));
  const { items } = await it.get('graph/sources');
  expect(items).toEqual([
    {
      source: 'crm',
      records: 2,
      imported: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
      first_seen: '2019-01-02T00:00:00.000Z',
      last_seen: '2024-03-01T00:00:00.000Z',
    },
  ]);
  expect(await run('graph', 'sources')).toMatchObject([{ source: 'crm', records: 2 }]);
});

test('a backup is written into the folder of the settings only', async () => {
  const to = freshFolder();
  const it = await adminApp({ settings: { backup: `every=24h,to=${to}` } });
  for (const body of [{ name: '../../etc/x' }, { to: '/tmp' }, { file: 'x' }]) {
    const told = await it.refusal('POST', 'backups', body);
    expect(told).toMatchObject({ status: 422, errors: [{ code: 'unknown_field' }] });
  }
  expect((await it.get('backups')).items).toEqual([]);
  const begun = await it.do('backups');
  expect(begun).toMatchObject({
    ended: null,
    ok: false,
    name: expect.stringMatching(/^bonafide-[\dTZ-]+\.tar$/),
  });
  const ended = async () => (await it.get('backups')).last.ended !== null;
  await expect.poll(ended).toBe(true);
  const { items, last } = await it.get('backups');
  expect(last).toMatchObject({ name: begun.name, ok: true });
  expect(items).toMatchObject([{ name: begun.name, encrypted: false }]);
  expect((await it.get('audit?act=backup.create')).items).toMatchObject([{ actor: it.admin.id }]);
  writeFileSync(join(to, 'bonafide-2020-01-01T00-00-00Z.tar'), '');
  writeFileSync(join(to, 'another.tar'), '');
  const { items: first, next } = await it.get('backups?limit=1');
  const { items: second } = await it.get(`backups?limit=1&cursor=${next}`);
  expect([first, second]).toMatchObject([
    [{ name: begun.name }],
    [{ name: 'bonafide-2020-01-01T00-00-00Z.tar' }],
  ]);
});

test('without the setting no backup can be started', async () => {
  const it = await open();
  expect(await it.get('backups')).toEqual({ items: [], next: null, last: null });
  expect(await it.refusal('POST', 'backups')).toMatchObject({
    status: 404,
    code: 'not_found',
    detail: expect.stringContaining('Set `backup`'),
  });
});

test('a diagnosis runs on request, and names no path of the machine', async () => {
  const it = await open();
  expect(await it.get('doctor')).toEqual({ at_work: false, last: null });
  expect((await it.do('doctor')).at_work).toBe(true);
  const { last } = await vi.waitFor(
    async () => {
      const told = await it.get('doctor');
      expect(told.at_work).toBe(false);
      return told;
    },
    { timeout: 120_000, interval: 50 },
  );
  expect(last.items).toContainEqual(expect.objectContaining({ check: 'integrity', state: 'ok' }));
  expect(last.items).toContainEqual(
    expect.objectContaining({ check: 'backups', state: 'warning', says: 'None are scheduled.' }),
  );
  expect(JSON.stringify(last)).not.toContain(it.folder);
});

test('without the setting webhook no message is queued: the answer says what to set', async () => {
  const it = await open();
  for (const path of ['webhooks/test', 'webhooks/msg_none/send'])
    expect(await it.refusal('POST', path)).toMatchObject({
      status: 422,
      errors: [{ pointer: '', detail: expect.stringContaining('Set webhook.url and webhook.secretFile.') }],
    });
  expect(await it.get('webhooks')).toEqual({ items: [], next: null });
});

test('messages to the webhook are listed with attempts and failure, sent again and tested', async () => {
  const it = await adminApp({ settings: { webhook: createWebhookSetting() } });
  expect(await it.get('webhooks')).toEqual({ items: [], next: null });
  const sent = await it.do('webhooks/test');
  expect(sent).toMatchObject({ type: 'test', state: 'pending', attempts: 0, data: { sent_by: it.admin.id } });
  const queue = openWebhookMessageQueue(it.app.store.raw);
  const now = Date.now();
  expect(queue.lease(now, 1000)?.id).toBe(sent.id);
  queue.markFailed(sent.id, { next: null, failure: 'status 500', now });
  const { items } = await it.get('webhooks');
  expect(items).toMatchObject([{ id: sent.id, state: 'failed', attempts: 1, failure: 'status 500' }]);
  expect(queue.countMessages(now)).toMatchObject({ pending: 0, failed: 1 });
  expect(await it.do(`webhooks/${sent.id}/send`)).toMatchObject({ id: sent.id, state: 'pending' });
  queue.markDelivered(sent.id, now);
  expect((await it.get('webhooks')).items).toMatchObject([{ state: 'delivered', failure: null }]);
  expect(await it.refusal('POST', 'webhooks/msg_none/send')).toMatchObject({ status: 404 });
  expect((await it.get('audit?act=webhooks.send')).items).toHaveLength(2);
});

test('a change of a model is in the audit log with plugin and address, without credentials, and is printed', async () => {
  const it = await adminApp();
  const options = [
    '--plugin',
    'openai-compatible',
    '--set',
    'url=http://127.0.0.1:11434/v1?token=zq',
    '--set',
    'model=m',
  ];
  const { stdout } = await runHere([
    'features',
    'use',
    'narrative',
    'local',
    ...options,
    '--data-dir',
    it.folder,
  ]);
  expect(stdout).toMatch(
    /^Saved in features\.json: trust_enhancement\n[\s\S]*address +http:\/\/127\.0\.0\.1:11434\n/,
  );
  const { items } = await it.get('audit?act=features.use');
  expect(items).toMatchObject([
    {
      target: 'trust_enhancement',
      detail: {
        plugin: 'narrative',
        model: 'local',
        model_plugin: 'openai-compatible',
        address: 'http://127.0.0.1:11434',
      },
    },
  ]);
  expect(JSON.stringify(items)).not.toContain('token');
  const { features } = await it.get('features');
  expect(features[0]).toMatchObject({ model_plugin: 'openai-compatible', address: 'http://127.0.0.1:11434' });
  const { models } = await it.do('features/narrative/use', { model: 'rules' });
  expect(models).toEqual(['local']);
});
