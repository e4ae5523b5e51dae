import { expect, test } from 'vitest';
import { openLimits } from '../../src/store/sqlite/limits.ts';
import { LINK_MS, openSessions, SESSION_MS } from '../../src/store/serving/sessions.ts';
import { freshFolder } from '../kit/folder.ts';

const NOW = Date.UTC(2026, 10, 22);

function fresh() {
  const folder = freshFolder();
  return [openLimits(folder), openLimits(folder)].map(openSessions) as [
    ReturnType<typeof openSessions>,
    ReturnType<typeof openSessions>,
  ];
}

test('a link is good for half an hour, once, in whichever process', () => {
  const [one, other] = fresh();
  const [late, good] = [one.link(NOW), one.link(NOW)];
  expect(other.spend(late, NOW + LINK_MS)).toBe(false);
  expect(other.spend(good, NOW + LINK_MS - 1)).toBe(true);
  expect(one.spend(good, NOW + 1)).toBe(false);
  expect(one.spend('', NOW)).toBe(false);
});

test('a session is found by all until it ends', () => {
  const [one, other] = fresh();
  const token = one.begin('key_x', NOW);
  expect(other.find(token, NOW + SESSION_MS - 1)).toEqual({ key: 'key_x', until: NOW + SESSION_MS });
  expect(other.find(token, NOW + SESSION_MS)).toBeNull();
  expect(one.count(NOW)).toBe(1);
  other.end(token);
  expect([one.find(token, NOW), one.count(NOW)]).toEqual([null, 0]);
});

test('a session is no link, and a link is no session', () => {
  const [one] = fresh();
  expect(one.find(one.link(NOW), NOW)).toBeNull();
  expect(one.spend(one.begin(null, NOW), NOW)).toBe(false);
});
