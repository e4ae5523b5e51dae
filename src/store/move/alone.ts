// One copy at a time: two commands that fill one target, or bring one source back, would each find what the other wrote.
import { BonafideError } from '../../errors.ts';
import { openBridge } from '../postgres/bridge.ts';
import { asPostgresError } from '../postgres/trouble.ts';
import { holdFolder } from '../sqlite/hold.ts';

interface Hold {
  close(): void;
}

/** The letters "BONV", as an advisory lock of the database. */
const MOVING = 0x42_4f_4e_56;

/**
 * Holds a PostgreSQL for a copy to it or from it, until it is closed or the process ends.
 *
 * Errors: database_busy where another process holds it; those of the engine.
 */
export function holdForMoving(url: string): Hold {
  const bridge = openBridge(url);
  try {
    const isOurs = bridge.prepare<[], boolean>(`SELECT pg_try_advisory_lock(${MOVING})`).pluck().get();
    if (isOurs) return bridge;
    throw isHeld('to or from this PostgreSQL');
  } catch (error) {
    bridge.close();
    throw asPostgresError(error);
  }
}

/**
 * Holds a data folder for a copy into it, as from one PostgreSQL or another, until it is closed or the process ends.
 *
 * Errors: database_busy where another process holds it; what the file system throws.
 */
export function holdFolderForMoving(folder: string): Hold {
  const hold = holdFolder(folder);
  if (hold === null) throw isHeld('into this data folder');
  return hold;
}

const isHeld = (where: string) =>
  new BonafideError(
    'database_busy',
    `Another bonafide migrate-to is copying ${where}. Let it end; where it was stopped, run this once more.`,
  );
