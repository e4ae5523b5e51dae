import { answer, callOf } from './answer.js';
import { authenticate, requireScope } from './auth.js';
import { readBytes } from './body.js';
import { parseClaim } from '../claim/parse.js';
import { turn } from '../platform/turn.js';
import { v1 } from './v1.js';
import { v2 } from './v2.js';
const VIEWS = { v1, v2 };
/** The two validate operations, top to bottom: who asks, what is claimed, the check, the view, the record, the answer. */
export async function validate(event, operation, deps) {
    const call = callOf(event);
    const { requestId, now } = call;
    const caller = authenticate(event.req.headers, deps.findKey, now);
    call.line.keyId = caller.keyId;
    requireScope(caller, 'validate');
    const { version, ai, issues } = options(event);
    const endpoint = operation === 'validate' && ai ? 'validate_ai' : operation;
    const claim = parseClaim(await readBytes(event), issues);
    if (claim.operation === 'raw')
        requireScope(caller, 'raw');
    await turn();
    const verdict = await deps.check(claim, { now });
    const insights = endpoint === 'validate'
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
function outcome(verdict) {
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
function options(event) {
    const header = event.req.headers.get('accept-version');
    const query = event.url.search === '' ? null : event.url.searchParams;
    const asked = query?.get('response') ?? null;
    const issues = [];
    const known = (value, where) => {
        if (value === 'v1' || value === 'v2' || value === null)
            return value;
        const detail = `${where} can be \`v1\` or \`v2\`.`;
        issues.push({ pointer: '', code: 'unknown_response_version', detail });
        return null;
    };
    const byQuery = known(asked, 'The query parameter `response`');
    const byHeader = known(header, 'The header `Accept-Version`');
    return { version: byQuery ?? byHeader ?? 'v1', ai: query?.get('ai') === 'true', issues };
}
