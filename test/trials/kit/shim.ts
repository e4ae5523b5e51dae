// The shim between a program and the C library: builds and controls it.
import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('shim.c', import.meta.url));

export const KIND = { write: 1, sync: 2, name: 4, open: 8, alloc: 16 } as const;
export type Kind = keyof typeof KIND;
export const ERRNO = { EIO: 5, ENOMEM: 12, ENOSPC: 28, EMFILE: 24 } as const;

// The fields of `struct control` in shim.c, eight bytes each.
const FIELDS = ['kinds', 'at', 'action', 'sticky', 'count', 'hits', 'clock', 'full'] as const;
type Field = (typeof FIELDS)[number];

export interface Shim {
  /** Returns the environment of a child with the shim; `journal` is the file for the log of writes and syncs. */
  env(journal?: string): Record<string, string>;
  set(values: Partial<Record<Field, number>>): void;
  get(field: Field): number;
}

/** Compiles the shim into a folder. Returns the reason if this machine cannot do so: no gcc, or no Linux with glibc. */
export function buildShim(folder: string): { file: string } | { missing: string } {
  const library = join(folder, 'shim.so');
  if (existsSync(library)) return { file: library };
  if (process.platform !== 'linux') return { missing: 'the shim is for Linux' };
  const built = spawnSync('gcc', ['-O2', '-fPIC', '-shared', '-o', library, SOURCE, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  });
  if (built.error) return { missing: 'gcc is missing' };
  return built.status === 0 ? { file: library } : { missing: `gcc failed: ${built.stderr.slice(0, 200)}` };
}

/** Opens the controls of a shim for file operations of children below the folder `under`. */
export function openShim(library: string, { file, under }: { file: string; under: string }): Shim {
  if (!existsSync(file)) writeFileSync(file, Buffer.alloc(FIELDS.length * 8));
  return {
    env: (journal) => ({
      LD_PRELOAD: library,
      TRIAL_SHIM: file,
      TRIAL_UNDER: under,
      ...(journal ? { TRIAL_JOURNAL: journal } : {}),
    }),
    ...controls(file),
  };
}

/** Opens only the controls: a child controls its own shim through the file. */
export function controls(file: string): Pick<Shim, 'set' | 'get'> {
  const handle = openSync(file, 'r+');
  const bytes = Buffer.alloc(8);
  return {
    set(values) {
      for (const [field, value] of Object.entries(values)) {
        bytes.writeBigInt64LE(BigInt(Math.round(value)));
        writeSync(handle, bytes, 0, 8, FIELDS.indexOf(field as Field) * 8);
      }
    },
    get(field) {
      readSync(handle, bytes, 0, 8, FIELDS.indexOf(field) * 8);
      return Number(bytes.readBigInt64LE());
    },
  };
}
