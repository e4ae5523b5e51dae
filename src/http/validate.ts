import type { H3Event } from 'h3';
import type { CallRecord, Claim, Endpoint, Verdict } from '../model.ts';
import { answer, callOf } from './answer.ts';
import { authenticate, requireScope } from './auth.ts';
import type { FindKey } from './auth.ts';
import { readBytes } from './body.ts';
import type { Insights } from './insights.ts';
import { parseClaim } from '../claim/parse.ts';
import { turn } from '../platform/turn.ts';
import type { Issue } from './problems.ts';
import { v1 } from './v1.ts';
import { v2 } from './v2.ts';

export interface ValidateDeps {
  findKey: FindKey;
  check(claim: Claim, options: { now: number }): Promise<Verdict>;
  insights: Insights;
  record(call: CallRecord): Promise<void>;
}

const VIEWS = { v1, v2 };
type Version = keyof typeof VIEWS;

/** The two validate operations, top to bottom: who asks, what is claimed, the check, the view, the record, the answer. */
export async function validate(event: H3Event, operation: 'validate' | 'enhanced', deps: ValidateDeps) {
  const call = callOf(event);
  const { requestId, now } = call;

  const caller = authenticate(event.req.headers, deps.findKey, now);
  call.line.keyId = caller.keyId;
  requireScope(caller, 'validate');

  const { version, ai, issues } = options(event);
  const endpoint: Endpoint = operation === 'validate' && ai ? 'validate_ai' : operation;
  const claim = parseClaim(await readBytes(event), issues);
  if (claim.operation === 'raw') requireScope(caller, 'raw');

  await turn();
  const verdict = await deps.check(claim, { now });
  const insights =
    endpoint === 'validate'
      ? null
      : await deps.insights(claim, verdict, endpoint, { caller, now, signal: event.req.signal });
  const body = JSON.stringify(VIEWS[version](verdict, { requestId, now, insights }));

  const latencyMs = Math.round(performance.now() - call.started);
  await deps.record({
    requestId,
    keyId: caller.keyId,
    time: now,
    endpoint,
    responseVersion: version,
    latencyMs,
    ...outcome(verdict),
  });
  Object.assign(call.line, { endpoint, score: verdict.score, band: verdict.band });
  return answer(call, body, { headers: [['vary', 'Accept-Version']] });
}

/** What the request stream keeps of a verdict: counts, never a value. */
function outcome(verdict: Verdict) {
  const { emails, phones, addresses, score, band, confidence, catfish } = verdict;
  const contacts = [...emails, ...phones, ...addresses];
  return {
    emails: emails.length,
    phones: phones.length,
    addresses: addresses.length,
    score,
    band,
    confidence,
    catfish,
    different: contacts.filter(({ status }) => status === 'different').length,
    unverified: contacts.filter(({ status }) => status === 'unverified').length,
  };
}

/** What is asked for outside the body. The query wins over the header; a wrong value of either is told. */
function options(event: H3Event): { version: Version; ai: boolean; issues: Issue[] } {
  const header = event.req.headers.get('accept-version');
  const query = event.url.search === '' ? null : event.url.searchParams;
  const asked = query?.get('response') ?? null;
  const issues: Issue[] = [];
  const known = (value: string | null, where: string): Version | null => {
    if (value === 'v1' || value === 'v2' || value === null) return value;
    const detail = `${where} can be \`v1\` or \`v2\`.`;
    issues.push({ pointer: '', code: 'unknown_response_version', detail });
    return null;
  };
  const byQuery = known(asked, 'The query parameter `response`');
  const byHeader = known(header, 'The header `Accept-Version`');
  return { version: byQuery ?? byHeader ?? 'v1', ai: query?.get('ai') === 'true', issues };
}
