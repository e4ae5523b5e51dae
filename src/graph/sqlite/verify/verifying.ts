import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../platform/sqlite.ts';
import { counter, type GraphVerifying, type Invariant } from '../../verifying.ts';
import { type LinkFile, numbersOf } from '../index/linked.ts';
import { sameStand, standOf } from '../index/link-file.ts';
import type { GraphKeys } from '../../sealed/keys.ts';
import { graphStand } from '../write/records.ts';
import { identityVerifier, type Published, type Redirect } from './identities.ts';
import { linkVerifier } from './links.ts';
import { recordsHeld } from './records.ts';

export interface VerifyingParts {
  db: Db;
  keys: GraphKeys;
  /** What linking remembers; null where nothing is yet. */
  links(): Pick<LinkFile, 'reading'> | null;
}

/** So often, and so long each time, those are waited for who are between the commits of two files. */
const LOOKS = 20;
const PAUSE_MS = 25;

export function verifyingOn({ db, keys, links }: VerifyingParts): GraphVerifying {
  const reading = <T>(work: (linkDb: Db) => T): T | null => links()?.reading(work) ?? null;
  const fits = () => reading((linkDb) => sameStand(standOf(linkDb), graphStand(db))) === true;
  const begin = () => {
    db.exec('BEGIN');
    reading((linkDb) => linkDb.exec('BEGIN'));
  };
  const end = () => {
    if (db.inTransaction) db.exec('ROLLBACK');
    reading((linkDb) => void (linkDb.inTransaction && linkDb.exec('ROLLBACK')));
  };
  return {
    async moment(work) {
      if (db.inTransaction) return work();
      begin();
      try {
        // Both moments begin with the first reading.
        for (let look = 0; !fits() && links() !== null && look < LOOKS; look++) {
          end();
          await pause(PAUSE_MS);
          begin();
        }
        return await work();
      } finally {
        end();
      }
    },
    links: () => (fits() ? reading((linkDb) => linkVerifier(linkDb, keys.sealing)) : null),
    files() {
      const published = fits() ? reading(publishedIn) : null;
      const identities = identityVerifier(db, keys, published);
      return {
        see: identities.see,
        end: () => [
          ...identities.end(),
          ...recordsHeld(db, keys),
          ...(published ? [waitingHeld(published.waiting())] : []),
        ],
      };
    },
  };
}

function publishedIn(db: Db): Published & { waiting(): number } {
  const keys = db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck();
  const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  return {
    keysOf: (id) => numbersOf(keys.get(id)),
    identities: () => count('published'),
    redirects: () => db.prepare<[], Redirect>('SELECT number, heir FROM redirect').raw().all(),
    waiting: () => count('pending'),
  };
}

function waitingHeld(waiting: number): Invariant {
  const { ask, counted } = counter('no record waits to be linked');
  ask(waiting === 0, Math.max(1, waiting));
  return counted;
}
