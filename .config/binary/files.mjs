import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The paths of all files below a folder, from there, in order. */
export const namesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

/** Every file below a folder, by its path: name, size in bytes, SHA-256 in hex. */
export const filesBelow = (folder) =>
  namesBelow(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, size: bytes.length, sha256: hash('sha256', bytes) };
  });
