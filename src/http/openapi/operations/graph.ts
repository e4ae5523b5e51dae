import * as v from 'valibot';
import { ANSWER, QUESTION } from '../../../graph/wire/schema.ts';
import { graph } from '../../schema/admin/machine.ts';
import type { Operation } from '../operation.ts';

const SERVED =
  'Needs the scope `graph`, and a server whose setting `graph` has `serve`; 404 from any other. It counts against no quota.';

const LOOKED_UP = {
  nameAddresses: [
    {
      fullName: 'Nora Ellingsworth',
      address: { line1: '418 Alder Creek Road', city: 'Portland', region: 'OR', postalCode: '97219' },
    },
  ],
  emailAddresses: ['nora.ellingsworth@example.com'],
  phoneNumbers: ['5035550101'],
  region: 'US',
};

const HOPS = {
  'Bonafide-Hops': v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]$/),
      v.description('Through how many servers the question came: after three it is refused.'),
    ),
  ),
};

export const RESOLVE: Operation = {
  method: 'POST',
  path: '/graph/v1/resolve',
  id: 'resolveInGraph',
  tag: 'Graph',
  summary: 'Look values up in the identity graph',
  about: `What a server asks whose \`graph.engine\` is \`upstream\`; see [In front of another graph](/docs/upstream). The answer holds names of people on record. ${SERVED}`,
  key: true,
  headers: HOPS,
  body: {
    schemas: [QUESTION],
    examples: () => ({ person: { summary: 'A name and three contacts', value: LOOKED_UP } }),
  },
  answers: [
    { status: 200, about: 'What the graph holds on them.', schemas: [ANSWER], headers: ['Bonafide-Mode'] },
  ],
  errors: [
    'forbidden',
    'not_found',
    'invalid_json',
    'body_too_large',
    'unsupported_media_type',
    'invalid_request',
    'overloaded',
    'graph_bad_response',
    'graph_unavailable',
    'graph_timeout',
    'graph_circle',
  ],
};

export const STATS: Operation = {
  method: 'GET',
  path: '/graph/v1/stats',
  id: 'getGraphStats',
  tag: 'Graph',
  summary: 'What the identity graph holds',
  about: `In counts. ${SERVED}`,
  key: true,
  headers: HOPS,
  answers: [{ status: 200, about: 'The counts.', schemas: [graph] }],
  errors: [
    'forbidden',
    'not_found',
    'overloaded',
    'graph_bad_response',
    'graph_unavailable',
    'graph_timeout',
    'graph_circle',
  ],
};
