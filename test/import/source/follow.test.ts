import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { follower } from '../../../src/import/source/follow.ts';
import { freshFolder } from '../../kit/folder.ts';

test('of a file that grows whole lines are given once, so many at a time', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, '1\n2\n3\n4');
  const next = follower(file, { past: false });
  const text = (most = 10) => next(most)?.bytes.toString() ?? null;
  expect([text(2), text(), text()]).toEqual(['1\n2\n', '3\n', null]);
  appendFileSync(file, '4\n5');
  expect([text(), text()]).toEqual(['44\n', null]);
});

test('a file that is replaced or cut short is read from its start', () => {
  const folder = freshFolder();
  const [file, other] = [join(folder, 'a.jsonl'), join(folder, 'b')];
  writeFileSync(file, '1\n2\n');
  const next = follower(file, { past: true });
  const text = () => next(10)?.bytes.toString() ?? null;
  expect(text()).toBe(null);
  writeFileSync(other, '3\n4\n5\n');
  renameSync(other, file);
  expect(text()).toBe('3\n4\n5\n');
  writeFileSync(file, '6\n');
  expect([text(), text()]).toEqual(['6\n', null]);
});

test('of a folder its files of JSON Lines are followed, those that come later too, and one that goes is passed over', () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'b.jsonl'), 'b\n');
  writeFileSync(join(folder, 'notes.txt'), 'x\n');
  const next = follower(folder, { past: false });
  const text = () => next(10)?.bytes.toString() ?? null;
  expect([text(), text()]).toEqual(['b\n', null]);
  writeFileSync(join(folder, 'a.ndjson'), 'a\n');
  expect(text()).toBe('a\n');
  rmSync(join(folder, 'b.jsonl'));
  expect(text()).toBe(null);
});

test('a line that never ends is given as it is, so that somebody tells', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, 'x'.repeat(2 ** 20 + 5));
  expect(follower(file, { past: false })(10)?.bytes.length).toBe(2 ** 20 + 1);
});
