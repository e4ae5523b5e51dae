// Reports on the whole graph, for the command line and for administrative routes.
import { countRecordsBySource, type SourceRecordCount } from '../../graph/inspect.ts';
import type { GraphStats, RecordStoringGraph } from '../../graph/graph.ts';
import type { AppliedImport } from '../../graph/records.ts';
import { maskIfContactLike } from '../../import/columns/cells.ts';
import { listRestoredPeopleWarnings } from '../../people/erase/receipts.ts';
import { describeLeftoverFiles } from '../../platform/temporary-files.ts';
import { surveyGraph, type GraphSurvey } from '../overview/survey.ts';

export const GRAPH_REPORTS = {
  stats: async (
    graph: RecordStoringGraph,
    dataDir: string,
  ): Promise<GraphStats & { warnings: string[] }> => ({
    ...(await graph.stats()),
    warnings: [
      ...(await graph.warnings()),
      ...listRestoredPeopleWarnings(dataDir),
      ...[describeLeftoverFiles(dataDir)].flatMap((text) => text ?? []),
    ],
  }),
  sources: async (graph: RecordStoringGraph): Promise<SourceRecordCount[]> =>
    (await countRecordsBySource(graph)).map(maskSource),
  /** Last import, if it can be undone; otherwise null. */
  applied: async ({ records }: RecordStoringGraph): Promise<AppliedImport | null> =>
    records.lastAppliedImport(),
  survey: async (graph: RecordStoringGraph): Promise<GraphSurvey> => {
    const survey = await surveyGraph(graph);
    return { ...survey, sources: survey.sources.map(maskSource) };
  },
};

/** Masks the name of the source, which may be a person's e-mail address or phone number. */
const maskSource = <T extends { source: string }>(counts: T): T => ({
  ...counts,
  source: maskIfContactLike(counts.source),
});

export type GraphReportName = keyof typeof GRAPH_REPORTS;

export type GraphReportResults = {
  [Name in GraphReportName]: Awaited<ReturnType<(typeof GRAPH_REPORTS)[Name]>>;
};
