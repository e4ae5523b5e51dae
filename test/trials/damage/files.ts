// Damage to files of a data folder.
import {
  chmodSync,
  closeSync,
  cpSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';

export interface Damage {
  name: string;
  /** True if the program may not notice the damage: it then answers with the data of the file. */
  subtle?: boolean;
  /** True if the damage shortens the file. */
  cuts?: boolean;
  apply(file: string, random: () => number): void;
}

const size = (file: string) => statSync(file).size;

function overwrite(file: string, at: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, Math.min(bytes.length, Math.max(0, fstatSync(handle).size - at)), at);
  closeSync(handle);
}

/** Returns random bytes, which are neither text nor a database page. */
function noise(length: number, random: () => number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

export const DAMAGES: Damage[] = [
  { name: 'removed', apply: (file) => rmSync(file) },
  { name: 'moved away', apply: (file) => renameSync(file, `${file}.away`) },
  { name: 'emptied', cuts: true, apply: (file) => truncateSync(file, 0) },
  { name: 'cut to half', cuts: true, apply: (file) => truncateSync(file, Math.floor(size(file) / 2)) },
  { name: 'cut by a page', cuts: true, apply: (file) => truncateSync(file, Math.max(0, size(file) - 4096)) },
  { name: 'overwritten with zeros', apply: (file) => overwrite(file, 0, Buffer.alloc(size(file))) },
  { name: 'overwritten with noise', apply: (file, random) => overwrite(file, 0, noise(size(file), random)) },
  {
    name: 'overwritten with noise after its head',
    apply: (file, random) => overwrite(file, 4096, noise(Math.max(0, size(file) - 4096), random)),
  },
  { name: 'made read-only', apply: (file) => chmodSync(file, 0o400) },
  {
    name: 'replaced by a folder',
    apply: (file) => (
      renameSync(file, `${file}.away`),
      cpSync(import.meta.dirname, file, { recursive: true })
    ),
  },
];

const KINDS: Record<number, string> = {
  2: 'inner page of an index',
  5: 'inner page of a table',
  10: 'leaf of an index',
  13: 'leaf of a table',
};

/** Returns one flipped bit for each kind of page in a database, for the header, the first page and the other pages (overflow, free). */
export function flips(file: string): Damage[] {
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
  const pages = new Map<string, number[]>();
  for (let at = pageSize; at < bytes.length; at += pageSize) {
    const kind = KINDS[bytes[at] ?? 0] ?? 'other page';
    pages.set(kind, [...(pages.get(kind) ?? []), at]);
  }
  const flip = (name: string, from: (random: () => number) => number, length: number): Damage => ({
    name: `a bit flipped in ${name}`,
    subtle: true,
    apply: (damaged, random) => flipBit(damaged, from(random) + Math.floor(random() * length), random),
  });
  const kinds = [...pages].flatMap(([kind, places]) => {
    const any = (random: () => number) => places[Math.floor(random() * places.length)] ?? 0;
    return [flip(`the head of an ${kind}`, any, 12), flip(`an ${kind}`, any, pageSize)];
  });
  return [flip('the header', () => 0, 100), flip('the first page', () => 100, pageSize - 100), ...kinds];
}

function flipBit(file: string, at: number, random: () => number): void {
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ (1 << Math.floor(random() * 8));
  writeSync(handle, byte, 0, 1, at);
  closeSync(handle);
}
