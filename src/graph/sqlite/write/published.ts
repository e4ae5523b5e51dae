// Published identities in the file that checks read. The keys of identities, and redirects by the number they lead to, are in the link cache.
import { type Db, onceFor, translated } from '../../../platform/sqlite.ts';
import type {
  PublishedIdentity,
  PublishedTables,
  PublishedTotals,
  Redirect,
  Replacement,
} from '../../sql/published.ts';
import { toDays, GRAPH } from '../schema.ts';
import { type GraphState, bytesToNumbers } from '../../link-cache/link-file.ts';
import type { LinkFileBuilder } from '../../link-cache/builder.ts';
import type { Numbering } from '../../../link/numbers.ts';
import { readTotals, writeMeta } from '../meta.ts';
import { openPostingTable, writeStagedPosting } from '../postings.ts';
import { graphState, restamp } from './records.ts';

/** Runs work on the link cache. Errors: `damaged_database`, after which the link cache is discarded. */
export type WithLinkFile = <T>(work: (db: Db) => T) => T;

/** @param file the file that checks read, for error messages */
export function openPublishedTables(db: Db, file: string, withLinkFile: WithLinkFile): PublishedTables {
  const ours = <T>(work: () => T): T => translated(file, work, GRAPH);
  return {
    needsDigests: false,
    readTotals: () => ours(() => readTotals(db)),
    beginReplacement: ({ builder }) => ours(() => replacement(db, ours, builder)),
    readKeys(identities) {
      const isThere = statementsOf(db).isThere;
      const there = ours(() => identities.filter((id) => isThere.get(id) !== undefined));
      return withLinkFile((linkDb) => {
        const { keys } = linkStatementsOf(linkDb);
        return new Map(there.map((id) => [id, bytesToNumbers(keys.get(id))]));
      });
    },
    put(identities) {
      ours(() => {
        const { belongs } = statementsOf(db);
        const write = identityWriter(db);
        for (const identity of identities) {
          write(identity);
          for (const row of Array.from(identity.rows)) belongs.run(identity.number, row, identity.number);
        }
      });
      withLinkFile((linkDb) => {
        const { putKeys } = linkStatementsOf(linkDb);
        for (const { number, keys } of identities) putKeys.run(number, toBytes(keys));
      });
    },
    redirect(redirects) {
      ours(() => {
        const { redirect, remove } = statementsOf(db);
        for (const [number, heir] of redirects) {
          redirect.run(number, heir);
          remove.run(number);
        }
      });
      withLinkFile((linkDb) => {
        const { redirect, removeKeys } = linkStatementsOf(linkDb);
        for (const [number, heir] of redirects) {
          redirect.run(number, heir);
          removeKeys.run(number);
        }
      });
    },
    removeRedirects(numbers) {
      ours(() => {
        for (const number of numbers) statementsOf(db).removeRedirect.run(number);
      });
      withLinkFile((linkDb) => {
        for (const number of numbers) linkStatementsOf(linkDb).removeRedirect.run(number);
      });
    },
    listRedirectsTo: (identities) =>
      withLinkFile((linkDb) => identities.flatMap((id) => linkStatementsOf(linkDb).redirectsTo.all(id))),
    postings: openPostingTable(db, ours),
    finishPart: (totals) => ours(() => writeTotals(db, totals)),
  };
}

const statementsOf = onceFor((db) => ({
  isThere: db.prepare<[number], number>('SELECT 1 FROM identity WHERE id = ?').pluck(),
  belongs: db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?'),
  redirect: db.prepare('INSERT OR REPLACE INTO merged VALUES (?, ?)'),
  removeRedirect: db.prepare('DELETE FROM merged WHERE number = ?'),
  remove: db.prepare('DELETE FROM identity WHERE id = ?'),
}));

const linkStatementsOf = onceFor((db) => ({
  keys: db.prepare<[number], Buffer>('SELECT keys FROM published WHERE id = ?').pluck(),
  putKeys: db.prepare('INSERT OR REPLACE INTO published VALUES (?, ?)'),
  removeKeys: db.prepare('DELETE FROM published WHERE id = ?'),
  redirectsTo: db.prepare<[number], Redirect>('SELECT number, heir FROM redirect WHERE heir = ?').raw(),
  redirect: db.prepare('INSERT OR REPLACE INTO redirect VALUES (?, ?)'),
  removeRedirect: db.prepare('DELETE FROM redirect WHERE number = ?'),
}));

const toBytes = (numbers: ArrayLike<number>) => Buffer.from(Float64Array.from(numbers).buffer);

const identityWriter = onceFor((db): ((identity: PublishedIdentity) => void) => {
  const insert = db.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?, ?, ?, ?, ?, ?)');
  return ({ number, rows, firstSeen, lastSeen, sources, hint, profile }) =>
    void insert.run(number, toDays(firstSeen), toDays(lastSeen), rows.length, sources, hint, profile);
});

function replacement(db: Db, ours: <T>(work: () => T) => T, builder: LinkFileBuilder | null): Replacement {
  db.exec('DELETE FROM identity; DELETE FROM posting; DELETE FROM frequent');
  const write = identityWriter(db);
  const writePosting = writeStagedPosting(db);
  return {
    put(identities) {
      ours(() => identities.forEach(write));
      for (const { number, keys } of identities) builder?.addPublished(number, toBytes(keys));
    },
    finishIdentities({ identities, redirects }) {
      ours(() => writeMembers(db, identities));
      for (const [number, heir] of redirects) builder?.addRedirect(number, heir);
    },
    putPostings: (postings) =>
      ours(() => {
        for (const posting of postings) writePosting(posting);
      }),
    finish: (totals) => ours(() => writeTotals(db, totals)),
  };
}

/** By ascending rows: the records of one identity lie far apart, and each would need a page that is no longer cached. */
function writeMembers(db: Db, identities: Numbering['identities']): void {
  const highest = identities.reduce((most, { rows }) => Math.max(most, rows.at(-1) ?? 0), 0);
  const numbers = new Float64Array(highest + 1);
  for (const { number, rows } of identities) for (const row of rows) numbers[row] = number;
  const { belongs } = statementsOf(db);
  for (const [row, number] of numbers.entries()) if (number > 0) belongs.run(number, row, number);
}

function writeTotals(db: Db, totals: PublishedTotals): GraphState {
  writeMeta(db, 'link_stamp', restamp(db));
  writeMeta(db, 'error_rates', JSON.stringify(totals.errorRates));
  writeMeta(db, 'settled', totals.settled ? 'yes' : 'no');
  writeMeta(db, 'name_tables', totals.nameTables);
  writeMeta(db, 'linked_at', new Date().toISOString());
  writeMeta(db, 'identities', String(totals.identities));
  writeMeta(db, 'postings', String(totals.postings));
  writeMeta(db, 'newest', String(totals.newest ?? 'none'));
  return graphState(db);
}
