import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackArchive } from '../../../src/maintenance/file/archive.ts';
import { writeTar, type TarEntry } from '../../../src/maintenance/file/tar.ts';
import { freshFolder } from '../../kit/folder.ts';

async function readFiles(entries: [name: string, content: Buffer][]) {
  const file = join(freshFolder(), 'backup.tar');
  const all = async function* (): AsyncGenerator<TarEntry> {
    for (const [name, bytes] of entries) {
      const content = async function* () {
        yield bytes;
      };
      yield { name, size: bytes.length, content: content() };
    }
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of writeTar(all(), 0)) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  return unpackArchive({ file, into: freshFolder(), passphrase: undefined, onBytes: () => undefined });
}

test.each<[string, [string, Buffer][]]>([
  ['more files than a backup has', Array.from({ length: 101 }, (_, i) => [`f${i}`, Buffer.alloc(0)])],
  ['a manifest that does not fit into memory', [['backup.json', Buffer.alloc(16 * 2 ** 20 + 1, ' ')]]],
])('an archive with %s is refused', async (_, entries) => {
  await expect(readFiles(entries)).rejects.toMatchObject({
    code: 'damaged_backup',
    message: 'The file is not a backup of Bonafide. Choose another file.',
  });
});
