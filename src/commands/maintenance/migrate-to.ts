import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { graphDatabaseUrl, withGraphEngine, findRecordEngine, openRecordGraph } from '../../graph/engines.ts';
import { remember } from '../../platform/held.ts';
import { recordAuditEntry } from '../../store/audit.ts';
import { lockFolderForMove, lockServerForMove, moveStore } from '../../store/move.ts';
import { openStoreAt, getStoreLocation } from '../../store/open.ts';
import type { StoreLocation } from '../../store/store.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print, formatTable } from '../shared/command.ts';
import { existsSync } from 'node:fs';
import { graphFile } from '../../graph/sqlite/open.ts';
import { moveGraph } from '../../graph/move.ts';
import { recordAction } from '../shared/open.ts';
import { progressBar } from '../shared/terminal.ts';

const POSTGRES = /^postgres(?:ql)?:\/\//;

export default defineCommand({
  meta: {
    name: 'migrate-to',
    description:
      'Copy keys, accounts, usage and the call log, and the graph, to another engine, whole and compared',
  },
  args: {
    target: {
      type: 'positional',
      description: 'Where to: postgres://…, or sqlite for the data folder',
      required: true,
      valueHint: 'TARGET',
    },
    only: {
      type: 'string',
      description: 'One of the two: store (keys, accounts, usage, the call log) or graph',
      valueHint: 'part',
    },
    ...COMMON_OPTIONS,
  },
  examples: ['migrate-to postgres://bonafide@db.internal/bonafide', 'migrate-to sqlite --only graph'],
  async run({ args }) {
    const config = await loadSettings(args);
    const { only, target, json = false } = args;
    if (only !== undefined && only !== 'store' && only !== 'graph')
      throw new BonafideError('invalid_arguments', '--only must be store or graph.');
    const to = targetOf(target, config.dataDir);
    const not = { graph: whyNot(config, target), store: isThere(config, to) ? STORE_THERE : null };
    const wanted = only === undefined ? (['graph', 'store'] as const).filter((part) => !not[part]) : [only];
    const held: { close(): void }[] = [];
    // The graph goes first: one that is whole there is compared again where the command was interrupted, a store is refused.
    const moving = async () => {
      if ('file' in to) held.push(lockFolderForMove(config.dataDir));
      for (const url of addressesOf(config, to, wanted)) held.push(lockServerForMove(url));
      const graph = wanted.includes('graph') ? await migrateGraph(config, target, json) : null;
      if (only === 'graph' && graph) return { graph, store: null };
      if (not.store && !graph) throw new BonafideError('invalid_arguments', not.store);
      return { graph, store: wanted.includes('store') ? migrateStore(config, to) : null };
    };
    const { graph, store } = await moving().finally(() => {
      for (const hold of held) hold.close();
    });
    if (only === 'graph' && graph) return print(args, graph, movedGraphText(graph));
    const texts = [graph ? movedGraphText(graph) : not.graph, store?.text ?? not.store];
    print(
      args,
      { ...store?.data, ...(only === undefined && { graph }) },
      texts.slice(only ? 1 : 0).join('\n'),
    );
  },
});

/** The PostgreSQL that is filled, or those that the data folder is filled from. */
function addressesOf(config: Config, to: StoreLocation, wanted: readonly string[]): string[] {
  if ('url' in to) return wanted.length > 0 ? [to.url] : [];
  const store = wanted.includes('store') ? getStoreLocation(config) : to;
  const graph = wanted.includes('graph') ? graphDatabaseUrl(config.graph) : null;
  return [...new Set([...('url' in store ? [store.url] : []), ...(graph === null ? [] : [graph])])];
}

const STORE_THERE = 'The settings have the store there already.';

function isThere(config: Config, to: StoreLocation): boolean {
  const from = getStoreLocation(config);
  return 'file' in from === 'file' in to && JSON.stringify(from) === JSON.stringify(to);
}

/** Copies the store that the settings name, and answers what to say of it. Errors: those of `moveStore`. */
function migrateStore(config: Config, to: StoreLocation): { data: object; text: string } {
  const { tables, compared, heads } = moveStore(getStoreLocation(config), to);
  noteIn(
    to,
    tables.reduce((sum, { to: rows }) => sum + rows, 0),
  );
  if ('file' in to) remember(config.dataDir, 'keys');
  const todo =
    'file' in to
      ? 'Take the setting `store` out; servers then go by the data folder.'
      : 'Set `store` to this address for every server and command: they go by the settings.';
  const counts = formatTable(tables.map(({ name, to: rows }) => [name, String(rows)]));
  return {
    data: {
      tables: Object.fromEntries(tables.map(({ name, to: rows }) => [name, rows])),
      compared,
      head: heads[1],
    },
    text: `${counts}\n${compared} rows were compared one by one, and the chain of the audit log.\n${todo}`,
  };
}

/** Errors: invalid_arguments. An address is not repeated: it may hold a password. */
function targetOf(text: string, dataDir: string): StoreLocation {
  if (text === 'sqlite') return getStoreLocation({ dataDir });
  if (POSTGRES.test(text) && URL.canParse(text)) return { url: text };
  throw new BonafideError('invalid_arguments', 'TARGET must be postgres://… or sqlite.');
}

function noteIn(to: StoreLocation, rows: number): void {
  const store = openStoreAt(to);
  try {
    recordAuditEntry(store, {
      act: 'store.move',
      target: 'file' in to ? 'sqlite' : 'postgres',
      detail: { rows },
    });
  } finally {
    store.close();
  }
}

interface MovedGraph {
  engine: string;
  records: number;
  identities: number;
  /** Answers of both that were compared. */
  compared: number;
}

const engineOf = (target: string) => (target === 'sqlite' ? 'sqlite' : 'postgres');

/** Why the graph that the settings name does not go there; null where it can. */
function whyNot({ graph, dataDir }: Config, target: string): string | null {
  const keeper = findRecordEngine(graph);
  if (keeper === null) return 'The graph that the settings name keeps no records here: it stays where it is.';
  if (keeper === engineOf(target)) return 'The settings have the graph there already.';
  if (keeper === 'sqlite' && !existsSync(graphFile(dataDir))) return 'There is no graph in the data folder.';
  return null;
}

/**
 * Copies the graph that the settings name.
 *
 * @param target postgres://… or `sqlite`
 * Errors: `invalid_arguments` where it is there already; those of `moveGraph`.
 */
async function migrateGraph(config: Config, target: string, quiet: boolean): Promise<MovedGraph> {
  const engine = engineOf(target);
  const place = engine === 'sqlite' ? { engine } : { engine, database: target };
  const from = openRecordGraph({ ...config, create: false });
  const bar = progressBar({ quiet, title: 'Moving the graph', unit: 'records' });
  try {
    if (from.engine === place.engine)
      throw new BonafideError('invalid_arguments', 'The settings have the graph there already.');
    const to = openRecordGraph({
      ...config,
      graph: withGraphEngine(config.graph, place),
      allowUnfinishedCopy: true,
    });
    try {
      const { records: all } = await from.stats();
      const show = (count: number) => bar.show({ phase: 'moving', done: count / Math.max(1, all), count });
      const { stats, compared } = await moveGraph({ from, to, onProgress: show });
      const { records, identities } = stats;
      recordAction(config, { act: 'graph.move', target: to.engine, detail: { records, identities } });
      return { engine: to.engine, records, identities, compared };
    } finally {
      await to.close();
    }
  } finally {
    bar.stop();
    await from.close();
  }
}

/** Two lines for the terminal. */
function movedGraphText({ engine, records, identities, compared }: MovedGraph): string {
  const todo =
    engine === 'sqlite'
      ? 'Take `engine` and `database` out of the setting `graph`; checks then go by the data folder.'
      : 'Set `graph.engine` to postgres and `graph.database` to this address for every server and command.';
  return `${records} records of ${identities} people, and ${compared} answers were compared.\n${todo}`;
}
