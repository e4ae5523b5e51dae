// Administrative routes that maintain the graph: compact and verify it, remove a source, undo an import.
import { toSnakeCaseJson } from '../../../admin/wire.ts';
import { GRAPH_ERROR_CODES, type Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';

const compactResultSchema = s.openApiObject('GraphCompacted', 'Result of rewriting the files of the graph.', {
  completed: s.nullableNumber(
    'Number of records of an interrupted erasure that is complete now; null if none was interrupted.',
  ),
  logs_empty: s.boolean('False if a reader kept older data in a log of the database. Try again later.'),
});

const invariant = s.object('A rule that the graph must keep.', {
  says: s.string('The rule.'),
  of: s.integer('Number of cases that were checked.'),
  broken: s.integer('Number of cases that break the rule.'),
});
const graphVerificationSchema = s.openApiObject(
  'GraphVerified',
  'Whether the graph is as linking all of its records again would make it.',
  {
    records: s.integer('Number of records.'),
    wrong: s.integer(
      'Number of records that linking all records again would put into another identity: a fault if the graph is settled. 0 if not all records are linked, since it is not checked then.',
    ),
    linked: s.boolean('False if some records are not linked yet. A server links them soon after its start.'),
    waiting: s.integer(
      'Number of records that were put or removed and are not linked yet; also 0 if it is unknown which.',
    ),
    half: s.boolean(
      'True if an import was interrupted in its last step: the next change of the graph takes it back. Checks do not see it.',
    ),
    settled: s.boolean(
      'True if nothing that weighs in every pair has changed since all records were linked.',
    ),
    remembered: s.boolean('True if the link cache belongs to the graph as it is.'),
    invariants: s.list(invariant, 'Rules that were checked.'),
  },
);

const sourceNameSchema = s.openApiObject('SourceAsked', 'A source by its name.', {
  source: s.string('Name of the source, as lists show it.', { min: 1, max: 200 }),
});
const graphCounts = {
  records: s.integer('Number of records in the graph after it.'),
  identities: s.integer('Number of identities in the graph after it.'),
};
const sourceRemovalSchema = s.openApiObject('SourceRemoved', 'Result of removing a source.', {
  removed: s.integer('Number of records that were removed.'),
  ...graphCounts,
});
export const undoResultSchema = s.openApiObject('ImportUndone', 'Result of undoing an import.', {
  removed: s.integer('Number of records that were removed.'),
  restored: s.integer('Number of records that are as before the import.'),
  left: s.integer('Number of records that changed after the import, and stay.'),
  ...graphCounts,
});

export const GRAPH_MAINTENANCE_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST graph/compact', 'compactGraph', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Rewrite the files of the graph',
    about: 'The files contain no older data then. An interrupted erasure is completed.',
    command: 'graph compact',
    answers: compactResultSchema,
    handle: async ({ people }) => toSnakeCaseJson(await people('compact', undefined)),
  }),
  declareAdminRoute('POST graph/verify', 'verifyGraph', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Verify the graph',
    about: 'Links all records again for comparison, and publishes nothing.',
    command: 'graph verify',
    answers: graphVerificationSchema,
    async handle({ people }) {
      const { invariants, ...result } = await people('verify', undefined);
      return { ...result, invariants: invariants.map(({ says, of, broken }) => ({ says, of, broken })) };
    },
  }),
  declareAdminRoute('POST graph/sources/remove', 'removeSource', {
    errors: GRAPH_ERROR_CODES,
    noun: 'source',
    summary: 'Remove a source',
    about: 'All records of the source are removed. This cannot be undone.',
    command: 'graph sources remove',
    body: sourceNameSchema,
    examples: { one: { summary: 'By its name', value: { source: 'crm' } } },
    answers: sourceRemovalSchema,
    handle: ({ body, people }) => people('removeSource', body),
  }),
  declareAdminRoute('POST graph/import/undo', 'undoImport', {
    errors: GRAPH_ERROR_CODES,
    noun: 'import',
    summary: 'Undo the last import of a file',
    about:
      'Records that it added are removed, and records that it replaced are restored. Records that changed since then stay.',
    command: 'graph import --undo',
    answers: undoResultSchema,
    handle: ({ people }) => people('undoImport', undefined),
  }),
];
