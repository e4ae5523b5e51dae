// Removal of the bytes of deleted watches and job lines from the tables of PostgreSQL.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import type { RecordRow } from '../../../src/link/stored-record.ts';
import { createWatchAndJobEraser } from '../../../src/watches/forget.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';

describe.skipIf(isWithoutPostgres('erasure from a store in PostgreSQL'))('a store in PostgreSQL', () => {
  const server = sharedPostgres({ fsync: 'off', max_prepared_transactions: '1' });
  const rob = { name: 'Robert Vandermeer', emails: ['rob.vandermeer@example.org'] };

  /** A server with a watch of Jane between two of Rob, and a finished job with both. The role of the store is not a superuser. */
  async function startWithWatches() {
    const { folder, database } = await server();
    const url = await database();
    const admin = postgres(url, {
      ...parseSocketFolder(url),
      max: 1,
      fetch_types: false,
      onnotice: () => undefined,
    });
    onTestFinished(() => admin.end());
    const role = new URL(url).pathname.replace('/', 'role_');
    await admin.unsafe(
      `CREATE ROLE ${role} LOGIN; GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role}`,
    );
    const own = url.replace('postgres@', `${role}@`);
    const test = await freshApp({ settings: { watches: 'true', store: `url=${own}` } });
    for (const claim of [rob, JANE, rob]) await test.post('/v1/watches', claim);
    const { job_id: job } = await json(test.post('/v1/jobs', { requests: [rob, JANE] }));
    const state = () => json(test.send(`/v1/jobs/${job}`)).then(({ state: text }) => text);
    await expect.poll(state).toBe('finished');
    const read = async (query: string) =>
      (await admin.unsafe<{ sealed: Buffer }[]>(query)).map(({ sealed }) => sealed);
    const watches = await read('SELECT claim AS sealed FROM bonafide_store.watches ORDER BY id');
    const sealed = [...watches.slice(0, 2), ...(await read('SELECT sealed FROM bonafide_store.job_parts'))];
    expect(sealed).toHaveLength(4);
    /** Returns for Rob's watch, Jane's, and both parts of the job whether a file contains it. The write-ahead log (pg_wal) is not searched: PostgreSQL overwrites its old files later. */
    const isThere = async () => {
      await admin`CHECKPOINT`;
      const base = readdirSync(join(folder, 'data/base'), { recursive: true, withFileTypes: true });
      const bytes = base.flatMap((entry) =>
        entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name))] : [],
      );
      return sealed.map((part) => bytes.some((file) => file.includes(part)));
    };
    expect(await isThere()).toEqual([true, true, true, true]);
    const rowsOf = async (name: string) => {
      const graph = openSqliteGraph({ dataDir: test.folder });
      const rows: RecordRow[] = [];
      for await (const page of graph.records.pages())
        rows.push(...page.filter(({ names }) => JSON.stringify(names).includes(name)));
      await graph.close();
      return rows;
    };
    const createEraser = () =>
      createWatchAndJobEraser({ dataDir: test.folder, region: 'US', store: { url: own } });
    return {
      admin,
      role,
      isThere,
      jane: await rowsOf('uimby'),
      rob: await rowsOf('andermeer'),
      createEraser,
    };
  }

  it('forgetting a person leaves no byte of their watches and job lines in the files, beside those of others', async () => {
    const { admin, isThere, jane, createEraser } = await startWithWatches();
    const { deleteRows, eraseDeletedRows, getErasureProblem } = createEraser();
    // A transaction that began before the deletion may still read the rows. No view of the sessions lists this one.
    await admin.unsafe("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'reader'");
    expect(deleteRows(jane)).toEqual({ watches: 1, job_lines: 1 });
    expect(eraseDeletedRows()).toBe(false);
    expect(getErasureProblem()).toBe('PostgreSQL keeps the deleted rows for: prepared transaction reader.');
    await admin`ROLLBACK PREPARED 'reader'`;
    expect(await isThere()).toEqual([true, true, true, true]);
    expect(eraseDeletedRows()).toBe(true);
    expect(await isThere()).toEqual([true, false, false, false]);
  });

  it('of two people who are forgotten at the same time, no byte is left', async () => {
    const { isThere, jane, createEraser } = await startWithWatches();
    const [first, second] = [createEraser(), createEraser()];
    expect(first.deleteRows([])).toEqual({ watches: 0, job_lines: 0 });
    second.deleteRows(jane);
    expect([first.eraseDeletedRows(), second.eraseDeletedRows()]).toEqual([true, true]);
    expect(await isThere()).toEqual([true, false, false, false]);
  });

  it('a table that may not or cannot be rewritten leaves the erasure pending, and does not fail', async () => {
    const { admin, role, isThere, jane, createEraser } = await startWithWatches();
    const { deleteRows, eraseDeletedRows, getErasureProblem } = createEraser();
    deleteRows(jane);
    await admin.unsafe('ALTER TABLE bonafide_store.job_parts OWNER TO postgres');
    await admin.unsafe(`GRANT ALL ON bonafide_store.job_parts TO ${role}`);
    expect(eraseDeletedRows()).toBe(false);
    expect(getErasureProblem()).toContain('does not own these tables in PostgreSQL: job_parts.');
    await admin.unsafe(`ALTER TABLE bonafide_store.job_parts OWNER TO ${role}`);
    // As during another VACUUM.
    await admin.begin(async (sql) => {
      await sql`LOCK TABLE bonafide_store.watches IN SHARE UPDATE EXCLUSIVE MODE`;
      expect([eraseDeletedRows(), eraseDeletedRows(true)]).toEqual([false, false]);
      expect(getErasureProblem()).toContain('busy');
    });
    expect([eraseDeletedRows(), getErasureProblem()]).toEqual([true, null]);
    expect(await isThere()).toEqual([true, false, false, false]);
  });
});
