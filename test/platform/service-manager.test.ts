import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createServiceManagerNotifier } from '../../src/platform/service-manager.ts';
import { freshFolder } from '../kit/folder.ts';

/** Creates a folder with a program that records its arguments, in place of systemd-notify. */
function withNotify() {
  const folder = freshFolder();
  const file = join(folder, 'systemd-notify');
  writeFileSync(file, `#!/bin/sh\necho "$1" >> ${folder}/told\n`);
  chmodSync(file, 0o700);
  const told = () => (existsSync(`${folder}/told`) ? readFileSync(`${folder}/told`, 'utf8') : '');
  return { told, env: { PATH: `${folder}:/bin:/usr/bin`, NOTIFY_SOCKET: '/run/none' } };
}

it('systemd is told when the server is ready, now and then that it lives, and when it stops', async () => {
  const { told, env } = withNotify();
  const manager = createServiceManagerNotifier({ ...env, WATCHDOG_USEC: '150000' });
  manager.ready();
  await expect.poll(told).toMatch(/READY=1\n(.*\n)*WATCHDOG=1\n/);
  manager.stopping();
  await expect.poll(told).toContain('STOPPING=1');
});

it('nobody is told where nobody asked, and a program that is not there is no error', async () => {
  const { told, env } = withNotify();
  createServiceManagerNotifier({ PATH: env.PATH }).ready();
  createServiceManagerNotifier({ PATH: '/none', NOTIFY_SOCKET: '/run/none' }).ready();
  await new Promise((done) => setTimeout(done, 100));
  expect(told()).toBe('');
});
