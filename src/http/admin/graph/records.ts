// Records.
import { toWire } from '../../../admin/wire.ts';
import { invalidRequestError } from '../../../claim/parse.ts';
import type { RecordFeedResult } from '../../../admin/operator-service.ts';
import { LINES_BODY, readBody } from '../../body.ts';
import {
  MAX_RECORD_LINES,
  recordLinesSchema,
  sourceQuery,
  recordsResultSchema,
} from '../../schema/records.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

const line = (record: object) => `${JSON.stringify(record)}\n`;

export const RECORD_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST records', 'putRecords', {
    summary: 'Put records into the graph, and take some out',
    about: `Records as they change, as JSON Lines (\`application/x-ndjson\`), at most ${MAX_RECORD_LINES} lines and 4,096 KiB: what has the source and record id of an earlier record replaces it, and \`"deleted": true\` takes it out. It is answered when all of it is on disk, and as a rule when checks see it. Lines that cannot be used are told and change nothing; where none can it is 422. The same lines sent again change nothing more, so a request that got no answer is simply sent again. \`bonafide graph watch\`.`,
    query: { source: sourceQuery },
    own: { schema: recordLinesSchema, kind: LINES_BODY },
    examples: {
      both: {
        summary: 'One record put, one taken out',
        value:
          line({ record_id: '17', source: 'crm', name: 'Jane Doe', emails: ['jane@example.com'] }) +
          line({ record_id: '18', source: 'crm', deleted: true }),
      },
    },
    answers: recordsResultSchema,
    errors: ['graph_unavailable', 'graph_timeout'],
    handle: async ({ query: { source = '' }, event, actor }, service) => {
      const lines = await readBody(event, LINES_BODY);
      requireLines(lines);
      const taken = await service.feedRecords({ lines, source: source.trim() }, actor);
      if (taken.put + taken.deleted + taken.barred === 0) throw nothingIn(taken);
      return toWire(taken);
    },
  }),
];

const LF = 0x0a;

/** Errors: invalid_request. */
function requireLines(bytes: Uint8Array): void {
  let [lines, start] = [0, 0];
  while (start < bytes.length) {
    const next = bytes.indexOf(LF, start);
    const end = next < 0 ? bytes.length : next;
    if (!isBlank(bytes, start, end)) lines++;
    start = end + 1;
  }
  const detail = `There are ${lines} lines with something in them, and may be ${MAX_RECORD_LINES} at most.`;
  if (lines > MAX_RECORD_LINES) throw broken([{ code: 'too_many_lines', detail }]);
}

/** What holds no record does not count. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!BLANKS.has(bytes[at] ?? 0)) return false;
  return true;
}

const BLANKS = new Set([0x20, 0x09, 0x0d]);

/** So many lines are told where none can be used. */
const MOST_TOLD = 20;

function nothingIn({ refused }: RecordFeedResult): Error {
  if (refused.length === 0)
    return broken([{ code: 'no_lines', detail: 'There must be a line with a record.' }]);
  return broken(
    refused
      .slice(0, MOST_TOLD)
      .map(({ line, reason }) => ({ code: 'unusable_line', detail: `Line ${line}: ${reason}.` })),
  );
}

const broken = (issues: { code: string; detail: string }[]) =>
  invalidRequestError(issues.map((issue) => ({ pointer: '', ...issue })));
