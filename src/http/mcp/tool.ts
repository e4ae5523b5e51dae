import * as v from 'valibot';
import { toAnswerJsonSchema, toJsonSchema } from '../openapi/convert.ts';
import { checkAnswerSchema } from '../schema/check.ts';
import { monthParameterSchema, usageSchema } from '../schema/calls.ts';
import { checkRequestSchema } from '../schema/request.ts';
import {
  EVENT_LIST_PARAMETERS,
  watchEventPageSchema,
  WATCH_LIST_PARAMETERS,
  watchIdSchema,
  watchPageSchema,
} from '../schema/watches.ts';

export const MCP_CHECK_TOOL_NAME = 'verify_identity';

const ABOUT = `Tells how far one name, and the e-mails, phones and addresses that are said to belong to it, belong together and to one person, by a graph of known identities. Send what you have: each value is checked on its own, and more values are more evidence, not a stricter test.
The answer has a score from 0 to 100 (trustworthiness_score), its band (status), a sentence (message) and a verdict for each value (input_validation). "Unverified" is no matching record: neither a failed check nor a bad sign. Each answer counts as a call of the key.
For dating safety, private sales, sending money and meetups; not for decisions about credit, employment, housing or insurance.`;

/** Instructions that MCP clients add to the prompt of their model. */
export const MCP_INSTRUCTIONS = `Call ${MCP_CHECK_TOOL_NAME} once for each person, with every value that is known. The word at the start of \`message\` is the verdict: NO RECORD and NAME ONLY mean that nothing is known about the person, not that something is wrong. Do not repeat a call to get another answer: the same values give the same score. The other tools only read what the key may read, and count nothing.`;

const { name, emails, phones, addresses, intent } = checkRequestSchema.entries;

const answer = checkAnswerSchema.entries;

/** Fields of a check's answer that an AI agent needs for its decision. The whole schema (30 KB) would fill the model's context. */
const answerFields = {
  success: answer.success,
  request_id: answer.request_id,
  trustworthiness_score: answer.trustworthiness_score,
  status: answer.status,
  confidence_level: answer.confidence_level,
  possible_catfish: answer.possible_catfish,
  summary: answer.summary,
  message: answer.message,
  insights: answer.insights,
  dominant_identity: answer.dominant_identity,
};

/** Declaration of the tool that runs a check. Its input is a check request. */
const CHECK_TOOL = {
  name: MCP_CHECK_TOOL_NAME,
  title: 'Verify an identity',
  description: ABOUT,
  inputSchema: {
    ...toJsonSchema(v.object({ name, emails, phones, addresses, intent })),
    type: 'object' as const,
  },
  outputSchema: { ...toAnswerJsonSchema(v.object(answerFields)), type: 'object' as const },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

export const READ_ONLY_TOOL_INPUT_SCHEMAS = {
  watch: v.object({ watch_id: v.optional(watchIdSchema), ...WATCH_LIST_PARAMETERS }),
  events: v.object(EVENT_LIST_PARAMETERS),
  usage: v.object({ month: monthParameterSchema }),
};
export type ReadOnlyToolName = keyof typeof READ_ONLY_TOOL_INPUT_SCHEMAS;

const declareReadingTool = (
  name: ReadOnlyToolName,
  title: string,
  description: string,
  answer: v.GenericSchema,
) => ({
  name,
  title,
  description,
  inputSchema: { ...toJsonSchema(READ_ONLY_TOOL_INPUT_SCHEMAS[name]), type: 'object' as const },
  outputSchema: { ...toAnswerJsonSchema(answer), type: 'object' as const },
  annotations: { readOnlyHint: true, openWorldHint: false },
});

export const MCP_TOOLS = [
  CHECK_TOOL,
  declareReadingTool(
    'watch',
    'Watches',
    'Lists your watches (people whose verdict is checked again when records change), the oldest first; with `watch_id` only that one. Each has its last score and band (status), never what was submitted. For the next page send `next` as `cursor`.',
    watchPageSchema,
  ),
  declareReadingTool(
    'events',
    'Events',
    'Lists events after a cursor, the oldest first: verdicts of your watches that changed (`before`, `after`), watches that expired, jobs that ended. Keep `next`, and send it as `after` the next time. Events are kept for 30 days.',
    watchEventPageSchema,
  ),
  declareReadingTool(
    'usage',
    'Usage',
    'Tells how many calls counted in a calendar month (UTC), by default the present one, and what of them is billed.',
    usageSchema,
  ),
];

/** Creates the result of an MCP tool call from an answer or a problem in JSON: as text and as an object. */
export const toMcpToolResult = (text: string, isError: boolean) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: JSON.parse(text) as Record<string, unknown>,
  isError,
});
