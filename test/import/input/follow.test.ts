import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createFileFollower } from '../../../src/import/input/follow.ts';
import { freshFolder } from '../../kit/folder.ts';

/** Follows a file or folder: texts that are read, and sentences about skipped files. */
function following(path: string, past = false) {
  const told: string[] = [];
  const next = createFileFollower(path, { past, tell: (text) => void told.push(text) });
  return { told, text: (most = 10) => next(most)?.bytes.toString() ?? null };
}

test('new whole lines of a file are returned once, a limited number at a time', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, '1\n2\n3\n4');
  const { text } = following(file);
  expect([text(2), text(), text()]).toEqual(['1\n2\n', '3\n', null]);
  appendFileSync(file, '4\n5');
  expect([text(), text()]).toEqual(['44\n', null]);
});

test('of a line that is too long only the beginning is returned, and never its end as a line', () => {
  const file = join(freshFolder(), 'a.jsonl');
  const long = 'x'.repeat(3 * 1024 * 1024);
  writeFileSync(file, `1\n${long}`);
  const next = createFileFollower(file, { past: false, tell: () => undefined });
  const read = () => {
    const { linesBefore, bytes } = next(10) ?? {};
    return bytes && [linesBefore, bytes.length > 100 ? bytes.length : bytes.toString()];
  };
  expect([read(), read(), read()]).toEqual([[0, '1\n'], [1, 1024 * 1024 + 1], undefined]);
  appendFileSync(file, long);
  expect([read(), next(10, { rest: true })]).toEqual([undefined, null]);
  appendFileSync(file, '{"record_id":"1"}\n3\n4\n');
  expect([read(), read()]).toEqual([[2, '3\n4\n'], undefined]);
});

test('lines are counted from the start of the file, also if the existing ones are skipped', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, '1\n2\n3');
  const next = createFileFollower(file, { past: true, tell: () => undefined });
  appendFileSync(file, '3\n4\n');
  expect(next(10)).toMatchObject({ linesBefore: 2, bytes: Buffer.from('3\n4\n') });
});

test('a file that is replaced or cut short is read from its start', () => {
  const folder = freshFolder();
  const [file, other] = [join(folder, 'a.jsonl'), join(folder, 'b')];
  writeFileSync(file, '1\n2\n');
  const { text } = following(file, true);
  expect(text()).toBe(null);
  writeFileSync(other, '3\n4\n5\n');
  renameSync(other, file);
  expect(text()).toBe('3\n4\n5\n');
  writeFileSync(file, '6\n');
  expect([text(), text()]).toEqual(['6\n', null]);
});

test('an overwritten file is read from its start, whatever its size and inode', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, 'a1\n');
  const { text } = following(file);
  expect(text()).toBe('a1\n');
  writeFileSync(file, 'b1\n');
  expect([text(), text()]).toEqual(['b1\n', null]);
  writeFileSync(file, 'c2\nc3\n');
  expect([text(), text()]).toEqual(['c2\nc3\n', null]);
  rmSync(file);
  writeFileSync(file, 'd2\nd3\nd4\n');
  expect([text(), text()]).toEqual(['d2\nd3\nd4\n', null]);
});

test('a long file is recognised by its first bytes, the bytes before the position, and its times', () => {
  const file = join(freshFolder(), 'a.jsonl');
  const lines = Array.from({ length: 4000 }, (_, i) => `${i}`.padStart(7, '0'));
  const write = () => writeFileSync(file, `${lines.join('\n')}\n`);
  write();
  const { text } = following(file);
  const all = () => text(1e6)?.length ?? 0;
  expect([all(), all()]).toEqual([32_000, 0]);
  appendFileSync(file, 'one more\n');
  expect([text(), text()]).toEqual(['one more\n', null]);
  lines.push('one more', 'two more');
  lines[0] = 'another';
  write();
  expect([all(), all()]).toEqual([32_018, 0]);
  lines.splice(-1, 1, 'ten more', 'and more');
  write();
  expect([all(), all()]).toEqual([32_027, 0]);
  const handle = openSync(file, 'r+');
  writeSync(handle, 'changed', 16_000);
  closeSync(handle);
  utimesSync(file, 1, 1);
  expect([all(), all()]).toEqual([32_027, 0]);
});

test('files of JSON Lines in a folder are followed, later ones too, and a deleted file is skipped', () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'b.jsonl'), 'b\n');
  writeFileSync(join(folder, 'notes.txt'), 'x\n');
  const { text, told } = following(folder);
  expect([text(), text()]).toEqual(['b\n', null]);
  writeFileSync(join(folder, 'a.ndjson'), 'a\n');
  expect(text()).toBe('a\n');
  rmSync(join(folder, 'b.jsonl'));
  expect([text(), told]).toEqual([null, []]);
  rmSync(folder, { recursive: true });
  expect([text(), told]).toEqual([null, []]);
});

test('something that is no file of lines is reported once and skipped; once it is repaired, it is read', async () => {
  const folder = freshFolder();
  const at = (name: string) => join(folder, name);
  execFileSync('mkfifo', [at('pipe.jsonl')]);
  mkdirSync(at('folder.jsonl'));
  symlinkSync('/dev/zero', at('device.jsonl'));
  symlinkSync(at('loop.jsonl'), at('loop.jsonl'));
  symlinkSync(at('nothing'), at('dangling.jsonl'));
  const socket = createServer().listen(at('socket.jsonl'));
  onTestFinished(() => void socket.close());
  await new Promise((resolve) => socket.once('listening', resolve));
  writeFileSync(at('packed.jsonl'), gzipSync('{}\n'));
  writeFileSync(at('wide.jsonl'), Buffer.from('\ufeff{"name":"Ann"}\n', 'utf16le'));
  writeFileSync(at('zeros.jsonl'), 'a\0b\n');
  writeFileSync(at('z.jsonl'), 'z\n');
  const { text, told } = following(folder);
  expect([text(), text()]).toEqual(['z\n', null]);
  const whole = 'import it as a whole with: bonafide graph import';
  expect(told).toEqual([
    `Skipped: ${at('dangling.jsonl')} is a link to nothing`,
    `Skipped: ${at('device.jsonl')} is a device`,
    `Skipped: ${at('folder.jsonl')} is a folder`,
    `Skipped: ${at('loop.jsonl')} cannot be read (ELOOP)`,
    `Skipped: ${at('packed.jsonl')} is compressed (gzip): decompress it, or import it with: bonafide graph import`,
    `Skipped: ${at('pipe.jsonl')} is a pipe`,
    `Skipped: ${at('socket.jsonl')} is a socket`,
    `Skipped: ${at('wide.jsonl')} is UTF-16LE: save it as UTF-8, or ${whole}`,
    `Skipped: ${at('zeros.jsonl')} is not a text file: it contains NUL bytes`,
  ]);
  writeFileSync(at('wide.jsonl'), '{"name":"Ann"}\n');
  rmSync(at('pipe.jsonl'));
  writeFileSync(at('pipe.jsonl'), 'p\n');
  expect([text(), text(), text(), told.length]).toEqual(['p\n', '{"name":"Ann"}\n', null, 9]);
});

test.skipIf(process.getuid?.() === 0)('a file without read permission is reported', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, '1\n');
  chmodSync(file, 0);
  const { text, told } = following(file);
  expect([text(), text(), told]).toEqual([null, null, [`Skipped: ${file} cannot be read (EACCES)`]]);
});

test('a line without end is returned unchanged, so that it is reported', () => {
  const file = join(freshFolder(), 'a.jsonl');
  writeFileSync(file, 'x'.repeat(2 ** 20 + 5));
  expect(following(file).text()?.length).toBe(2 ** 20 + 1);
});

test('a link to nothing is reported, and read once its target exists; a file whose name begins with a dot is skipped', () => {
  const folder = freshFolder();
  const [link, target] = [join(folder, 'a.jsonl'), join(folder, 'there')];
  symlinkSync(target, link);
  writeFileSync(join(folder, '.b.jsonl'), '1\n');
  const { told, text } = following(folder);
  expect([text(), text(), told]).toEqual([null, null, [`Skipped: ${link} is a link to nothing`]]);
  writeFileSync(target, '2\n');
  expect([text(), text()]).toEqual(['2\n', null]);
  renameSync(join(folder, '.b.jsonl'), join(folder, 'b.jsonl'));
  expect([text(), told.length]).toEqual(['1\n', 1]);
});
