// `/console` and the files that it loads, as `npm run build:console` has made them. No other host is asked for anything.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { CONSOLE_PAGES } from '../../platform/assets.ts';
import { textResponse, contextOf } from '../response.ts';
import { openRoute } from '../openapi/operation.ts';
import { notFound } from '../problems.ts';

/** Scripts, styles and calls are this server's alone, and no text ever becomes markup: `trusted-types` takes that way from scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: [string, string][] = [
  ['content-security-policy', POLICY],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
];

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The console – Bonafide</title>
</head>
<body>
<h1>The console has not been built</h1>
<p>In a clone: <code>npm run build:console</code>, then load this page again. It takes a second; <code>npm start</code> does it by itself.</p>
</body>
</html>
`;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HTML = [
  { status: 200, about: 'The page.', types: ['text/html'], headers: ['Cross-Origin-Opener-Policy'] as const },
];

export const CONSOLE_PAGE_ROUTES = [
  openRoute({
    tag: 'Console',
    path: '/console',
    id: 'getConsole',
    summary: 'The operator’s pages',
    about: 'For looking at what the rest of this API tells, and for doing what it does, in a browser.',
    answers: HTML,
    handle: serveConsole,
  }),
  openRoute({
    tag: 'Console',
    path: '/console/:page',
    id: 'getConsolePage',
    summary: 'One of them',
    about: 'The same file for each: what it shows is told by the address.',
    pathParts: { page: v.pipe(v.string(), v.regex(/^[a-z]+$/), v.description('Name of the page.')) },
    answers: HTML,
    handle: serveConsole,
  }),
  openRoute({
    tag: 'Console',
    path: '/console/assets/:file',
    id: 'getConsoleFile',
    summary: 'A file of them',
    about: 'A script or style sheet, from the server itself.',
    pathParts: { file: v.pipe(v.string(), v.regex(/^[\w-]+\.\w+$/), v.description('Name of the file.')) },
    answers: [{ status: 200, about: 'The file.', types: ['text/javascript', 'text/css', 'image/svg+xml'] }],
    errors: ['not_found'],
    handle: serveConsoleFile,
  }),
];

/** The page: one for every address below /console, and what it shows is told by the address. */
function serveConsole(event: H3Event): Response {
  const html = fileOf('index.html') ?? NOT_BUILT;
  return textResponse(contextOf(event), html, { type: 'text/html; charset=utf-8', headers: HEADERS });
}

/** A script or style sheet of it. Errors: not_found. */
function serveConsoleFile(event: H3Event): Response {
  const name = event.context.params?.file ?? '';
  const type = Object.hasOwn(TYPES, extname(name)) ? TYPES[extname(name)] : undefined;
  const text = type !== undefined && /^[\w-]+\.\w+$/.test(name) ? fileOf(join('assets', name)) : null;
  if (type === undefined || text === null) throw notFound('There is no such file.');
  return textResponse(contextOf(event), text, { type });
}

/** Read when it is asked for: nobody needs it in memory. */
function fileOf(name: string): string | null {
  const path = join(CONSOLE_PAGES, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
