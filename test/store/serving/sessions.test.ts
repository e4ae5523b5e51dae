import { expect, test } from 'vitest';
import { openLimitsDatabase } from '../../../src/store/sqlite/limits.ts';
import {
  SIGN_IN_LINK_MS,
  createConsoleSessionStorage,
  CONSOLE_SESSION_MS,
} from '../../../src/store/serving/sessions.ts';
import { freshFolder } from '../../kit/folder.ts';

const NOW = Date.UTC(2026, 10, 22);

function fresh() {
  const folder = freshFolder();
  const open = () => createConsoleSessionStorage(openLimitsDatabase(folder).change);
  return [open(), open()] as const;
}

test('a link is valid for half an hour, once, in any process', () => {
  const [one, other] = fresh();
  const [late, good] = [one.createLink(NOW), one.createLink(NOW)];
  expect(other.spendLink(late, NOW + SIGN_IN_LINK_MS)).toBe(false);
  expect(other.spendLink(good, NOW + SIGN_IN_LINK_MS - 1)).toBe(true);
  expect(one.spendLink(good, NOW + 1)).toBe(false);
  expect(one.spendLink('', NOW)).toBe(false);
});

test('a session is found by every process until it ends', () => {
  const [one, other] = fresh();
  const token = one.beginSession('key_x', NOW);
  expect(other.findSession(token, NOW + CONSOLE_SESSION_MS - 1)).toEqual({
    key: 'key_x',
    until: NOW + CONSOLE_SESSION_MS,
  });
  expect(other.findSession(token, NOW + CONSOLE_SESSION_MS)).toBeNull();
  expect(one.countSessions(NOW)).toBe(1);
  other.endSession(token);
  expect([one.findSession(token, NOW), one.countSessions(NOW)]).toEqual([null, 0]);
});

test('a session token is not a link token, and a link token is not a session token', () => {
  const [one] = fresh();
  expect(one.findSession(one.createLink(NOW), NOW)).toBeNull();
  expect(one.spendLink(one.beginSession(null, NOW), NOW)).toBe(false);
});

test('a session and a link from before the clock was set back have ended; clocks may differ a little', () => {
  const [one, other] = fresh();
  const later = NOW + 31 * 86_400_000;
  const [token, link] = [one.beginSession(null, later), one.createLink(later)];
  expect(other.findSession(token, later - 1000)).not.toBeNull();
  expect([other.findSession(token, NOW), other.countSessions(NOW), other.spendLink(link, NOW)]).toEqual([
    null,
    0,
    false,
  ]);
  expect(other.spendLink(link, later - 1000)).toBe(true);
});
