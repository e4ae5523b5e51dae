// What an operator sees of a whole graph, at the command line and over HTTP.
import { countSources } from '../../graph/sources.ts';
import type { SourceCount } from '../../graph/sources.ts';
import { surveyGraph } from '../../overview/survey.ts';
import type { Survey } from '../../overview/survey.ts';
import type { GraphStats, KeepingGraph } from '../../graph/graph.ts';

export const LOOKS = {
  stats: async (graph: KeepingGraph): Promise<GraphStats & { warnings: string[] }> => ({
    ...(await graph.stats()),
    warnings: await graph.warnings(),
  }),
  sources: (graph: KeepingGraph): Promise<SourceCount[]> => countSources(graph),
  survey: (graph: KeepingGraph): Promise<Survey> => surveyGraph(graph),
};

export type Look = keyof typeof LOOKS;
export type Looks = { [L in Look]: Awaited<ReturnType<(typeof LOOKS)[L]>> };
