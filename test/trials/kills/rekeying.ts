// SIGKILL of commands that rewrite a whole graph or change a manual link: the result is the old or the new state. A second run completes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTemporaryFiles } from '../../../src/platform/temporary-files.ts';
import { launch } from '../kit/children.ts';
import { answersInside, failureOf, isAnswering, runInside } from '../kit/inside.ts';
import { type Base, baseIn, copyOf } from '../kit/people.ts';
import type { Stage, Trial } from '../trial.ts';
import { killEach } from './commands.ts';

export const killedRekeying: Trial[] = [
  {
    name: 'kill-rekeying',
    about: 'a new secret, a judgement and compacting, killed at their n-th write, sync or rename',
    run: rekeying,
  },
];

const REPEAT = 'npm run trials -- --only kill-rekeying';
const KEEP = { BONAFIDE_GRAPH: 'keep=sealed' };

async function rekeying(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const before = base.questions.map(({ answer }) => answer);
  const sealed = copyOf(base.folder, join(stage.folder, 'sealed'));
  await launch(['graph', 'import', base.records, '--data-dir', sealed], { env: KEEP }).ended;
  const rekey = (folder: string) => ['graph', 'rekey', '--yes', '--data-dir', folder];
  const secretOf = (folder: string) => readFileSync(join(folder, 'secret'), 'utf8');
  await killEach(stage, {
    from: sealed,
    args: ({ folder }) => rekey(folder),
    by: 'step',
    kills: stage.times(1, 60),
    repeat: `${REPEAT} (a new secret)`,
    amiss: async ({ folder }) =>
      (await isAnswering(folder, base, [before])) ??
      (await failureOf(rekey(folder))) ??
      (secretOf(folder) === secretOf(sealed) ? 'the secret is the old one' : null) ??
      copyLeft(folder) ??
      whole(folder, base, before),
  });
  if (stage.size === 'short') return;
  await judging(stage, base);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => ['graph', 'compact', '--data-dir', folder],
    by: 'step',
    kills: stage.times(1, 40),
    repeat: `${REPEAT} (compact)`,
    amiss: async ({ folder }) => (await isAnswering(folder, base, [before])) ?? whole(folder, base, before),
  });
}

interface Judging {
  name: string;
  from: string;
  args: string[];
}

/** Joins two people by hand, and undoes it; splits a record from its person. */
async function judging(stage: Stage, base: Base): Promise<void> {
  const joined = copyOf(base.folder, join(stage.folder, 'joined'));
  const joining = ['graph', 'join', '1', '2'];
  await runInside([...joining, '--data-dir', joined]);
  const one = await recordOfMany(base.folder);
  const all: Judging[] = [
    { name: 'join', from: base.folder, args: joining },
    { name: 'judgement undone', from: joined, args: ['graph', 'manual-links', '--undo', '1'] },
    { name: 'split', from: base.folder, args: ['graph', 'split', one] },
  ];
  for (const one of all) await judged(stage, base, one);
}

async function judged(stage: Stage, base: Base, { name, from, args }: Judging): Promise<void> {
  const asked = base.questions.map((question) => question.asked);
  const answersIn = (folder: string, as: string) =>
    answersInside(copyOf(folder, join(stage.folder, `${name}-${as}`)), asked);
  const done = copyOf(from, join(stage.folder, `${name}-done`));
  await runInside([...args, '--data-dir', done]);
  const [before, after] = [await answersIn(from, 'before'), await answersIn(done, 'after')];
  await killEach(stage, {
    from,
    args: ({ folder }) => [...args, '--data-dir', folder],
    by: 'step',
    kills: stage.times(1, 40),
    repeat: `${REPEAT} (${name})`,
    amiss: async ({ folder }) => {
      const amiss = await isAnswering(folder, base, [before, after]);
      // A command that was completed before the kill is refused the second time.
      await failureOf([...args, '--data-dir', folder]);
      return amiss ?? whole(folder, base, after);
    },
  });
}

/** Returns a record whose identity has a second record. */
async function recordOfMany(folder: string): Promise<string> {
  const { stdout } = await launch(['graph', 'export-ids', '--data-dir', folder]).ended;
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Exported);
  const many = [...Map.groupBy(records, ({ identity }) => identity).values()];
  const [first] = many.find(({ length }) => length > 1) ?? [];
  if (!first) throw new Error('nobody has two records');
  return `${first.source}:${first.record_id}`;
}

interface Exported {
  record_id: string;
  source: string;
  identity: number | null;
}

/** Checks that no temporary copy is left, because it contains everybody. */
function copyLeft(folder: string): string | null {
  const [left] = listTemporaryFiles(folder);
  return left ? `run again it leaves ${left.owner === 'gone' ? 'what was at work' : left.name}` : null;
}

async function whole(folder: string, base: Base, answers: string[]): Promise<string | null> {
  return (await failureOf(['graph', 'verify', '--data-dir', folder])) ?? isAnswering(folder, base, [answers]);
}
