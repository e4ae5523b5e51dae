import { statfsSync } from 'node:fs';
import { BonafideError } from '../errors.ts';

/** Bytes that are free for us in a folder's file system. Errors: what the file system throws. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Bytes as people say them: 512 MB, 1.8 GB. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Errors: disk_full where a folder has not this many bytes free, before anything is written. */
export function needSpace(folder: string, bytes: number, what: string): void {
  const free = freeBytes(folder);
  if (free >= bytes) return;
  throw new BonafideError(
    'disk_full',
    `${what} needs ${sizeText(bytes)} in ${folder}, and ${sizeText(free)} are free. Free some space and try again.`,
  );
}
