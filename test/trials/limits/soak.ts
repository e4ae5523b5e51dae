// Hours of serving at four fifths of the machine's capacity: memory stays constant, nothing is lost, no caller waits long.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyLedger, judge, startLoad } from '../kit/load.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import { serve, weigh } from '../kit/server.ts';
import { audit } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const soaks: Trial[] = [{ name: 'soak', about: 'serving at 80 % of the most that is possible', run }];

const CONNECTIONS = 32;
const SHARE = 0.8;
const REPEAT = 'npm run trials -- --only soak';
/** Usual variation of the heap of V8, in MB. */
const GROWN_MB = 150;

async function run(stage: Stage): Promise<void> {
  const { tally } = stage;
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'data'));
  const server = await serve(folder);
  const flatOut = emptyLedger();
  const warmUp = stage.of(1, 10);
  const first = startLoad({ ports: [server.port], connections: CONNECTIONS, base, ledger: flatOut });
  await pause(warmUp * 1000);
  await first.stop();
  const perSecond = (SHARE * flatOut.acknowledged.size) / warmUp;
  await server.rested();
  tally.memory.before = server.memory();
  const ledger = emptyLedger();
  const load = startLoad({ ports: [server.port], connections: CONNECTIONS, base, ledger, perSecond });
  await pause(stage.times(2, 120, 3600) * 1000);
  await load.stop();
  weigh(tally, server);
  did(tally, 'calls a second', Math.round(perSecond));
  if (tally.memory.after - tally.memory.before > GROWN_MB)
    fault(tally, { seen: `memory grew by more than ${GROWN_MB} MB`, repeat: REPEAT });
  await server.kill();
  judge(tally, flatOut, { allowed: [], alive: true, repeat: REPEAT });
  judge(tally, ledger, { allowed: [], alive: true, repeat: REPEAT });
  audit(tally, folder, {
    acknowledged: [...flatOut.acknowledged.keys(), ...ledger.acknowledged.keys()],
    repeat: REPEAT,
  });
}
