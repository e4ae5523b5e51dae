// The only MCP tool of the server: its description, input and result.
import * as v from 'valibot';
import { toJsonSchema } from '../openapi/convert.ts';
import { checkRequestSchema } from '../schema/request.ts';

export const MCP_TOOL_NAME = 'verify_identity';

const ABOUT = `Tells how far one name, and the e-mails, phones and addresses that are said to belong to it, belong together and to one person, by a graph of known identities. Send what you have: each value is checked on its own, and more values are more evidence, not a stricter test.
The answer has a score from 0 to 100 (trustworthiness_score), its band (status), a sentence (message) and a verdict for each value (input_validation). "Unverified" is no matching record: neither a failed check nor a bad sign. Each answer counts as a call of the key.
For dating safety, private sales, sending money and meetups; not for decisions about credit, employment, housing or insurance.`;

const { name, emails, phones, addresses, intent } = checkRequestSchema.entries;

/** Declaration of the MCP tool for the list of tools. Its input is the request of a check, without fields for other operations. */
export const MCP_TOOL = {
  name: MCP_TOOL_NAME,
  title: 'Verify an identity',
  description: ABOUT,
  inputSchema: {
    ...toJsonSchema(v.object({ name, emails, phones, addresses, intent })),
    type: 'object' as const,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Returns the result of an MCP tool call: an answer or a problem, both as JSON text and as an object. */
export const toToolResult = (text: string, isError: boolean) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: JSON.parse(text) as Record<string, unknown>,
  isError,
});
