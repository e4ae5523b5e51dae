import { milliseconds } from '../../config.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import type { Diagnosis } from '../../features/diagnose.ts';
import { liesInFolder } from '../../graph/engines.ts';
import { examine } from '../../maintenance/doctor/doctor.ts';
import { adviceFor, bad, fine } from '../../maintenance/doctor/finding.ts';
import type { Finding } from '../../maintenance/doctor/finding.ts';
import { placeOf } from '../../store/open.ts';
import { COMMON, configOf, defineCommand, PLUGINS, print, table } from '../command.ts';
import { testModels } from '../features.ts';
import { openShared } from '../with-store.ts';
import { graphFindings } from './doctor-graphs.ts';

export default defineCommand({
  meta: {
    name: 'doctor',
    description: 'Look at everything that an installation stands on, and say what to do',
  },
  args: { ...COMMON, ...PLUGINS },
  examples: ['doctor', 'doctor --json'],
  async run({ args }) {
    const findings = await findingsOf(args);
    const todo = findings.filter(({ state }) => state !== 'ok');
    const rows = findings.map(({ check, state, says }) => [STATE[state], check, says]);
    const advice = todo.map(({ check, todo }) => `${check}: ${todo}`);
    print(
      args,
      findings,
      [table(rows), ...(advice.length > 0 ? ['', 'What to do:', ...advice] : [])].join('\n'),
    );
    const wrong = findings.filter(({ state }) => state === 'bad').length;
    if (wrong > 0)
      throw new BonafideError(
        'invalid_config',
        `${wrong} of ${findings.length} checks failed; what to do is told above.`,
      );
  },
});

const STATE = { ok: 'ok', warning: 'WARNING', bad: 'BAD' };

type Args = Parameters<typeof testModels>[0];

async function findingsOf(args: Args): Promise<Finding[]> {
  let config: Config;
  try {
    config = await configOf(args, { plugins: args.plugins });
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [bad('settings', error.message, 'Mend the setting; nothing else was looked at.')];
  }
  const { dataDir, secret, backup, store } = config;
  const backups = backup && { ...backup, everyMs: milliseconds(backup.every) ?? 0 };
  const found = await examine({
    dataDir,
    secret,
    backups,
    elsewhere: [
      ...(store ? (['store.db'] as const) : []),
      ...(liesInFolder(config) ? [] : (['graph.db'] as const)),
    ],
    now: Date.now(),
  });
  return [
    fine('settings', 'in order'),
    ...found,
    ...(store ? [storeFinding(config)] : []),
    ...(await graphFindings(config)),
    ...(await modelFindings(args)),
  ];
}

/** A store that is elsewhere. */
function storeFinding(config: Config): Finding {
  try {
    openShared(placeOf(config), config).close();
    return fine('store', 'its PostgreSQL answers, and its tables are there');
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return bad('store', error.message, adviceFor(error));
  }
}

async function modelFindings(args: Args): Promise<Finding[]> {
  try {
    const diagnoses = await testModels(args);
    return diagnoses.map(findingOf);
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [bad('models', error.message, 'See: bonafide features list')];
  }
}

function findingOf({ feature, model, ok, ms, says }: Diagnosis): Finding {
  const text = `${feature} with ${model}, ${ms} ms: ${says}`;
  return ok ? fine('models', text) : bad('models', text, `See: bonafide features test ${feature}`);
}
