// Imports from a grammar: each file is imported or rejected with a clear message, and no value is printed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, launchNode } from '../kit/children.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';
import { LARGE_FILES, MARK } from './grammar.ts';
import { PACKED_FILES } from './packed.ts';

const DRIVER = fileURLToPath(new URL('import-driver.ts', import.meta.url));

export const fuzzedImports: Trial[] = [
  { name: 'fuzz-imports', about: 'imports from a grammar of strange files', run },
];

const LARGE = { ...LARGE_FILES, ...PACKED_FILES };

export interface Seen {
  n: number;
  seen?: string;
  file?: string;
  memory: number;
}

/** Limit of CPU time, set by the shell, because elapsed time depends on other work of the machine. */
const LARGE_LIMIT_SECONDS = 60;
const LARGE_LIMIT_MS = 900_000;

async function run(stage: Stage): Promise<void> {
  const { tally } = stage;
  const count = stage.times(50, 10_000);
  const seed = Math.floor(stage.random() * 1e9);
  const order = { folder: join(stage.folder, 'work'), seed, count };
  const { stdout, stderr, code, signal } = await launchNode([DRIVER, JSON.stringify(order)], {
    limitMs: 900_000,
  }).ended;
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Seen);
  const last = lines.at(-1);
  did(tally, 'imports', last?.n ?? 0);
  tally.memory = { before: lines[0]?.memory ?? 0, after: last?.memory ?? 0 };
  for (const { n, seen, file } of lines)
    if (seen) fault(tally, { seen, repeat: `npm run trials -- --only fuzz-imports (import ${n}: ${file})` });
  if (last?.n !== count)
    fault(tally, {
      seen: `the import ended with ${code ?? signal}: ${stderr.slice(0, 200)}`,
      repeat: `import ${last?.n ?? 0} of seed ${seed}`,
    });
  if (stage.size !== 'short') for (const name of Object.keys(LARGE)) await large(stage, name);
}

async function large(stage: Stage, name: keyof typeof LARGE): Promise<void> {
  const folder = join(stage.folder, 'large');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const made = LARGE[name]?.();
  if (!made) return;
  const file = join(folder, `file.${made.ending}`);
  writeFileSync(file, made.bytes);
  const args = ['graph', 'import', file, '--data-dir', join(folder, 'data')];
  const { code, signal, stdout, stderr } = await launch(args, {
    before: `ulimit -t ${LARGE_LIMIT_SECONDS}`,
    limitMs: LARGE_LIMIT_MS,
  }).ended;
  did(stage.tally, 'large imports');
  const repeat = `npm run trials -- --only fuzz-imports (${name})`;
  if (signal) fault(stage.tally, { seen: `${name}: takes more than a minute of the processor`, repeat });
  else if (code !== 0 && !/^error: (?!.*should not have).+$/m.test(stderr))
    fault(stage.tally, { seen: `${name}: ${stderr.slice(0, 200)}`, repeat });
  if ((stdout + stderr).includes(MARK)) fault(stage.tally, { seen: 'a value on the screen', repeat });
}
