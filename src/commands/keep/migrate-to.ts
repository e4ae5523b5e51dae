import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { remember } from '../../platform/held.ts';
import { moveStore } from '../../store/move/move.ts';
import { placeOf } from '../../store/open.ts';
import { act } from '../../store/audit.ts';
import { openStoreAt } from '../../store/open.ts';
import type { Place } from '../../store/store.ts';
import { migrateGraph, movedGraphText } from './migrate-graph.ts';
import { COMMON, configOf, defineCommand, print, table } from '../command.ts';

const POSTGRES = /^postgres(?:ql)?:\/\//;

export default defineCommand({
  meta: {
    name: 'migrate-to',
    description:
      'Copy keys, accounts, usage and the call log, or the graph, to another engine, whole and compared',
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
      description: 'store (keys, accounts, usage, the call log) or graph; the store unless said',
      default: 'store',
      valueHint: 'part',
    },
    ...COMMON,
  },
  examples: ['migrate-to postgres://bonafide@db.internal/bonafide', 'migrate-to sqlite --only graph'],
  async run({ args }) {
    const config = await configOf(args);
    if (args.only !== 'store') return graphAlone(config, args);
    const { dataDir } = config;
    const from = placeOf(config);
    const to = targetOf(args.target, dataDir);
    if ('file' in from === 'file' in to && JSON.stringify(from) === JSON.stringify(to))
      throw new BonafideError('invalid_arguments', 'The settings have the store there already.');
    const { tables, compared, heads } = moveStore(from, to);
    noteIn(
      to,
      tables.reduce((sum, { to: rows }) => sum + rows, 0),
    );
    if ('file' in to) remember(dataDir, 'keys');
    const todo =
      'file' in to
        ? 'Take the setting `store` out; servers then go by the data folder.'
        : 'Set `store` to this address for every server and command: they go by the settings.';
    const counts = table(tables.map(({ name, to: rows }) => [name, String(rows)]));
    const told = `${counts}\n${compared} rows were compared one by one, and the chain of the audit log.\n${todo}`;
    print(
      args,
      {
        tables: Object.fromEntries(tables.map(({ name, to: rows }) => [name, rows])),
        compared,
        head: heads[1],
      },
      told,
    );
  },
});

async function graphAlone(
  config: Config,
  args: { target: string; only: string; json?: boolean | undefined },
) {
  if (args.only !== 'graph') throw new BonafideError('invalid_arguments', '--only must be store or graph.');
  targetOf(args.target, config.dataDir);
  const moved = await migrateGraph(config, args.target, args.json === true);
  print(args, moved, movedGraphText(moved));
}

/** Errors: invalid_arguments. An address is not repeated: it may hold a password. */
function targetOf(text: string, dataDir: string): Place {
  if (text === 'sqlite') return placeOf({ dataDir });
  if (POSTGRES.test(text) && URL.canParse(text)) return { url: text };
  throw new BonafideError('invalid_arguments', 'TARGET must be postgres://… or sqlite.');
}

function noteIn(to: Place, rows: number): void {
  const store = openStoreAt(to);
  try {
    act(store, { act: 'store.move', target: 'file' in to ? 'sqlite' : 'postgres', detail: { rows } });
  } finally {
    store.close();
  }
}
