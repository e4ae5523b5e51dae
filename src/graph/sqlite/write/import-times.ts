// When records of each source were imported last: by fingerprints of the sources, sealed.
import type { Db } from '../../../platform/sqlite.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { readRecordMeta, writeRecordMeta } from '../meta.ts';

/** Milliseconds since 1970 by the fingerprint of a source; null before its first import. */
type Times = Record<string, number | null>;

interface Kept {
  now: Times;
  /** As they were before the import that can be taken back, of its sources alone. */
  before: Times;
}

export interface ImportTimes {
  /** @param canBeUndone whether this is what `takenBack` would take back */
  note(sources: readonly string[], canBeUndone: boolean): void;
  undo(): void;
  read(source: string): number | null;
  /** Takes the times of some sources over from another file. */
  carry(sources: Iterable<string>, from: Pick<ImportTimes, 'read'>): void;
}

export function openImportTimes(
  db: Db,
  { fingerprints, sealing }: Pick<GraphKeys, 'fingerprints' | 'sealing'>,
): ImportTimes {
  const keyOf = (source: string) => fingerprints.of('label', `imported|${source}`).toString();
  const read = (): Kept => {
    const sealed = readRecordMeta(db, 'imported');
    if (sealed === null) return { now: {}, before: {} };
    return JSON.parse(sealing.open(Buffer.from(sealed, 'base64'))) as Kept;
  };
  const write = (kept: Kept) =>
    writeRecordMeta(db, 'imported', sealing.seal(JSON.stringify(kept)).toString('base64'));
  return {
    note(sources, canBeUndone) {
      const { now, before } = read();
      const keys = sources.map(keyOf);
      const time = new Date().getTime();
      const untouched = Object.entries(before).filter(([key]) => !keys.includes(key));
      const own = keys.map((key) => [key, now[key] ?? null] as const);
      write({
        now: { ...now, ...Object.fromEntries(keys.map((key) => [key, time])) },
        before: Object.fromEntries(canBeUndone ? own : untouched),
      });
    },
    undo() {
      const { now, before } = read();
      write({ now: { ...now, ...before }, before: {} });
    },
    read: (source) => read().now[keyOf(source)] ?? null,
    carry(sources, from) {
      const times = Array.from(sources, (source) => [keyOf(source), from.read(source)] as const);
      write({ now: Object.fromEntries(times), before: {} });
    },
  };
}
