import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkClaim } from '../../../src/check.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { CHECK_LOOKUP_SQL } from '../../../src/graph/postgres/resolve.ts';
import { toQueryKeyFingerprints } from '../../../src/graph/resolve/resolve.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { SAMPLE_GRAPH_FILE } from '../../../src/app/sample.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, queryOf, type Row } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';
import { wireTo } from '../../kit/graphs/wire.ts';

const SECRET = 'c3'.repeat(32);
const server = sharedPostgres();
const SAMPLE: Row[] = readFileSync(SAMPLE_GRAPH_FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** Returns the first name of a sample row; some rows have several, or one in parts. */
function nameOf({ name, names }: Row): string {
  const [first = 'Nobody At All'] = [name, names?.[0]].filter((text) => typeof text === 'string');
  return first;
}

/** Three checks for each row: with its own values, with its contacts and another name, and with a typo in each value. */
const CASES = SAMPLE.slice(0, 60).flatMap((row, i) => {
  const { emails = [], phones = [] } = row;
  const addresses = (row.addresses ?? []).map(({ street = '', city = '', state = '', zip = '' }) => ({
    street,
    city,
    state,
    zip,
  }));
  const [name, other] = [nameOf(row), nameOf(SAMPLE[(i * 7 + 11) % SAMPLE.length] ?? row)];
  return [
    { name, emails, phones, addresses },
    { name: other, emails, phones },
    { name: name.slice(0, -1), emails: emails.map((one) => one.replace('@', 'x@')).slice(0, 3), addresses },
  ];
});

const claimOf = (value: object) => parseClaim({ value: { ...value, operation: 'raw' }, issues: [] }, 'US');

async function sampleOn(url: string) {
  const graph = openPostgresGraph({ url, secret: SECRET, folder: freshFolder() });
  onTestFinished(() => graph.close());
  await importInto(graph, [SAMPLE]);
  return graph;
}

describe.skipIf(isWithoutPostgres('one round trip for each check'))('a check on PostgreSQL', () => {
  test('has the same answer, byte for byte, as on the embedded graph, nearly always in one round trip', async () => {
    const url = await (await server()).database();
    await sampleOn(url);
    const wire = await wireTo(url);
    const graph = openPostgresGraph({ url: wire.url, secret: SECRET, folder: freshFolder(), connections: 1 });
    onTestFinished(() => graph.close());
    const embedded = openSqliteGraph({ dataDir: freshFolder(), secret: SECRET });
    await importInto(embedded, [SAMPLE]);
    await graph.stats();
    await graph.resolve(queryOf({ name: 'Ada Lovelace' }));
    wire.executed();
    let answered = 0;
    for (const value of CASES) {
      const claim = claimOf(value);
      expect(JSON.stringify(await checkClaim(claim, graph))).toBe(
        JSON.stringify(await checkClaim(claim, embedded)),
      );
      answered++;
    }
    await embedded.close();
    // In addition, the health monitor probes the database from time to time.
    const looks = answered * 0.05 + 20;
    expect(wire.executed()).toBeLessThan(answered + looks);
  });

  test('reads only the partitions of the tables that contain its keys', async () => {
    const url = await (await server()).database();
    await sampleOn(url);
    const sql = postgres(url, {
      ...parseSocketFolder(url),
      max: 1,
      fetch_types: false,
      onnotice: () => undefined,
    });
    onTestFinished(() => sql.end());
    await sql.unsafe(
      'SET search_path = bonafide; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
    );
    await sql.unsafe(`PREPARE asked AS ${CHECK_LOOKUP_SQL}`);
    const touched = async (name: string) => {
      const { all, nameKeyCount: names } = toQueryKeyFingerprints(
        queryOf({ name }),
        createFingerprintFunctions(SECRET),
      );
      const keys = [all[0] ?? 0];
      const explain = `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE asked ('{${keys.join()}}', ${Math.min(1, names)}, 2)`;
      const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(explain);
      return plan
        .map((row) => row['QUERY PLAN'])
        .filter((line) => / on (posting|identity|frequent)_\d/.test(line))
        .filter((line) => !line.includes('never executed'));
    };
    const bearer = nameOf(SAMPLE.find(({ name }) => typeof name === 'string') ?? { record_id: '' });
    const found = await touched(bearer);
    // One key is in one partition; its holders are in at most one partition each.
    expect(found.filter((line) => line.includes('posting_'))).toHaveLength(1);
    expect(found.filter((line) => line.includes('frequent_'))).toEqual([]);
    const nobody = await touched('Zzyzx Qwertz');
    expect(nobody).toHaveLength(1);
  });
});
