import { createConsola } from 'consola';
/** A log that gathers its lines and writes them once per turn of the event loop. */
export function openLog(format, write = (text) => void process.stdout.write(text)) {
    if (format === 'silent')
        return silent;
    let lines = '';
    const flush = () => {
        const text = lines;
        lines = '';
        if (text)
            write(text);
    };
    const put = (line) => {
        if (lines === '')
            setImmediate(flush);
        lines += `${line}\n`;
    };
    return format === 'json' ? jsonLog(put, flush) : prettyLog(put, flush);
}
function jsonLog(put, flush) {
    const event = (level, text, more = {}) => put(JSON.stringify({ time: new Date().toISOString(), level, message: text, ...more }));
    return {
        request: ({ time, requestId, ...line }) => put(JSON.stringify({
            time: new Date(time).toISOString(),
            level: line.status >= 500 ? 'error' : 'info',
            request_id: requestId,
            ...line,
        })),
        info: (text) => event('info', text),
        warn: (text) => event('warn', text),
        error: (text, thrown) => event('error', text, thrown === undefined ? {} : { thrown: describe(thrown) }),
        flush,
    };
}
function prettyLog(put, flush) {
    const stream = { write: (text) => (put(text.trimEnd()), true) };
    const consola = createConsola({ level: 3, stdout: stream, stderr: stream });
    return {
        request: ({ method, route, status, ms, score, band, code, requestId }) => {
            const said = code ?? (score === undefined ? '' : `score ${score} ${band}`);
            const text = `${status} ${method} ${route} ${said} ${ms.toFixed(1)} ms ${requestId}`;
            if (status >= 500)
                consola.error(text);
            else
                consola.info(text);
        },
        info: (text) => consola.info(text),
        warn: (text) => consola.warn(text),
        error: (text, thrown) => consola.error(thrown === undefined ? text : `${text} ${JSON.stringify(describe(thrown))}`),
        flush,
    };
}
/** An error without its message: name, code, and the places it passed through. */
export function describe(thrown) {
    if (!(thrown instanceof Error))
        return { name: typeof thrown, at: [] };
    const places = (thrown.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
    return { name: thrown.name, code, at: places.slice(0, 6).map((line) => line.trim()) };
}
const ignore = () => undefined;
const silent = { request: ignore, info: ignore, warn: ignore, error: ignore, flush: ignore };
