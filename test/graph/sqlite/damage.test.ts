import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BonafideError } from '../../../src/errors.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { freshApp } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, queryOf, type Row, sharedFolder, strangers } from '../../kit/graphs/graph.ts';

const PEOPLE = strangers(60);
const QUERIES = PEOPLE.map(queryOf);
const folder = sharedFolder();
await importRows(folder, [PEOPLE]);
const WHOLE = join(folder, 'graph.db');
// Page size from the header of the file.
const PAGE = readFileSync(WHOLE).readUInt16BE(16);
const PAGES = statSync(WHOLE).size / PAGE;

/** Copies a graph to a new folder. */
function copied(from = folder): { dataDir: string; file: string } {
  const dataDir = freshFolder();
  const file = join(dataDir, 'graph.db');
  copyFileSync(join(from, 'graph.db'), file);
  copyFileSync(join(from, 'secret'), join(dataDir, 'secret'));
  return { dataDir, file };
}

function overwrite(file: string, page: number, bytes: Buffer): void {
  const open = openSync(file, 'r+');
  writeSync(open, bytes, 0, bytes.length, page * PAGE);
  closeSync(open);
}

/** Asks every query, several in each turn of the event loop. Returns the number of answers, and the codes of the errors. */
async function ask(graph: RecordStoringGraph): Promise<{ answered: number; codes: Set<string> }> {
  let answered = 0;
  const codes = new Set<string>();
  for (const [i, query] of QUERIES.entries()) {
    try {
      await graph.resolve(query);
      answered++;
    } catch (error) {
      codes.add(codeOf(error));
    }
    if (i % 7 === 0) await nextTurn();
  }
  await nextTurn();
  await nextTurn();
  return { answered, codes };
}

/** Damages a page of a graph, and returns the result in words. The result is that of the ping if the ping contradicts the queries. */
async function servedWith(page: number, bytes: Buffer): Promise<string> {
  const { dataDir, file } = copied();
  overwrite(file, page, bytes);
  let graph: RecordStoringGraph;
  try {
    graph = openSqliteGraph({ dataDir, create: false });
  } catch (error) {
    return `${codeOf(error)} at opening`;
  }
  const { answered, codes } = await ask(graph);
  const pinged = pingOf(graph);
  await graph.close();
  if (pinged !== (codes.size > 0 ? 'graph_bad_response' : 'ok')) return `ping: ${pinged}`;
  if (codes.size === 0) return 'all answered';
  return `${answered > 0 ? 'some' : 'all'} are ${[...codes].join()}`;
}

const codeOf = (error: unknown) => (error instanceof BonafideError ? error.code : String(error));

function pingOf(graph: RecordStoringGraph): string {
  try {
    graph.ping();
    return 'ok';
  } catch (error) {
    return codeOf(error);
  }
}

const FILLS = {
  zeros: Buffer.alloc(PAGE),
  ones: Buffer.alloc(PAGE, 0xff),
  text: Buffer.alloc(PAGE, 'nobody wrote this '),
};

// The commit at the end of a turn has no caller: an error there would fail this file as an uncaught one.
describe.each(Object.entries(FILLS))('a page overwritten with %s', (_, bytes) => {
  test('before opening: opening fails, or the checks that need the page fail and the rest is answered', async () => {
    const outcomes = new Set<string>();
    for (let page = 0; page < PAGES; page++) outcomes.add(await servedWith(page, bytes));
    const opening = ['damaged_database at opening', 'foreign_database at opening'];
    const serving = ['all answered', 'some are graph_bad_response', 'all are graph_bad_response'];
    expect([...outcomes].filter((one) => ![...opening, ...serving].includes(one))).toEqual([]);
    expect(outcomes).toContain('some are graph_bad_response');
  });

  test('while serving: the same', async () => {
    for (let page = 0; page < PAGES; page++) {
      const { dataDir, file } = copied();
      const graph = openSqliteGraph({ dataDir, create: false });
      overwrite(file, page, bytes);
      const { codes } = await ask(graph);
      expect([...codes].filter((code) => code !== 'graph_bad_response')).toEqual([]);
      await graph.close();
    }
  });
});

test.each([0.9, 0.5, 0.1])(
  'a file cut to %f of its length while serving fails checks and nothing else',
  async (share) => {
    const { dataDir, file } = copied();
    const graph = openSqliteGraph({ dataDir, create: false });
    truncateSync(file, Math.floor(statSync(file).size * share));
    const { codes } = await ask(graph);
    expect([...codes]).toEqual(['graph_bad_response']);
    expect(() => graph.ping()).toThrow(BonafideError);
    await graph.close();
  },
);

test.each([
  ['removed', (file: string) => rmSync(file)],
  ['emptied', (file: string) => truncateSync(file)],
  ['replaced', (file: string) => (rmSync(file), copyFileSync(WHOLE, file))],
])('a file that is %s while serving answers nobody, a second later at most', async (_, harm) => {
  const { dataDir, file } = copied();
  const graph = openSqliteGraph({ dataDir, create: false });
  harm(file);
  await wait(1050);
  expect(() => graph.ping()).toThrow(/was removed, emptied or replaced while it was in use/);
  expect(await ask(graph)).toEqual({ answered: 0, codes: new Set(['graph_unavailable']) });
  await graph.close();
});

test('a file that was moved away and put back is served again', async () => {
  const { dataDir, file } = copied();
  const graph = openSqliteGraph({ dataDir, create: false });
  renameSync(file, `${file}.away`);
  await wait(1050);
  expect(() => graph.ping()).toThrow(BonafideError);
  renameSync(`${file}.away`, file);
  await wait(1050);
  expect(() => graph.ping()).not.toThrow();
  expect((await ask(graph)).answered).toBe(QUERIES.length);
  await graph.close();
});

/** Returns a page of a graph that some queries need and others do not. */
async function neededBySome(from: string): Promise<number> {
  for (let page = Math.ceil(statSync(join(from, 'graph.db')).size / PAGE) - 1; page > 0; page--) {
    const { dataDir, file } = copied(from);
    overwrite(file, page, FILLS.ones);
    const graph = openSqliteGraph({ dataDir, create: false });
    const { answered, codes } = await ask(graph);
    await graph.close();
    if (answered > 0 && codes.size > 0) return page;
  }
  throw new Error('no such page');
}

test('over HTTP: affected checks are 502, the rest 200, readiness names the graph, the log says what to do', async () => {
  const { folder: served, post, send, logged } = await freshApp({ people: PEOPLE });
  overwrite(join(served, 'graph.db'), await neededBySome(served), FILLS.ones);
  // Submits the contacts of the queries too: a page may contain nothing but a phone.
  const submit = async ({ name, emails, phones, addresses }: Row) =>
    (await post('/v1/validate', { name, emails, phones, addresses })).status;
  expect(new Set(await Promise.all(PEOPLE.map(submit)))).toEqual(new Set([200, 502]));
  const ready = await send('/readyz');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: 'not ready', graph: 'failed', store: 'ok' });
  expect(logged()).toContain('Restore the file from a backup, or move it away and import the records again');
});
