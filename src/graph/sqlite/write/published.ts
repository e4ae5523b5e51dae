// Writes the published identities to the file that check calls read. The link cache contains the look-up keys of identities, and the redirects by
// their target.
import type { IdentityNumbering } from '../../../link/identity-numbers.ts';
import { type Db, preparePerConnection } from '../../../platform/sqlite.ts';
import type { LinkCacheFileBuilder } from '../../link-cache/builder.ts';
import { bytesToNumbers, type GraphState, numbersToBytes } from '../../link-cache/link-file.ts';
import type { LinkCacheFile } from '../../sql/link-cache.ts';
import type {
  PublishedIdentity,
  PublishedIdentityTables,
  PublishedGraphTotals,
  IdentityRedirect,
  IdentityReplacementOperations,
} from '../../sql/published.ts';
import { readPublishedTotals, writeGraphFileMetadata } from '../meta.ts';
import { openLookupKeyTable, writeLookupKeys } from '../lookup-keys.ts';
import { GRAPH_FILE_TYPE_DEFINITION, convertMillisecondsToFractionalDays } from '../schema.ts';
import { wrapWithSqliteErrorConversion } from '../session.ts';
import { readRecordsFileState, renewRecordsFileStamp } from './records.ts';

/**
 * Opens the tables of the published identities (the data that checks read).
 * @param file path of `graph.db`
 * @param runOnLinks runs work on the link cache
 */
export function openPublishedIdentityTables(
  db: Db,
  file: string,
  runOnLinks: LinkCacheFile['run'],
): PublishedIdentityTables {
  return wrapWithSqliteErrorConversion(file, GRAPH_FILE_TYPE_DEFINITION, {
    needsDigests: false,
    readTotals: () => readPublishedTotals(db),
    beginReplacement: ({ builder }) =>
      wrapWithSqliteErrorConversion(file, GRAPH_FILE_TYPE_DEFINITION, beginReplacement(db, builder)),
    readKeys(identities) {
      const { isThere } = statementsOf(db);
      const there = identities.filter((id) => isThere.get(id) !== undefined);
      return runOnLinks((links) => {
        const { keys } = linkStatementsOf(links);
        return new Map(there.map((id) => [id, bytesToNumbers(keys.get(id))]));
      });
    },
    put(identities) {
      const [{ setIdentity }, insert] = [statementsOf(db), identityWriter(db)];
      for (const identity of identities) {
        insert(identity);
        for (const row of Array.from(identity.rows)) setIdentity.run(identity.number, row, identity.number);
      }
      runOnLinks((links) => {
        const { putKeys } = linkStatementsOf(links);
        for (const { number, keys } of identities) putKeys.run(number, numbersToBytes(keys));
      });
    },
    redirect(redirects) {
      const { putRedirect, remove } = statementsOf(db);
      for (const [number, heir] of redirects) {
        putRedirect.run(number, heir);
        remove.run(number);
      }
      runOnLinks((links) => {
        const statements = linkStatementsOf(links);
        for (const [number, heir] of redirects) {
          statements.putRedirect.run(number, heir);
          statements.removeKeys.run(number);
        }
      });
    },
    removeRedirects(numbers) {
      for (const number of numbers) statementsOf(db).removeRedirect.run(number);
      runOnLinks((links) => {
        for (const number of numbers) linkStatementsOf(links).removeRedirect.run(number);
      });
    },
    listRedirectsTo: (identities) =>
      runOnLinks((links) => identities.flatMap((id) => linkStatementsOf(links).redirectsTo.all(id))),
    postings: wrapWithSqliteErrorConversion(file, GRAPH_FILE_TYPE_DEFINITION, openLookupKeyTable(db)),
    finishPart: (totals) => writeTotals(db, totals),
  });
}

const statementsOf = preparePerConnection((db) => ({
  isThere: db.prepare<[number], number>('SELECT 1 FROM identity WHERE id = ?').pluck(),
  setIdentity: db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?'),
  putRedirect: db.prepare('INSERT OR REPLACE INTO merged VALUES (?, ?)'),
  removeRedirect: db.prepare('DELETE FROM merged WHERE number = ?'),
  remove: db.prepare('DELETE FROM identity WHERE id = ?'),
}));

const linkStatementsOf = preparePerConnection((db) => ({
  keys: db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck(),
  putKeys: db.prepare('INSERT OR REPLACE INTO published VALUES (?, ?)'),
  removeKeys: db.prepare('DELETE FROM published WHERE id = ?'),
  redirectsTo: db
    .prepare<[number], IdentityRedirect>('SELECT number, heir FROM redirect WHERE heir = ?')
    .raw(),
  putRedirect: db.prepare('INSERT OR REPLACE INTO redirect VALUES (?, ?)'),
  removeRedirect: db.prepare('DELETE FROM redirect WHERE number = ?'),
}));

const identityWriter = preparePerConnection((db): ((identity: PublishedIdentity) => void) => {
  const insert = db.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?, ?, ?, ?, ?, ?)');
  return ({ number, rows, firstSeen, lastSeen, sources, hint, profile }) =>
    void insert.run(
      number,
      convertMillisecondsToFractionalDays(firstSeen),
      convertMillisecondsToFractionalDays(lastSeen),
      rows.length,
      sources,
      hint,
      profile,
    );
});

function beginReplacement(db: Db, builder: LinkCacheFileBuilder | null): IdentityReplacementOperations {
  db.exec('DELETE FROM identity; DELETE FROM posting; DELETE FROM frequent');
  const insert = identityWriter(db);
  return {
    put(identities) {
      for (const identity of identities) {
        insert(identity);
        builder?.addPublished(identity.number, numbersToBytes(identity.keys));
      }
    },
    finishIdentities({ identities, redirects }) {
      setIdentities(db, identities);
      for (const [number, heir] of redirects) builder?.addRedirect(number, heir);
    },
    putPostings: (postings) => writeLookupKeys(db, postings),
    finish: (totals) => writeTotals(db, totals),
  };
}

/** Stores the identity of each record, in the order of record rows, which is faster than the order of identities. */
function setIdentities(db: Db, identities: IdentityNumbering['identities']): void {
  const highest = identities.reduce((most, { rows }) => Math.max(most, rows.at(-1) ?? 0), 0);
  const numbers = new Float64Array(highest + 1);
  for (const { number, rows } of identities) for (const row of rows) numbers[row] = number;
  const { setIdentity } = statementsOf(db);
  for (const [row, number] of numbers.entries()) if (number > 0) setIdentity.run(number, row, number);
}

function writeTotals(db: Db, totals: PublishedGraphTotals): GraphState {
  writeGraphFileMetadata(db, 'link_stamp', renewRecordsFileStamp(db));
  writeGraphFileMetadata(db, 'error_rates', JSON.stringify(totals.errorRates));
  writeGraphFileMetadata(db, 'settled', totals.settled ? 'yes' : 'no');
  writeGraphFileMetadata(db, 'name_tables', totals.nameTables);
  writeGraphFileMetadata(db, 'linked_at', new Date().toISOString());
  writeGraphFileMetadata(db, 'identities', String(totals.identities));
  writeGraphFileMetadata(db, 'postings', String(totals.postings));
  writeGraphFileMetadata(db, 'newest', String(totals.newest ?? 'none'));
  return readRecordsFileState(db);
}
