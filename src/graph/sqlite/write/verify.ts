// Queries for verifying a graph in SQLite.
import { type Db, preparePerConnection } from '../../../platform/sqlite.ts';
import { isSameGraphState, readLinkCacheGraphState, bytesToNumbers } from '../../link-cache/link-file.ts';
import { readPendingRecordChanges } from '../../link-cache/tables.ts';
import type { LinkCacheFile } from '../../sql/link-cache.ts';
import type { IdentityRedirect } from '../../sql/published.ts';
import type { GraphVerificationQueries } from '../../sql/verify.ts';
import { createInvariantCounter, type GraphInvariantResult, type UnlinkedRecords } from '../../verifying.ts';
import { readRecordsFileMetadata } from '../meta.ts';
import { packIdentitiesOfLookupKey } from '../lookup-keys.ts';
import { readRecordsFileState, readRecordNoncePrefixAsNumber } from './records.ts';

type Links = Pick<LinkCacheFile, 'runIfThere'>;

/** True if the link cache was built from the present state of the graph. */
const isCurrent = (db: Db, links: Links): boolean =>
  links.runIfThere((linkDb) =>
    isSameGraphState(readLinkCacheGraphState(linkDb), readRecordsFileState(db)),
  ) === true;

export function createGraphVerificationQueries(db: Db, links: Links): GraphVerificationQueries {
  const hasLinks = isCurrent(db, links);
  const count = (table: string) =>
    links.runIfThere((linkDb) => linkDb.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()) ??
    0;
  return {
    postingsText: 'SELECT key, ids FROM posting WHERE key > $1 ORDER BY key',
    toStored: packIdentitiesOfLookupKey,
    frequentText: 'SELECT key, id * 2 + meta FROM frequent WHERE (key, id) > ($1, $2 / 2) ORDER BY key, id',
    publishedKeys: hasLinks
      ? {
          read: (identities) =>
            links.runIfThere(
              (linkDb) =>
                new Map(
                  identities.flatMap((id) => {
                    const keys = publishedKeys(linkDb).get(id);
                    return keys ? [[id, bytesToNumbers(keys)] as const] : [];
                  }),
                ),
            ) ?? new Map(),
          count: () => count('published'),
        }
      : null,
    readLabels: () =>
      db
        .prepare<[], [Buffer, string]>('SELECT key, label FROM judged')
        .raw()
        .all()
        .map(([key, label]) => [key.toString('hex'), label]),
    isAsPut: (put, sealed) => put === readRecordNoncePrefixAsNumber(sealed),
    isImportLastChange() {
      const stamp = db.prepare<[], string | null>('SELECT stamp FROM applied').pluck().get() ?? null;
      return stamp !== null && stamp === readRecordsFileMetadata(db, 'link_stamp');
    },
    countOtherRedirects: () => (hasLinks ? countOtherRedirects(db, links) : 0),
    checkMore: (waiting) => (hasLinks && !waiting ? [checkNoneWaits(count('pending'))] : []),
  };
}

const publishedKeys = preparePerConnection((db) =>
  db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck(),
);

function countOtherRedirects(db: Db, links: Links): number {
  const redirectsIn = (from: Db, table: string) =>
    new Map(from.prepare<[], IdentityRedirect>(`SELECT number, heir FROM ${table}`).raw().all());
  const linked =
    links.runIfThere((linkDb) => redirectsIn(linkDb, 'redirect')) ?? new Map<number, number | null>();
  let different = 0;
  for (const [number, heir] of redirectsIn(db, 'merged')) {
    if (linked.get(number) !== heir) different++;
    linked.delete(number);
  }
  return different + linked.size;
}

function checkNoneWaits(waiting: number): GraphInvariantResult {
  const { check, counted } = createInvariantCounter('no record waits to be linked');
  check(waiting === 0, Math.max(1, waiting));
  return counted;
}

/** Returns the records that are not linked yet. `rows` is null if the link cache cannot tell them. */
export function readUnlinkedRecords(db: Db, links: Links, isInterruptedImport: boolean): UnlinkedRecords {
  const unknown = { rows: null, identities: new Set<number>(), isInterruptedImport };
  if (!isCurrent(db, links)) return unknown;
  const pending = links.runIfThere(readPendingRecordChanges);
  if (!pending || pending.rows.length === 0) return unknown;
  const identity = db.prepare<[number], number | null>('SELECT identity FROM record WHERE id = ?').pluck();
  const identities = pending.rows.flatMap((row) => identity.get(row) ?? []);
  return { rows: new Set(pending.rows), identities: new Set([...pending.affectedIdentities, ...identities]) };
}
