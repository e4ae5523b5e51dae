import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeLeftoverFiles,
  listTemporaryFiles,
  removeAbandonedTemporaryFiles,
  createFileOwnerMark,
} from '../../src/platform/temporary-files.ts';
import { freshFolder } from '../kit/folder.ts';

/** No process has such a high id. */
const GONE = createFileOwnerMark().replace(/-\d+$/, '-999999999');
const ALIVE = createFileOwnerMark();
const ELSEWHERE = '01234567-1';

const OLD = [
  'graph.db.version-3.partial',
  'rejects.jsonl.4711-0.tmp',
  'held.json.4711-0',
  'graph.db-room-17acf86fc723',
  'runs-17acf86fc723',
];

function filled(): string {
  const folder = freshFolder();
  for (const name of ['uploads', 'backups', 'replaced-2026-01-01T00-00-00Z', 'receipts'])
    mkdirSync(join(folder, name));
  for (const mark of [GONE, ALIVE, ELSEWHERE]) {
    mkdirSync(join(folder, `.bonafide-scratch-${mark}-abcdef`));
    mkdirSync(join(folder, 'backups', `.bonafide-scratch-${mark}-abcdef`));
    for (const end of ['', '.rejects'])
      writeFileSync(join(folder, 'uploads', `imp_abc.${mark}${end}`), 'name\nOda\n');
  }
  for (const name of OLD) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 0, 0);
  }
  for (const name of [
    'graph.db',
    'records.db',
    'graph.db.version-3',
    'uploads/imp_abc',
    'features.json.1-0.tmp',
  ])
    writeFileSync(join(folder, name), '');
  return folder;
}

test('what killed processes left is removed; what a process is at work on, and what is kept, stays', () => {
  const folder = filled();
  const removed = removeAbandonedTemporaryFiles(folder);
  expect(removed.toSorted()).toEqual(
    [
      ...['', 'backups/'].map((in_) => `${in_}.bonafide-scratch-${GONE}-abcdef`),
      ...['', '.rejects'].map((end) => `uploads/imp_abc.${GONE}${end}`),
      ...OLD,
    ].toSorted(),
  );
  expect(removed.some((name) => existsSync(join(folder, name)))).toBe(false);
  expect(readdirSync(join(folder, 'uploads'))).toContain(`imp_abc.${ALIVE}`);
  expect(existsSync(join(folder, 'graph.db.version-3'))).toBe(true);
  expect(
    listTemporaryFiles(folder)
      .map(({ owner }) => owner)
      .filter((owner) => owner === 'gone'),
  ).toEqual([]);
  expect(removeAbandonedTemporaryFiles(folder)).toEqual([]);
});

test('it is told what was left, and by whom; nothing of what is at work here', () => {
  const folder = filled();
  const told = describeLeftoverFiles(folder) ?? '';
  expect(told).toContain(`killed left ${join(`.bonafide-scratch-${GONE}-abcdef`)}`);
  expect(told).toContain(`another machine works on .bonafide-scratch-${ELSEWHERE}-abcdef`);
  expect(told).not.toContain(ALIVE);
  expect(describeLeftoverFiles(freshFolder())).toBeNull();
});
