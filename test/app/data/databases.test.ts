import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { createWebhookAddressCheck } from '../../../src/app/data/databases.ts';
import { loadConfig } from '../../../src/config.ts';
import { openLog } from '../../../src/observe/log.ts';
import { importPeople } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';

async function loggedAtStart(folder: string): Promise<string> {
  let logged = '';
  const log = openLog('json', (text) => (logged += text));
  const flags = { dataDir: folder, port: '0', warmUp: '0s' };
  const app = await openApp(await loadConfig({ env: {}, cwd: folder, flags }), log);
  onTestFinished(() => app.close());
  log.flush();
  return logged;
}

test('a clock that is behind what was written before is told when a server starts', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  expect(await loggedAtStart(folder)).not.toContain('Set the clock');
  const ahead = Date.now() / 1000 + 3600;
  utimesSync(join(folder, 'graph.db'), ahead, ahead);
  expect(await loggedAtStart(folder)).toContain('Set the clock');
});

test('a system that does not list its addresses is told once, and no webhook fails for it', () => {
  const warnings: string[] = [];
  let reads = 0;
  const isAllowed = createWebhookAddressCheck(['10.0.0.0/8'], { warn: (text) => warnings.push(text) }, () => {
    reads++;
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  });
  expect([isAllowed('10.1.2.3'), isAllowed('192.168.1.1'), reads]).toEqual([true, false, 0]);
  expect([isAllowed('8.8.8.8'), isAllowed('8.8.4.4'), reads]).toEqual([true, true, 2]);
  expect(warnings).toEqual([expect.stringContaining('RestrictAddressFamilies')]);
});
