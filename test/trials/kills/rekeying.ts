// SIGKILL of what writes a whole graph anew, or a person's word: it is there as before, or as after; and run again, done.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bonafide, launch } from '../kit/children.ts';
import { isAnswering } from '../kit/inside.ts';
import { answersOf, type Base, baseIn, copyOf } from '../kit/people.ts';
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
      (await again(rekey(folder))) ??
      (secretOf(folder) === secretOf(sealed) ? 'the secret is the old one' : whole(folder, base, before)),
  });
  if (stage.size === 'short') return;
  await judging(stage, base, before);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => ['graph', 'compact', '--data-dir', folder],
    by: 'step',
    kills: stage.times(1, 40),
    repeat: `${REPEAT} (compact)`,
    amiss: async ({ folder }) => (await isAnswering(folder, base, [before])) ?? whole(folder, base, before),
  });
}

/** Two people are judged to be one. */
async function judging(stage: Stage, base: Base, before: string[]): Promise<void> {
  const args = (folder: string) => ['graph', 'join', '1', '2', '--data-dir', folder];
  const joined = copyOf(base.folder, join(stage.folder, 'joined'));
  await bonafide(args(joined));
  const asked = base.questions.map((question) => question.asked);
  const after = await answersOf(copyOf(joined, join(stage.folder, 'asked')), asked);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => args(folder),
    by: 'step',
    kills: stage.times(1, 40),
    repeat: `${REPEAT} (join)`,
    amiss: async ({ folder }) => {
      const amiss = await isAnswering(folder, base, [before, after]);
      // Done before it was killed, it is refused the second time.
      await launch(args(folder)).ended;
      return amiss ?? whole(folder, base, after);
    },
  });
}

async function again(args: string[]): Promise<string | null> {
  const { code, stderr } = await launch(args).ended;
  return code === 0 ? null : `run again it ends with ${code}: ${stderr.slice(0, 160)}`;
}

async function whole(folder: string, base: Base, answers: string[]): Promise<string | null> {
  const { code, stdout, stderr } = await launch(['graph', 'verify', '--data-dir', folder]).ended;
  const broken = stdout
    .split('\n')
    .filter((line) => line.includes(': not ') || line.includes(' are not where'));
  if (code !== 0) return `graph verify: ${broken.join('; ') || stderr}`;
  return isAnswering(folder, base, [answers]);
}
