// Runs every trial for a few seconds, in several test files that run at the same time. `npm run trials` runs them in full.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isWithoutPostgres } from '../../kit/graphs/postgres.ts';
import { faultLines } from '../report.ts';
import { runTrial, TRIALS } from '../trials.ts';

const COMMANDS = ['kill-importing', 'kill-keeping', 'kill-forgetting', 'kill-rekeying'];

/** Each trial belongs to one of these. */
export type Kind = 'kills of commands' | 'kills of servers' | 'others';

function kindOf(name: string): Kind {
  if (COMMANDS.includes(name)) return 'kills of commands';
  return name.startsWith('kill-') || name === 'cluster' ? 'kills of servers' : 'others';
}

/** Trials that take minutes at any size. */
const LONG = ['failover', 'standby-reads'];

/** Trials whose short form is a part of a test: test/watches/recheck.test.ts plays 10 worlds. */
const TESTED = ['watch-worlds'];

/** Returns the trials of a kind that can run on this machine. Trials that cannot run are reported. */
const trialsOf = (kind: Kind) =>
  TRIALS.filter(({ name }) => kindOf(name) === kind && ![...LONG, ...TESTED].includes(name)).filter(
    ({ name }) => name !== 'cluster' || !isWithoutPostgres('kills in a cluster'),
  );

/** Defines the tests of the trials of a kind. */
export function tryShortly(kind: Kind): void {
  // Skips the warm-up, which is most of a start, because a server that is killed soon does not need it.
  process.env.BONAFIDE_WARM_UP = '0s';
  const root = mkdtempSync(join(tmpdir(), 'bonafide-trials-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  test.for(trialsOf(kind))(
    '$name: no answered call is lost, no answer wrong, no input an error of ours',
    async (trial) => {
      const tally = await runTrial(trial, { root, size: 'short', seed: 1 });
      expect(faultLines(tally)).toBe('');
      expect(tally).toMatchObject({ lost: 0, wrong: 0, fiveHundreds: 0 });
      expect(tally.did.size).toBeGreaterThan(0);
    },
  );
}
