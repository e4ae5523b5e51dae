import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Returns the paths of all files below a folder, relative to it, sorted. */
export const namesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

/** Returns name, size in bytes and SHA-256 in hex of every file below a folder, sorted by path. */
export const filesBelow = (folder) =>
  namesBelow(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, size: bytes.length, sha256: hash('sha256', bytes) };
  });
