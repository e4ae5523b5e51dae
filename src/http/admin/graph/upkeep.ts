// Upkeep of the graph.
import * as v from 'valibot';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import { boolean, list, namedObject, object, nullable, string, integer } from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

export const compactResultSchema = namedObject(
  'GraphCompacted',
  {
    completed: nullable(
      v.number(),
      'Of how many records a forgetting that was cut short is complete now; null where none was.',
    ),
    logs_empty: boolean('False: somebody read in a log, which holds older things still. Ask again later.'),
  },
  'The files of the graph were written anew.',
);

export const graphVerificationSchema = namedObject(
  'GraphVerified',
  {
    records: integer('How many records there are.'),
    wrong: integer(
      'How many are not where linking all of them anew puts them: a fault in a graph that is settled. 0 where not all are linked, since it is not asked then.',
    ),
    linked: boolean(
      'False: records are there that are not linked yet. A server links them soon after its start.',
    ),
    waiting: integer(
      'How many were put or taken out and are not linked yet; 0 as well where it is not known which.',
    ),
    half: boolean(
      'True: an import was cut short in its last step, and whoever changes the graph next takes it back. It is not in what checks read.',
    ),
    settled: boolean('Nothing that weighs in every pair has changed since all were linked.'),
    remembered: boolean('What linking remembers is of the graph as it is.'),
    invariants: list(
      object(
        {
          says: string('What must hold.'),
          of: integer('Of how many it must.'),
          broken: integer('Of how many it does not.'),
        },
        'What must hold of the graph.',
      ),
      'What was looked at.',
    ),
  },
  'Whether the graph is as linking all of its records anew gives.',
);

export const sourceNameSchema = namedObject(
  'SourceAsked',
  {
    source: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.description('Its name, as lists show it.'),
    ),
  },
  'A source by its name.',
);

const linked = {
  records: integer('How many records the graph holds then.'),
  identities: integer('How many identities they are.'),
};

export const sourceRemovalSchema = namedObject(
  'SourceRemoved',
  { removed: integer('How many records are gone.'), ...linked },
  'What became of a graph without a source.',
);

export const undoResultSchema = namedObject(
  'ImportUndone',
  {
    removed: integer('How many records are gone.'),
    restored: integer('How many are as they were before.'),
    left: integer('How many were changed since, and stay.'),
    ...linked,
  },
  'What became of a graph without its last import.',
);

export const UPKEEP_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/compact', 'compactGraph', {
    errors: GRAPH_ERRORS,
    summary: 'Write the graph’s files anew',
    about:
      'So that they hold what is there and nothing older; a forgetting that was cut short is completed. `bonafide graph compact`.',
    answers: compactResultSchema,
    handle: async ({ people }) => {
      const { completed, logsEmpty } = await people('compact', undefined);
      return { completed, logs_empty: logsEmpty };
    },
  }),
  adminRoute('POST graph/verify', 'verifyGraph', {
    errors: GRAPH_ERRORS,
    summary: 'Check what must hold of the graph',
    about: 'All records are linked anew for it, and nothing is published. `bonafide graph verify`.',
    answers: graphVerificationSchema,
    handle: async ({ people }) => {
      const { invariants, ...it } = await people('verify', undefined);
      return { ...it, invariants: invariants.map(({ says, of, broken }) => ({ says, of, broken })) };
    },
  }),
  adminRoute('POST graph/sources/remove', 'removeSource', {
    errors: GRAPH_ERRORS,
    summary: 'Take all records of a source out',
    about: 'This cannot be taken back. `bonafide graph sources remove`.',
    of: 'source',
    body: sourceNameSchema,
    examples: { one: { summary: 'By its name', value: { source: 'crm' } } },
    answers: sourceRemovalSchema,
    handle: ({ body, people }) => people('removeSource', body),
  }),
  adminRoute('POST graph/import/undo', 'undoImport', {
    errors: GRAPH_ERRORS,
    of: 'import',
    summary: 'Take the last import back',
    about:
      'Of a file: what it put goes, and what it replaced comes back. What has changed since stays. `bonafide graph import --undo`.',
    answers: undoResultSchema,
    handle: ({ people }) => people('undoImport', undefined),
  }),
];
