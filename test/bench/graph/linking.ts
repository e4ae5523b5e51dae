// npm run bench:linking: the accuracy of linking on labelled sets, with intervals.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { accuracyOf } from './accuracy.ts';
import { interval } from './figures.ts';
import { importing, judged } from './made.ts';

const HELP = `npm run bench:linking -- FILE[=TRUTH]…
Imports each file of records (JSON Lines) into a graph of its own, and prints precision, recall and F1 over pairs of records, with 95 %
intervals. Who a record is stands in its property \`truth\`, or in that of another file, of lines {"record_id", "truth"}.
`;

const files = process.argv.slice(2);
if (files.length === 0 || files.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}
process.stdout.write(
  '| set | records | precision (95 %) | recall (95 %) | F1 (95 %) |\n|---|---|---|---|---|\n',
);
for (const given of files) {
  const [file = '', truth = file] = given.split('=');
  const root = mkdtempSync(join(tmpdir(), 'bonafide-linking-'));
  const folder = join(root, 'data');
  try {
    await importing(folder, file).ended;
    const records = await judged({ folder, truth });
    const { precision, recall, f1 } = accuracyOf(records);
    const cells = [basename(file, '.jsonl'), records.length, ...[precision, recall, f1].map(interval)];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  } finally {
    rmSync(root, { recursive: true });
  }
}
