import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../platform/sqlite.ts';
import {
  createInvariantCounter,
  type GraphVerifying,
  type Invariant,
  type UnlinkedRecords,
} from '../../verifying.ts';
import type { LinkFile } from '../linked.ts';
import { toNumbers, isSameGraphState, readGraphState } from '../../link-cache/link-file.ts';
import { readPendingChanges } from '../../link-cache/tables.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { isLinked } from '../read/stats.ts';
import { graphStand } from '../write/records.ts';
import { boreHeld } from './bore.ts';
import { identityVerifier, type Published, type Redirect } from './identities.ts';
import { createLinkVerifier, requireReadableLinkFile } from '../../link-cache/verify.ts';
import { recordsHeld } from './records.ts';

export interface VerifyingParts {
  db: Db;
  keys: GraphKeys;
  /** What linking remembers; null where nothing is yet. */
  links(): Pick<LinkFile, 'reading'> | null;
  /** See `UndoTable`. */
  isHalf(): boolean;
}

/** So often, and so long each time, those are waited for who are between the commits of two files. */
const LOOKS = 20;
const PAUSE_MS = 25;

export function verifyingOn({ db, keys, links, isHalf }: VerifyingParts): GraphVerifying {
  const reading = <T>(work: (linkDb: Db) => T): T | null => links()?.reading(work) ?? null;
  const unlessDamaged = <T>(work: () => T) => reading(work);
  const fits = () => reading((linkDb) => isSameGraphState(readGraphState(linkDb), graphStand(db))) === true;
  const begin = () => {
    db.exec('BEGIN');
    reading((linkDb) => linkDb.exec('BEGIN'));
  };
  const end = () => {
    if (db.inTransaction) db.exec('ROLLBACK');
    reading((linkDb) => void (linkDb.inTransaction && linkDb.exec('ROLLBACK')));
  };
  return {
    async withSnapshot(work) {
      if (db.inTransaction) return work();
      begin();
      try {
        // Both moments begin with the first reading.
        for (let look = 0; !fits() && links() !== null && look < LOOKS; look++) {
          end();
          await pause(PAUSE_MS);
          begin();
        }
        if (fits()) reading(requireReadableLinkFile);
        return await work();
      } finally {
        end();
      }
    },
    pendingRecords: () =>
      isLinked(db)
        ? null
        : ((fits() ? reading((linkDb) => waitingIn(linkDb, db)) : null) ?? {
            ...UNKNOWN,
            isInterruptedImport: isHalf(),
          }),
    openLinkVerifier: () =>
      fits() ? reading((linkDb) => createLinkVerifier(linkDb, keys.sealing, unlessDamaged)) : null,
    openFileVerifier(waiting) {
      if (waiting?.rows === null)
        return { compareIdentity: () => undefined, listInvariants: () => recordsHeld(db, keys) };
      const published = fits() ? reading(publishedIn) : null;
      const identities = identityVerifier(db, keys, published);
      return {
        compareIdentity: identities.see,
        listInvariants: () => [
          ...identities.end(),
          ...boreHeld(db, waiting),
          ...recordsHeld(db, keys),
          ...(published && !waiting ? [noneWaits(published.waiting())] : []),
        ],
      };
    },
  };
}

function publishedIn(db: Db): Published & { waiting(): number } {
  const keys = db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck();
  const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  return {
    keysOf: (id) => toNumbers(keys.get(id)),
    identities: () => count('published'),
    redirects: () => db.prepare<[], Redirect>('SELECT number, heir FROM redirect').raw().all(),
    waiting: () => count('pending'),
  };
}

/** Null where nothing is noted: then something else has changed. */
function waitingIn(linkDb: Db, db: Db): UnlinkedRecords | null {
  const { rows, affectedIdentities: bereft } = readPendingChanges(linkDb);
  const identity = db.prepare<[number], number | null>('SELECT identity FROM record WHERE id = ?').pluck();
  const identities = new Set([...bereft, ...rows.flatMap((row) => identity.get(row) ?? [])]);
  return rows.length > 0 ? { rows: new Set(rows), identities } : null;
}

const UNKNOWN: UnlinkedRecords = { rows: null, identities: new Set() };

function noneWaits(waiting: number): Invariant {
  const { check: ask, counted } = createInvariantCounter('no record waits to be linked');
  ask(waiting === 0, Math.max(1, waiting));
  return counted;
}
