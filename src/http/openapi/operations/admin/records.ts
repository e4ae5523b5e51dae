import { LINES_BODY } from '../../../body.ts';
import { MOST_LINES, recordLines, recordsSource, recordsTaken } from '../../../schema/admin/graph/records.ts';
import { administrative } from './parts.ts';

const line = (record: object) => `${JSON.stringify(record)}\n`;

export const PUT = administrative({
  method: 'POST',
  path: 'records',
  id: 'putRecords',
  summary: 'Put records into the graph, and take some out',
  about: `Records as they change, as JSON Lines (\`application/x-ndjson\`), at most ${MOST_LINES} lines and 4,096 KiB: what has the source and record id of an earlier record replaces it, and \`"deleted": true\` takes it out. It is answered when all of it is on disk, and as a rule when checks see it. Lines that cannot be used are told and change nothing; where none can it is 422. The same lines sent again change nothing more, so a request that got no answer is simply sent again. \`bonafide graph watch\`.`,
  query: { source: recordsSource },
  own: { schema: recordLines, kind: LINES_BODY },
  examples: {
    both: {
      summary: 'One record put, one taken out',
      value:
        line({ record_id: '17', source: 'crm', name: 'Jane Doe', emails: ['jane@example.com'] }) +
        line({ record_id: '18', source: 'crm', deleted: true }),
    },
  },
  answers: recordsTaken,
  errors: ['graph_unavailable', 'graph_timeout'],
});
