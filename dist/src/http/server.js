import { H3 } from 'h3';
import { answer, answerJson, answerProblem, callOf } from './answer.js';
import { authenticate } from './auth.js';
import { requestId } from './ids.js';
import { problemPage, ProblemError, toProblem } from './problems.js';
import { requestView, usageView } from './lookups.js';
import { validate } from './validate.js';
/** The whole HTTP side on one screen. A request passes: guard (id, errors, log) → route → auth → body → work. */
export function createHttp(deps) {
    const app = new H3({ silent: true, onError: (_error, event) => malformed(event, deps.log) });
    app.use(guard(deps.log));
    route(app, '/v1/validate', { POST: (event) => validate(event, 'validate', deps) });
    route(app, '/v1/validate/enhanced', { POST: (event) => validate(event, 'enhanced', deps) });
    route(app, '/v1/requests/:id', { GET: (event) => earlierCall(event, deps) });
    route(app, '/v1/usage', { GET: (event) => usage(event, deps) });
    route(app, '/healthz', { GET: (event) => answerJson(callOf(event), { status: 'ok' }) });
    route(app, '/readyz', { GET: (event) => readiness(event, deps) });
    route(app, '/problems/:code', { GET: explain });
    return app;
}
/** Registers a path: its methods, HEAD beside GET, OPTIONS, and 405 with Allow for every other one. */
function route(app, path, handlers) {
    const all = { ...handlers, ...(handlers.GET ? { HEAD: handlers.GET } : {}) };
    const allow = ['allow', [...Object.keys(all), 'OPTIONS'].join(', ')];
    for (const [method, handler] of Object.entries(all))
        app.on(method, path, handler);
    app.options(path, (event) => answer(callOf(event), '', { status: 204, headers: [allow] }));
    app.all(path, () => {
        throw new ProblemError({
            code: 'method_not_allowed',
            detail: 'This address does not take this method.',
            headers: [allow],
        });
    });
}
/** Gives each request its id, turns whatever is thrown into a problem, and writes one log line. */
function guard(log) {
    return async (event, next) => {
        const call = begin(event);
        let response;
        try {
            response = await next();
            if (!(response instanceof Response))
                throw notFound('Nothing is at this address.');
        }
        catch (error) {
            if (!(error instanceof ProblemError))
                log.error(`${call.requestId} failed`, error);
            response = answerProblem(call, toProblem(error));
        }
        return end(call, response, log);
    };
}
function begin(event) {
    const now = Date.now();
    const id = requestId(now);
    const trace = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(event.req.headers.get('traceparent') ?? '')?.[1];
    const call = {
        requestId: id,
        now,
        started: performance.now(),
        line: {
            time: now,
            requestId: id,
            method: event.req.method,
            route: event.context.matchedRoute?.route ?? '-',
            status: 0,
            ms: 0,
            trace,
        },
    };
    event.context.call = call;
    return call;
}
function end(call, response, log) {
    call.line.status = response.status;
    call.line.ms = Math.round((performance.now() - call.started) * 100) / 100;
    log.request(call.line);
    return response;
}
/** h3 refuses an address with a broken escape before any middleware runs. */
function malformed(event, log) {
    const call = begin(event);
    const detail = 'The address holds an escape that is not UTF-8.';
    return end(call, answerProblem(call, { code: 'malformed_request', detail }), log);
}
const notFound = (detail) => new ProblemError({ code: 'not_found', detail });
function earlierCall(event, deps) {
    const call = callOf(event);
    const caller = authenticate(event.req.headers, deps.findKey, call.now);
    call.line.keyId = caller.keyId;
    const found = deps.callOf(caller.keyId, event.context.params?.id ?? '');
    if (!found)
        throw notFound('There is no such request of this key.');
    return answerJson(call, requestView(found));
}
function usage(event, deps) {
    const call = callOf(event);
    const caller = authenticate(event.req.headers, deps.findKey, call.now);
    call.line.keyId = caller.keyId;
    return answerJson(call, usageView(deps.usageOf(caller.keyId, call.now)));
}
function readiness(event, deps) {
    const { ready, parts } = deps.ready();
    const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', ...parts });
    return answer(callOf(event), body, ready ? {} : { status: 503, headers: [['retry-after', '1']] });
}
function explain(event) {
    const page = problemPage(event.context.params?.code ?? '');
    if (!page)
        throw notFound('There is no such problem.');
    return answer(callOf(event), page, { type: 'text/html; charset=utf-8' });
}
