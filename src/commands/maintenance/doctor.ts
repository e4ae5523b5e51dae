import { parseDuration, type Config, enginesOf, DEFAULT_GRAPH } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import type { Diagnosis } from '../../features/diagnose.ts';
import { isGraphInDataFolder, openRecordGraph } from '../../graph/engines.ts';
import { examine } from '../../maintenance/doctor/doctor.ts';
import { adviceFor, bad, fine, type Finding, warning } from '../../maintenance/doctor/finding.ts';
import { getStoreLocation } from '../../store/open.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  PLUGINS_OPTION,
  print,
  formatTable,
} from '../shared/command.ts';
import { testModels } from '../features.ts';
import { openSharedStore } from '../shared/open.ts';
import { openGraphOf } from '../../app/graphs/open.ts';
import { EMPTY_QUERY } from '../../graph/graph.ts';

export default defineCommand({
  meta: {
    name: 'doctor',
    description: 'Look at everything that an installation stands on, and say what to do',
  },
  args: { ...COMMON_OPTIONS, ...PLUGINS_OPTION },
  examples: ['doctor', 'doctor --json'],
  async run({ args }) {
    const findings = await findingsOf(args);
    const todo = findings.filter(({ state }) => state !== 'ok');
    const rows = findings.map(({ check, state, says }) => [STATE[state], check, says]);
    const advice = todo.map(({ check, todo }) => `${check}: ${todo}`);
    print(
      args,
      findings,
      [formatTable(rows), ...(advice.length > 0 ? ['', 'What to do:', ...advice] : [])].join('\n'),
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
    config = await loadSettings(args, { plugins: args.plugins });
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [bad('settings', error.message, 'Mend the setting; nothing else was looked at.')];
  }
  const { dataDir, secret, backup, store } = config;
  const backups = backup && { ...backup, everyMs: parseDuration(backup.every) ?? 0 };
  const found = await examine({
    dataDir,
    secret,
    backups,
    elsewhere: [
      ...(store ? (['store.db'] as const) : []),
      ...(isGraphInDataFolder(config) ? [] : (['graph.db'] as const)),
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
    openSharedStore(getStoreLocation(config), config).close();
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

// What doctor says of each graph that lies elsewhere: in a PostgreSQL, on another server, behind a plugin.
/** One finding a graph, by its name; none of one that lies in the folder. */
async function graphFindings(config: Config): Promise<Finding[]> {
  const { graph = DEFAULT_GRAPH } = config;
  const names = enginesOf(graph).filter((name) => name !== 'sqlite');
  const alone = (engine: string): Config => ({ ...config, graph: { ...graph, engine } });
  const looks = names.map((name) =>
    name === 'postgres' ? inPostgres(alone(name)) : asked(alone(name), name),
  );
  return Promise.all(looks);
}

async function inPostgres(config: Config): Promise<Finding> {
  try {
    const graph = openRecordGraph({ ...config, create: false });
    try {
      const { records, identities } = await graph.stats();
      return fine('graph', `its PostgreSQL answers: ${records} records of ${identities} people`);
    } finally {
      await graph.close();
    }
  } catch (error) {
    return troubleOf(error, adviceFor);
  }
}

/** Asked about nobody, as checks ask: so it says whether it can be reached, takes the key, and answers as it should. */
async function asked(config: Config, name: string): Promise<Finding> {
  const who = name === 'upstream' ? `upstream at ${hostOf(config)}` : `the plugin ${name}`;
  const todo =
    name === 'upstream'
      ? 'See the page upstream: bonafide docs upstream'
      : 'Try it: bonafide plugins check FILE';
  try {
    const graph = await openGraphOf(config, { log: SILENT, create: false });
    try {
      const began = performance.now();
      const { total } = await graph.resolve(EMPTY_QUERY);
      const says = `${who} answers in ${Math.round(performance.now() - began)} ms, ${SPEAKS[name] ?? ''}and knows ${total} people`;
      const warnings = await graph.warnings();
      return warnings.length === 0
        ? fine('graph', says)
        : warning('graph', `${says}. ${warnings.join(' ')}`, todo);
    } finally {
      await graph.close();
    }
  } catch (error) {
    return troubleOf(error, () => todo);
  }
}

const hostOf = ({ graph }: Config) => (graph?.url === undefined ? 'no address' : new URL(graph.url).host);

/** The version is that of the routes: a server of another one has nothing at their address. */
const SPEAKS: Record<string, string> = { upstream: 'takes the key, speaks version 1 of the questions ' };

const SILENT = { info: () => undefined, warn: () => undefined };

function troubleOf(error: unknown, todo: (error: BonafideError) => string): Finding {
  if (!(error instanceof BonafideError)) throw error;
  return bad('graph', error.message, todo(error));
}
