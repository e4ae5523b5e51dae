// The n-th write, sync, rename, opening or allocation fails, for n = 1, 2, 3 … until the operation passes.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchNode } from '../kit/children.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import { buildShim, openShim } from '../kit/shim.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

const DRIVER = fileURLToPath(new URL('failing-driver.ts', import.meta.url));

/** Input of the driver, and its output for every n, one line of JSON each. */
export interface Order {
  operation: string;
  kind: string;
  error: string;
  /** Folder that is copied, and the path for the copies. */
  from: string;
  work: string;
  shim: string;
  more: string;
  question: object;
  answers: string[];
  /** Distance between two values of n. */
  step: number;
}
export interface Said {
  n: number;
  outcome: 'passed' | 'refused' | 'done';
  seen?: string;
}

const FAILURES = [
  ['write', 'ENOSPC'],
  ['write', 'EIO'],
  ['sync', 'EIO'],
  ['name', 'EIO'],
  ['open', 'EMFILE'],
  ['alloc', 'ENOMEM'],
] as const;
const OPERATIONS = ['keys', 'features', 'call', 'import'];

export const failingCalls: Trial[] = [
  {
    name: 'failing',
    about: 'the n-th write, sync, rename, opening and allocation fails, n = 1, 2, 3 …',
    run,
  },
];

async function run(stage: Stage): Promise<void> {
  const built = buildShim(stage.root);
  if ('missing' in built) return did(stage.tally, `failing operations: ${built.missing}`, 0);
  for (const operation of stage.size === 'short' ? ['keys'] : OPERATIONS)
    for (const [kind, error] of stage.size === 'short' ? FAILURES.slice(0, 3) : FAILURES)
      await failEach(stage, built.file, { operation, kind, error });
}

/** Returns the distance between two values of n: 1 unless there are thousands of steps. */
function stepOf({ of }: Stage, { operation, kind }: { operation: string; kind: string }): number {
  if (kind === 'alloc') return of(80, operation === 'import' ? 1499 : 29, 3);
  return of(8, operation === 'import' ? 11 : 1, 1);
}

async function failEach(
  stage: Stage,
  library: string,
  what: { operation: string; kind: string; error: string },
) {
  const base = await baseIn(stage.root);
  const { operation, kind, error } = what;
  const folder = join(stage.folder, `${operation}-${kind}-${error}`);
  const [from, work, file] = [
    copyOf(base.folder, join(folder, 'from')),
    join(folder, 'work'),
    join(folder, 'shim'),
  ];
  const shim = openShim(library, { file, under: work });
  const [question] = base.questions;
  const order: Order = {
    ...what,
    from,
    work,
    shim: file,
    more: base.more,
    question: question?.asked ?? {},
    answers: [question?.answer ?? ''],
    step: stepOf(stage, what),
  };
  const child = launchNode([DRIVER, JSON.stringify(order)], {
    env: { ...shim.env(), SQLITE_TMPDIR: work },
    limitMs: 600_000,
  });
  const { stdout, stderr, code, signal } = await child.ended;
  const said = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Said);
  const repeat = `npm run trials -- --only failing (${operation}: ${kind} ends with ${error}`;
  for (const { n, seen } of said)
    if (seen)
      fault(stage.tally, { seen: `${operation}, ${kind} ${error}: ${seen}`, repeat: `${repeat}, n = ${n})` });
  did(stage.tally, 'failures', said.filter(({ outcome }) => outcome !== 'done').length);
  if (said.at(-1)?.outcome === 'done') return;
  const last = said.at(-1)?.n ?? 0;
  fault(stage.tally, {
    seen: `${operation}, ${kind} ${error}: ended with ${code ?? signal}: ${stderr.slice(0, 300)}`,
    repeat: `${repeat}, after n = ${last})`,
  });
}
