// Where a store is moved to: a PostgreSQL or a file that has none yet, or a copy that was interrupted.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { asUnfinished, isUnfinished, markFinished, openPostgres } from '../postgres/open.ts';
import { openStore } from '../sqlite/open.ts';
import type { Place, Store } from '../store.ts';

export interface Target {
  store: Store;
  /** Makes it the store that it is: before that, nothing else opens it. */
  finish(): void;
  close(): void;
}

const HELD = ['keys', 'plans', 'accounts', 'calls', 'audit'];

/** Opens it to be filled. Errors: already_there where it holds a store, and those of its engine. */
export function openTarget(place: Place): Target {
  return 'file' in place ? fileTarget(place.file) : postgresTarget(place.url);
}

function fileTarget(file: string): Target {
  if (existsSync(file)) {
    const there = openStore({ file });
    const empty = isEmpty(there);
    there.close();
    if (!empty) throw taken(`${file} holds keys or calls already. Move it away first.`);
  }
  const filled = `${file}.moving`;
  const store = openStore({ file: filled });
  return {
    store,
    finish() {
      store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      renameSync(filled, file);
    },
    close: () => store.close(),
  };
}

function postgresTarget(url: string): Target {
  const store = openPostgres(url, asUnfinished);
  try {
    if (!isUnfinished(store) && !isEmpty(store))
      throw taken('This PostgreSQL holds a store already: take another database.');
    markFinished(store, false);
  } catch (error) {
    store.close();
    throw error;
  }
  return { store, finish: () => markFinished(store, true), close: () => store.close() };
}

const isEmpty = ({ raw }: Store): boolean =>
  HELD.every((table) => raw.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);

const taken = (text: string) => new BonafideError('already_there', text);
