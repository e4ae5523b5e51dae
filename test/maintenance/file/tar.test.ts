import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTarEntries, writeTar } from '../../../src/maintenance/file/tar.ts';
import { freshFolder } from '../../kit/folder.ts';

const FILES: [name: string, content: Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['a.db', Buffer.alloc(512, 'a')],
  ['b.db', Buffer.alloc(1500, 'b')],
];

async function* only(bytes: Uint8Array) {
  yield bytes;
}
async function* entries() {
  for (const [name, content] of FILES) yield { name, size: content.length, content: only(content) };
}
async function whole(pieces: AsyncIterable<Uint8Array>) {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
async function read(tar: Buffer) {
  const found: [string, Buffer][] = [];
  for await (const { name, content } of readTarEntries(only(tar))) found.push([name, await whole(content)]);
  return found;
}

test('what goes in comes out, by this program and by tar', async () => {
  const tar = await whole(writeTar(entries(), 1_700_000_000_000));
  expect(await read(tar)).toEqual(FILES);
  const folder = freshFolder();
  writeFileSync(join(folder, 'x.tar'), tar);
  execFileSync('tar', ['xf', 'x.tar'], { cwd: folder });
  for (const [name, content] of FILES) expect(readFileSync(join(folder, name))).toEqual(content);
});

test('a file larger than eight octal gigabytes keeps its size', async () => {
  const size = 10 * 1024 ** 3;
  const one = async function* () {
    yield { name: 'graph.db', size, content: only(Buffer.alloc(0)) };
  };
  const tar = await whole(writeTar(one(), 0));
  const { value } = await readTarEntries(only(tar)).next();
  expect(value).toMatchObject({ name: 'graph.db', size });
});

test('a tar file cut short anywhere, or with a name that leads away, is refused', async () => {
  const tar = await whole(writeTar(entries(), 0));
  for (let length = 0; length < tar.length; length += 100)
    await expect(read(tar.subarray(0, length))).rejects.toThrow(/its end is missing/);
  await expect(read(Buffer.concat([tar, Buffer.alloc(1)]))).rejects.toThrow(/its end is missing/);
  const away = async function* () {
    yield { name: '../a.db', size: 0, content: only(Buffer.alloc(0)) };
  };
  await expect(read(await whole(writeTar(away(), 0)))).rejects.toThrow(/its end is missing/);
});
