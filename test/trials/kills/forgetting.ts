// SIGKILL of a forgetting: the person is there as before, or gone; and run again, gone from every byte.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bonafide, launch } from '../kit/children.ts';
import { isAnswering } from '../kit/inside.ts';
import { answersOf, type Base, baseIn, copyOf } from '../kit/people.ts';
import type { Stage, Trial } from '../trial.ts';
import { killEach } from './commands.ts';

export const killedForgetting: Trial[] = [
  {
    name: 'kill-forgetting',
    about: 'people forgotten, killed at its n-th write, sync or rename',
    run: forgetting,
  },
];

async function forgetting(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const args = (folder: string) => ['graph', 'forget', ...recordsOf(base), '--yes', '--data-dir', folder];
  const whole = copyOf(base.folder, join(stage.folder, 'whole'));
  await bonafide(args(whole));
  const asked = base.questions.map((question) => question.asked);
  const before = base.questions.map(({ answer }) => answer);
  const after = await answersOf(whole, asked);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => args(folder),
    by: 'step',
    kills: stage.times(2, 200),
    repeat: 'npm run trials -- --only kill-forgetting',
    amiss: async ({ folder }) =>
      (await isAnswering(folder, base, [before, after])) ?? (await gone(folder, args(folder), base, after)),
  });
}

/** Three records of people who are asked about. */
function recordsOf({ records }: Base): string[] {
  const lines = readFileSync(records, 'utf8').split('\n').slice(0, 3);
  return lines.flatMap((line) => {
    const { record_id, source = 'records' } = JSON.parse(line) as { record_id: string; source?: string };
    return ['--record', `${source}:${record_id}`];
  });
}

/** Run again, it is done, or completed where it was. */
async function gone(folder: string, args: string[], base: Base, after: string[]): Promise<string | null> {
  const { code, stderr } = await launch(args).ended;
  if (code !== 0 && !stderr.includes('There is no record'))
    return `run again it ends with ${code}: ${stderr.slice(0, 160)}`;
  const { wrong } = await bonafide(['graph', 'verify', '--data-dir', folder]);
  const { warnings } = await bonafide(['graph', 'stats', '--data-dir', folder]);
  if (wrong !== 0) return `${String(wrong)} records are linked otherwise`;
  if (Array.isArray(warnings) && warnings.length > 0)
    return `run again it leaves a warning: ${String(warnings[0])}`;
  return isAnswering(folder, base, [after]);
}
