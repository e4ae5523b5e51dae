// npm run bench:consistency: reads many random answers over a mixed graph, and counts contradictions within answers by rule.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openService } from '../consistency/random/ask.ts';
import { countUnfaithful } from '../consistency/random/faithful.ts';
import { countContradictions, tableOf } from '../consistency/random/count.ts';
import { makeWorld } from '../consistency/random/world.ts';

const HELP = `npm run bench:consistency -- [--requests 100000] [--seed 1] [--examples FILE] [--faithful 10000]
--examples writes the first request of every rule that was broken, with what was found, as JSON lines.
--faithful leaves that many values out, one at a time, and compares the score with the score that was stated for it.
`;

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    examples: { type: 'string' },
    faithful: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const world = makeWorld();
const service = await openService(world.records);
const tally = await countContradictions({
  service,
  world,
  requests: Number(options.requests),
  seed: Number(options.seed),
  onProgress: (done) => process.stderr.write(`\r${done} requests`),
});
const faithful = await countUnfaithful({ service, world, pieces: Number(options.faithful) });
await service.close();
process.stderr.write('\n');
process.stdout.write(`${tableOf(tally)}\n`);
if (Number(options.faithful) > 0)
  process.stdout.write(
    `${faithful.pieces} pieces of evidence left out, ${faithful.wrong} gave another score than stated: ${[...faithful.examples.keys()].join(', ')}\n`,
  );
if (options.examples)
  writeFileSync(
    options.examples,
    [...tally.rules].map(([rule, it]) => `${JSON.stringify({ rule, ...it })}\n`).join(''),
  );
process.exitCode = tally.wrong > 0 ? 1 : 0;
