// Command `bonafide doctor`: checks everything that an installation needs.
import { openConfiguredGraph } from '../../app/graph/open.ts';
import {
  type Config,
  DEFAULT_GRAPH_SETTINGS,
  listConfiguredGraphEngines,
  parseDuration,
} from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { listUnconfiguredDatabaseFiles, openRecordStoringGraph } from '../../graph/engines.ts';
import { EMPTY_GRAPH_QUERY, type IdentityGraph } from '../../graph/graph.ts';
import { runDoctor } from '../../maintenance/doctor/doctor.ts';
import {
  getPostgresAdvice,
  createBadCheckResult,
  createOkCheckResult,
  type DoctorCheckResult,
  createWarningCheckResult,
} from '../../maintenance/doctor/finding.ts';
import { createErasureCheckResults, createWebhookCheckResult } from '../../maintenance/doctor/databases.ts';
import { listRestoredPeopleWarnings } from '../../people/erase/receipts.ts';
import { readPendingErasure } from '../../store/events/events.ts';
import { countWebhookMessagesByState } from '../../store/serving/notices.ts';
import { getStoreLocation } from '../../store/open.ts';
import { testModels } from '../features.ts';
import { PLUGINS_OPTION } from '../helpers/arguments.ts';
import { defineCommand, formatTable, loadSettings, printResult } from '../helpers/command.ts';
import { openStoreSharedByMachines } from '../helpers/open.ts';
import { findRunningServerUrl, toBrowserUrl } from '../serve/console.ts';

const STATE_LABELS = { ok: 'ok', warning: 'WARNING', bad: 'BAD' };

export const doctorCommand = defineCommand('Check the whole installation, and advise what to do', {
  args: PLUGINS_OPTION,
  examples: ['doctor', 'doctor --json'],
  run: async (args) => {
    const findings = await examineInstallation(args);
    const rows = findings.map(({ check, state, says }) => [STATE_LABELS[state], check, says]);
    const advice = findings
      .filter(({ state }) => state !== 'ok')
      .map(({ check, todo }) => `${check}: ${todo}`);
    const lines = [formatTable(rows), ...(advice.length > 0 ? ['', 'What to do:', ...advice] : [])];
    printResult(args, findings, lines.join('\n'));
    const failed = findings.filter(({ state }) => state === 'bad').length;
    if (failed > 0)
      throw new BonafideError(
        'invalid_config',
        `${failed} of ${findings.length} checks failed. The lines under "What to do" say what to do.`,
      );
  },
});

type DoctorArgs = Parameters<typeof testModels>[0];

async function examineInstallation(args: DoctorArgs): Promise<DoctorCheckResult[]> {
  let config: Config;
  try {
    config = await loadSettings(args, { plugins: args.plugins });
  } catch (error) {
    return [toBadFinding('settings', error, () => 'Correct it. Nothing else was checked.')];
  }
  const { dataDir, secret, backup, store } = config;
  const backups = backup && { ...backup, everyMs: parseDuration(backup.every) ?? 0 };
  const folderFindings = await runDoctor({
    dataDir,
    secret,
    backups,
    hasWebhook: config.webhook !== undefined,
    elsewhere: listUnconfiguredDatabaseFiles(config),
    now: Date.now(),
  });
  return [
    createOkCheckResult('settings', 'in order'),
    ...folderFindings,
    ...(store ? examineStore(config) : []),
    ...(await examineGraphs(config, folderFindings)),
    ...(await examineModels(args)),
  ];
}

/** Converts a BonafideError to a finding. Other errors are thrown again. */
function toBadFinding(
  check: string,
  error: unknown,
  adviseOn: (error: BonafideError) => string,
): DoctorCheckResult {
  if (!(error instanceof BonafideError)) throw error;
  return createBadCheckResult(check, error.message, adviseOn(error));
}

/** Checks the PostgreSQL database that stores API keys and calls instead of the file store.db. */
function examineStore(config: Config): DoctorCheckResult[] {
  try {
    const store = openStoreSharedByMachines(getStoreLocation(config), config);
    const now = Date.now();
    const more = createErasureCheckResults(readPendingErasure(store.raw) !== null);
    if (config.webhook) more.push(createWebhookCheckResult(countWebhookMessagesByState(store.raw, now), now));
    store.close();
    return [createOkCheckResult('store', 'PostgreSQL answers and has the tables'), ...more];
  } catch (error) {
    return [toBadFinding('store', error, getPostgresAdvice)];
  }
}

async function examineModels(args: DoctorArgs): Promise<DoctorCheckResult[]> {
  try {
    const diagnoses = await testModels(args);
    return diagnoses.map(({ feature, model, ok, ms, says }) => {
      const text = `${feature} with ${model}, ${ms} ms: ${says}`;
      return ok
        ? createOkCheckResult('models', text)
        : createBadCheckResult('models', text, `See: bonafide features test ${feature}`);
    });
  } catch (error) {
    return [toBadFinding('models', error, () => 'See: bonafide features list')];
  }
}

/**
 * Checks each graph: embedded, in PostgreSQL, on an upstream server, or in a plugin. An embedded graph is not opened if the checks of its files
 * failed.
 */
async function examineGraphs(
  config: Config,
  folderFindings: readonly DoctorCheckResult[],
): Promise<DoctorCheckResult[]> {
  const { graph = DEFAULT_GRAPH_SETTINGS } = config;
  const hasGraphFile = ['graph.db', 'records.db', 'secret'].every((name) => {
    const states = folderFindings.filter(({ check }) => check === name).map(({ state }) => state);
    return states.length > 0 && states.every((state) => state === 'ok');
  });
  const engines = listConfiguredGraphEngines(graph).filter((engine) => engine !== 'sqlite' || hasGraphFile);
  const findings = engines.map(async (engine) => {
    const settings: Config = { ...config, graph: { ...graph, engine } };
    return engine === 'sqlite' || engine === 'postgres'
      ? examineRecordStoringGraph(settings)
      : [await queryGraph(settings, engine)];
  });
  return (await Promise.all(findings)).flat();
}

async function examineRecordStoringGraph(config: Config): Promise<DoctorCheckResult[]> {
  const isPostgres = config.graph?.engine === 'postgres';
  try {
    const graph = openRecordStoringGraph({ ...config, create: false });
    try {
      const { records, identities } = await graph.stats();
      const text = `${isPostgres ? 'PostgreSQL answers: ' : ''}${records} records of ${identities} identities`;
      const warnings = [...(await graph.warnings()), ...listRestoredPeopleWarnings(config.dataDir)];
      const finding = createGraphCheckResult(text, warnings, WARNED_COMMAND_ADVICE);
      return [finding, ...(await examineHosts(graph, config.dataDir))];
    } finally {
      await graph.close();
    }
  } catch (error) {
    return [toBadFinding('graph', error, isPostgres ? getPostgresAdvice : () => EMBEDDED_GRAPH_ADVICE)];
  }
}

const EMBEDDED_GRAPH_ADVICE = 'See the page operating: bonafide docs operating';
const WARNED_COMMAND_ADVICE = 'Run the command that the warning names.';

const createGraphCheckResult = (text: string, warnings: readonly string[], advice: string) =>
  warnings.length === 0
    ? createOkCheckResult('graph', text)
    : createWarningCheckResult('graph', `${text}. ${warnings.join(' ')}`, advice);

/** Reports each host that answers look-ups: its role, its lag, and its share of the running server's look-ups. */
async function examineHosts(graph: IdentityGraph, dataDir: string): Promise<DoctorCheckResult[]> {
  await graph.probeHosts?.();
  const lookups = graph.hostStates ? await readLookups(dataDir) : null;
  const total = [...(lookups?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  return (graph.hostStates?.() ?? []).map(({ host, role, lagSeconds }) => {
    const share = total > 0 ? `, ${Math.round((100 * (lookups?.get(host) ?? 0)) / total)} % of look-ups` : '';
    if (role === 'unreachable')
      return createWarningCheckResult(
        'graph host',
        `${host} does not answer${share}`,
        'The other hosts answer its look-ups. Start it, or correct graph.readers.',
      );
    const lag = lagSeconds === null ? ', lag unknown: too old to answer' : `, lag ${lagSeconds.toFixed(1)} s`;
    return createOkCheckResult('graph host', `${host} is ${role}${role === 'standby' ? lag : ''}${share}`);
  });
}

/** Returns the number of look-ups by host since the running server started; null if unknown. */
async function readLookups(dataDir: string): Promise<Map<string, number> | null> {
  const server = findRunningServerUrl(dataDir);
  if (server === null || server.isElsewhere) return null;
  try {
    const response = await fetch(new URL('/metrics', toBrowserUrl(server.url)), {
      signal: AbortSignal.timeout(2000),
    });
    const lines = (await response.text()).split('\n').map((line) => line.split('"'));
    return new Map(
      lines
        .filter(([name]) => name === 'bonafide_graph_lookups_total{host=')
        .map(([, host = '', count = '']) => [host, Number(count.replace('} ', ''))]),
    );
  } catch {
    return null;
  }
}

/** Sends an empty query to an upstream server or a graph plugin, to check the connection, the API key and the format of its answers. */
async function queryGraph(config: Config, engine: string): Promise<DoctorCheckResult> {
  const isUpstream = engine === 'upstream';
  const name = isUpstream ? `upstream at ${getUpstreamHost(config)}` : `the plugin ${engine}`;
  const advice = isUpstream
    ? 'See the page upstream: bonafide docs upstream'
    : 'Test the plugin: bonafide plugins check FILE';
  try {
    const graph = await openConfiguredGraph(config, { log: SILENT_LOG, create: false });
    try {
      const startedAt = performance.now();
      const { total } = await graph.resolve(EMPTY_GRAPH_QUERY);
      const ms = Math.round(performance.now() - startedAt);
      // The routes of an upstream server carry the version: a server of another version would not answer.
      const protocol = isUpstream ? ', accepts the key, supports protocol version 1,' : '';
      const text = `${name} answers in ${ms} ms${protocol} and has ${total} ${total === 1 ? 'identity' : 'identities'}`;
      return createGraphCheckResult(text, await graph.warnings(), advice);
    } finally {
      await graph.close();
    }
  } catch (error) {
    return toBadFinding('graph', error, () => advice);
  }
}

const getUpstreamHost = ({ graph }: Config) =>
  graph?.url === undefined ? 'no address' : new URL(graph.url).host;

const SILENT_LOG = { info: () => undefined, warn: () => undefined };
