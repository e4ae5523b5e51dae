import type { PutRecordsResult } from '../../../admin/operator-service.ts';
import { toSnakeCaseJson } from '../../../admin/wire.ts';
import { invalidRequestError } from '../../../claim/parse.ts';
import { JSON_LINES_BODY_FORMAT, readBody } from '../../body.ts';
import type { Route } from '../../openapi/operation.ts';
import { GRAPH_REVISION_HEADER } from '../../response.ts';
import {
  MAX_RECORDS_PER_REQUEST,
  recordLinesSchema,
  putRecordsResultSchema,
  recordSourceParameterSchema,
} from '../../schema/calls.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';

const toLine = (record: object) => `${JSON.stringify(record)}\n`;

export const RECORD_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST records', 'putRecords', {
    summary: 'Put records into the graph, and remove records',
    about: `Records as they change, as JSON Lines (\`application/x-ndjson\`), at most ${MAX_RECORDS_PER_REQUEST} lines and 4,096 KiB. A record replaces an earlier record with the same source and id; \`"deleted": true\` removes it. The answer comes when all lines are on disk; as a rule checks see them at once. Lines that cannot be used are listed and change nothing; if no line can be used the answer is 422. Sending the same lines again changes nothing more, so a request without an answer can simply be repeated.`,
    command: 'graph watch',
    query: { source: recordSourceParameterSchema },
    rawBody: { schema: recordLinesSchema, format: JSON_LINES_BODY_FORMAT },
    examples: {
      both: {
        summary: 'One record put, one removed',
        value:
          toLine({ record_id: '17', source: 'crm', name: 'Jane Doe', emails: ['jane@example.com'] }) +
          toLine({ record_id: '18', source: 'crm', deleted: true }),
      },
    },
    answers: putRecordsResultSchema,
    headers: ['Bonafide-Revision'],
    errors: ['graph_unavailable', 'graph_timeout'],
    async handle({ query: { source = '' }, event, actor }, service) {
      const lines = await readBody(event, JSON_LINES_BODY_FORMAT);
      requireFewLines(lines);
      const { revision, ...result } = await service.putRecords({ lines, source: source.trim() }, actor);
      if (result.put + result.deleted + result.barred === 0) throw toUnusableError(result);
      return {
        text: JSON.stringify(toSnakeCaseJson(result)),
        type: 'application/json',
        headers: revision === null ? [] : [[GRAPH_REVISION_HEADER, revision]],
      };
    },
  }),
];

const LF = 0x0a;

/** Throws if a body has more than `MAX_RECORDS_PER_REQUEST` lines. Blank lines do not count. Errors: invalid_request. */
function requireFewLines(bytes: Uint8Array): void {
  let [lines, start] = [0, 0];
  while (start < bytes.length) {
    const next = bytes.indexOf(LF, start);
    const end = next < 0 ? bytes.length : next;
    if (!isBlank(bytes, start, end)) lines++;
    start = end + 1;
  }
  if (lines <= MAX_RECORDS_PER_REQUEST) return;
  const detail = `The body has ${lines} lines with content; at most ${MAX_RECORDS_PER_REQUEST} are allowed.`;
  throw invalidRequestError([{ pointer: '', code: 'too_many_lines', detail }]);
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!BLANKS.has(bytes[at] ?? 0)) return false;
  return true;
}
const BLANKS = new Set([0x20, 0x09, 0x0d]);

/** Maximum number of unusable lines that an error message lists. */
const MAX_LISTED = 20;

function toUnusableError({ refused }: Pick<PutRecordsResult, 'refused'>): Error {
  if (refused.length === 0)
    return invalidRequestError([
      { pointer: '', code: 'no_lines', detail: 'The body has no line with a record.' },
    ]);
  const issues = refused.slice(0, MAX_LISTED).map(({ line, pointer, reason }) => ({
    pointer: pointer ?? '',
    code: pointer === undefined ? 'unusable_line' : 'unknown_field',
    detail: `Line ${line}: ${reason}${/[.?]$/.test(reason) ? '' : '.'}`,
  }));
  return invalidRequestError(issues);
}
