import type { Db } from '../../../platform/sqlite.ts';
import type { GraphMoving } from '../../capabilities.ts';
import { readMeta, writeMeta } from '../meta.ts';

/** @param db both files */
export function movingOn(db: Db): GraphMoving {
  return {
    copiedRevision: () => readMeta(db, 'copied_of'),
    beginCopy(revision) {
      writeMeta(db, 'copied_of', revision);
      // Records are synced when they are put, and this file is not: what it says must be there before they are.
      db.pragma('graph.wal_checkpoint(PASSIVE)');
    },
    listRedirects: () =>
      db.prepare<[], [number, number | null]>('SELECT number, heir FROM merged ORDER BY number').raw().all(),
    listPreviousNumbers: () => db.prepare<[], [number, number]>('SELECT row, number FROM bore').raw().all(),
    putNumbers({ identities, redirects, previousNumbers: bore }) {
      db.exec("DELETE FROM meta WHERE name = 'copied_of'");
      const belongs = db.prepare('UPDATE record SET identity = ? WHERE id = ?');
      const redirect = db.prepare('INSERT OR REPLACE INTO merged VALUES (?, ?)');
      for (const [row, identity] of identities) belongs.run(identity, row);
      const bears = db.prepare('INSERT OR IGNORE INTO bore (row, number) VALUES (?, ?)');
      for (const one of redirects) redirect.run(...one);
      for (const one of bore) bears.run(...one);
    },
    listSuppressed: () => db.prepare<[], [Buffer, number]>('SELECT mark, time FROM forgotten').raw().all(),
    addSuppressed(marks) {
      const bar = db.prepare('INSERT OR REPLACE INTO forgotten VALUES (?, ?)');
      for (const one of marks) bar.run(...one);
    },
  };
}
