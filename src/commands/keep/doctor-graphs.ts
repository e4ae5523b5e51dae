// What doctor says of each graph that lies elsewhere: in a PostgreSQL, on another server, behind a plugin.
import { openGraphOf } from '../../app/graphs/open.ts';
import { enginesOf, USUAL_GRAPH } from '../../config.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { openKeeping } from '../../graph/engines.ts';
import { NOTHING } from '../../graph/graph.ts';
import { adviceFor, bad, fine, warning } from '../../maintenance/doctor/finding.ts';
import type { Finding } from '../../maintenance/doctor/finding.ts';

/** One finding a graph, by its name; none of one that lies in the folder. */
export async function graphFindings(config: Config): Promise<Finding[]> {
  const { graph = USUAL_GRAPH } = config;
  const names = enginesOf(graph).filter((name) => name !== 'sqlite');
  const alone = (engine: string): Config => ({ ...config, graph: { ...graph, engine } });
  const looks = names.map((name) =>
    name === 'postgres' ? inPostgres(alone(name)) : asked(alone(name), name),
  );
  return Promise.all(looks);
}

async function inPostgres(config: Config): Promise<Finding> {
  try {
    const graph = openKeeping({ ...config, create: false });
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
      const { total } = await graph.resolve(NOTHING);
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
