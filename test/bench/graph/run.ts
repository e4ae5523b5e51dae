// npm run bench:graph: the cost and the accuracy of a graph of invented people as it grows, in one table.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracyOf } from './accuracy.ts';
import { bodiesFrom } from './bodies.ts';
import { table } from './figures.ts';
import type { CheckFigures, OneFigures, SizeFigures } from './figures.ts';
import { importAll, inChild, judged, makeFiles } from './made.ts';
import { serveAll } from './served.ts';

const HELP = `npm run bench:graph -- [--records 10000,30000] [--one 100] [--seconds 10] [--checks 50] [--feed 50] [--json]
Generates records, imports them, and measures: the import, the files, checks in a process of their own, --one records put one by one,
checks over HTTP (--checks a second for --seconds) alone, beside a feed of --feed records a second and beside an import.
Sizes are of records, about: --records 100000,1000000 takes hours on two cores.
`;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '10000,30000' },
    one: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    checks: { type: 'string', default: '50' },
    feed: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const [seconds, one, feed, perSecond] = [options.seconds, options.one, options.feed, options.checks].map(
  Number,
) as [number, number, number, number];
/** Size of the import beside checks as a share of the graph: above a tenth, all records are linked again. */
const BESIDE = 0.12;
const LEAST_BESIDE = 1000;

async function measure(root: string, records: number): Promise<SizeFigures> {
  const told = (what: string) => process.stderr.write(`${records}: ${what}\n`);
  const more = Math.max(LEAST_BESIDE, 2 * seconds * feed, records * BESIDE);
  const made = await makeFiles(root, { records, single: one * 2, more });
  told('import');
  const imported = await importAll(made);
  told('checks');
  const accuracy = accuracyOf(await judged(made));
  const { four, sixteen, hostile } = await bodiesFrom(made.file);
  const inProcess = (bodies: object[]) =>
    inChild<CheckFigures>(root, 'checks', { folder: made.folder, bodies });
  const checks = {
    four: await inProcess(four),
    sixteen: await inProcess(sixteen),
    hostile: await inProcess(hostile),
  };
  told('one by one');
  const alone = await inChild<OneFigures>(root, 'one', {
    folder: made.folder,
    file: made.single,
    count: one,
  });
  told('server');
  const served = await serveAll(made, { bodies: four, seconds, checks: perSecond, feed });
  return { import: imported, accuracy, checks, one: alone, ...served };
}

const all: SizeFigures[] = [];
try {
  for (const records of options.records.split(',').map(Number)) {
    const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-graph-'));
    try {
      all.push(await measure(root, records));
    } finally {
      rmSync(root, { recursive: true });
    }
  }
} finally {
  // Prints the figures so far, also after an error.
  process.stdout.write(options.json ? `${JSON.stringify(all, null, 2)}\n` : table(all));
}
