// What an operator sees of a whole graph, at the command line and over HTTP.
import { MAY_BE_BACK, mayBeBack } from '../../people/erase/returned.ts';
import { countSources, type SourceCount } from '../../graph/inspect.ts';
import { toDisplayName } from '../../import/columns/cells.ts';
import { surveyGraph, type Survey } from '../overview/survey.ts';
import type { GraphStats, RecordGraph } from '../../graph/graph.ts';
import type { AppliedImport } from '../../graph/records.ts';
import { leftText } from '../../platform/left/left.ts';

export const LOOKS = {
  stats: async (graph: RecordGraph, dataDir: string): Promise<GraphStats & { warnings: string[] }> => ({
    ...(await graph.stats()),
    warnings: [
      ...(await graph.warnings()),
      ...(mayBeBack(dataDir) ? [MAY_BE_BACK] : []),
      ...[leftText(dataDir)].flatMap((text) => text ?? []),
    ],
  }),
  sources: async (graph: RecordGraph): Promise<SourceCount[]> => (await countSources(graph)).map(masking),
  /** What can be taken back. */
  applied: async ({ records }: RecordGraph): Promise<AppliedImport | null> => records.lastAppliedImport(),
  survey: async (graph: RecordGraph): Promise<Survey> => {
    const survey = await surveyGraph(graph);
    return { ...survey, sources: survey.sources.map(masking) };
  },
};

/** A source may be called like somebody's e-mail or phone. */
const masking = <T extends { source: string }>(one: T): T => ({ ...one, source: toDisplayName(one.source) });

export type Look = keyof typeof LOOKS;
export type Looks = { [L in Look]: Awaited<ReturnType<(typeof LOOKS)[L]>> };
