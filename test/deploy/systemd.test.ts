import { expect, test } from 'vitest';
import { SETTING_VARIABLE_NAMES } from '../../src/config.ts';
import { pageText, section, textOf } from '../kit/pages.ts';

const UNIT = textOf('data/deploy/bonafide.service');
const settings = (name: string) =>
  Array.from(UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);

test('the unit sets variables that there are, and serves from its state directory', () => {
  const variables = settings('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')));
  for (const [name] of variables) expect(Object.values(SETTING_VARIABLE_NAMES)).toContain(name);
  expect(Object.fromEntries(variables)).toMatchObject({ BONAFIDE_DATA_DIR: '/var/lib/bonafide' });
  expect([settings('StateDirectory'), settings('StateDirectoryMode')]).toEqual([['bonafide'], ['0700']]);
});

test('the unit waits longer than the server takes to stop, and hardens what the page says', () => {
  expect(Number(settings('TimeoutStopSec')[0])).toBeGreaterThan(20);
  expect(settings('ProtectSystem')).toEqual(['strict']);
  expect(settings('NoNewPrivileges')).toEqual(['yes']);
  expect(settings('CapabilityBoundingSet')).toEqual(['']);
  // Without AF_NETLINK, `os.networkInterfaces()` throws.
  expect(settings('RestrictAddressFamilies')[0]?.split(' ')).toContain('AF_NETLINK');
  expect(section(pageText('operating'), 'systemd')).toContain('data/deploy/bonafide.service');
});
