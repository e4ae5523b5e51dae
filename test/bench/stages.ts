// npm run bench:stages: what an import of generated records costs, stage by stage, in processor time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { recordLines } from '../../src/generate/record.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { blockRecords } from '../../src/import/block.ts';
import { clusterParts } from '../../src/import/bulk/components.ts';
import { comparePairs, measurePairs, patternsOf, recordReader } from '../../src/import/compare.ts';
import { toStored } from '../../src/import/ingest.ts';
import { readRecords } from '../../src/import/read.ts';
import { COUNTED } from '../../src/link/counted/facts.ts';
import { globalsOf } from '../../src/link/counted/globals.ts';
import { levelContext } from '../../src/link/counted/levels.ts';
import { ratesOf } from '../../src/link/counted/measure.ts';
import { NO_ERRORS } from '../../src/link/error-rates.ts';
import type { StoredRecord } from '../../src/link/stored.ts';
import { worldOf } from '../generate/world.ts';

const { values: options } = parseArgs({
  options: { people: { type: 'string', default: '7812' }, seed: { type: 'string', default: '7' } },
});

const stages: { name: string; micros: number; megabytes: number }[] = [];
let before = process.cpuUsage();

/** What was done since the last stage ended. */
function stage(name: string): void {
  const { user, system } = process.cpuUsage(before);
  stages.push({ name, micros: user + system, megabytes: process.memoryUsage().rss / 1e6 });
  before = process.cpuUsage();
}

async function* generated(): AsyncIterable<Uint8Array> {
  for (const { records } of recordLines(worldOf(Number(options.people), { seed: Number(options.seed) })))
    yield Buffer.from(records);
}

const folder = mkdtempSync(join(tmpdir(), 'bonafide-stages-'));
const graph = openGraph({ dataDir: folder });
const { records, linking } = graph;
for await (const _ of generated());
const generating = process.cpuUsage(before);
stage('');
const read: StoredRecord[][] = [];
for await (const { record } of readRecords(generated(), { name: '-' })) {
  if (!record) continue;
  if (!read.at(-1) || (read.at(-1)?.length ?? 0) >= 500) read.push([]);
  read.at(-1)?.push(toStored(record, records.fingerprints));
}
stage('reading: parsed, normalised, fingerprints of contacts');
// The records were generated once more on the way.
const [, reading] = stages;
if (reading) reading.micros -= generating.user + generating.system;
for (const batch of read.splice(0)) await records.put(batch);
stage('keeping: sealed and written');
for await (const _ of records.pages());
stage('(reading all of it again, once)');
const [index, blocks] = [linking.index?.rebuild() ?? null, await linking.blocks()];
const { surveyed, sharers, rows, outlines } = await blockRecords(records, blocks, index);
stage('blocking: read again, names made ready, keys, counts, pairs');
const [reader, survey] = [recordReader(records), surveyed.survey()];
const exact = { ...survey, errorRates: NO_ERRORS, sharers: (key: number) => Math.max(1, sharers.get(key)) };
const known = { counts: levelContext(exact), survey, rows };
const measured = await measurePairs(await blocks.pairs(), reader, known);
const errorRates = ratesOf(patternsOf({ measured }), survey);
stage('measuring how records err');
const { joined, support } = await comparePairs(await blocks.pairs(), reader, {
  context: levelContext({ ...exact, errorRates }),
  isSettled: outlines.settling({ errorRates }),
  persons: rows.persons,
});
stage('comparing');
const clusters = await clusterParts(joined, rows, support);
await blocks.drop();
stage('clustering');
index?.finish({
  counts: [...surveyed.entries(), [COUNTED.people, sharers]],
  totals: surveyed.totals(),
  globals: globalsOf(survey, errorRates),
  found: { joined, measured },
});
stage('remembering');
await linking.publish({ clusters, errorRates, index, revision: await linking.revision() });
stage('publishing');
const count = await records.count();
await graph.close();
rmSync(folder, { recursive: true });

process.stdout.write(`${count} records, ${joined.length} pairs joined\n\nµs a record | MB | stage\n`);
for (const { name, micros, megabytes } of stages.slice(1))
  process.stdout.write(
    `${(micros / count).toFixed(0).padStart(11)} | ${megabytes.toFixed(0).padStart(4)} | ${name}\n`,
  );
