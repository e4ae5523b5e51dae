// A graph for tests that check a name with contacts.
import { beforeAll } from 'vitest';
import { checkClaim } from '../../../src/check.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import type { IdentityGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { flat } from '../verdict.ts';
import { importRows, type Row, sharedFolder, strangers } from './graph.ts';

export interface SentContacts {
  emails?: string[];
  phones?: string[];
  addresses?: object[];
}

/** Imports rows before the tests of a file. Returns a function that checks a name with contacts. */
export function openGraphForChecks(rows: Row[]) {
  const folder = sharedFolder();
  let graph: IdentityGraph;
  beforeAll(async () => {
    await importRows(folder, [rows]);
    graph = openSqliteGraph({ dataDir: folder });
    return () => graph.close();
  });
  return async (name: string, sent: SentContacts) =>
    flat(await checkClaim(parseClaim({ value: { name, ...sent }, issues: [] }, 'US'), graph));
}

/** People with records until August 2025, so that this is the newest date of a graph. */
export const STRANGERS = strangers(60).map((one): Row => ({
  ...one,
  identity: one.record_id,
  last_seen: '2025-08-01',
}));
