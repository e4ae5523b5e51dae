// Routes of the console: the page `/console` and its files, which `npm run build:console` builds. The page loads nothing from other hosts.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { H3Event } from 'h3';
import { CONSOLE_FOLDER } from '../../platform/assets.ts';
import { declarePublicRoute } from '../openapi/operation.ts';
import { createNotFoundProblemError } from '../problems.ts';
import { getRequestContext, createHtmlResponse, createTextResponse, readFileForAnswer } from '../response.ts';
import * as s from '../schema/builders.ts';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The console – Bonafide</title>
</head>
<body>
<h1>The console has not been built</h1>
<p>In a clone, run <code>npm run build:console</code>, and load this page again. <code>npm start</code> builds it too.</p>
</body>
</html>
`;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const answers = [
  { status: 200, about: 'The page.', types: ['text/html'], headers: ['Cross-Origin-Opener-Policy'] as const },
];

export const CONSOLE_PAGE_ROUTES = [
  declarePublicRoute('GET /console', 'getConsole', {
    tag: 'Console',
    summary: 'The console',
    about: 'The operator’s pages in a browser. They use the rest of this API.',
    answers,
    handle: serveConsole,
  }),
  declarePublicRoute('GET /console/:page', 'getConsolePage', {
    tag: 'Console',
    summary: 'A page of the console',
    about: 'The same file for every page: its address selects what it shows.',
    pathParts: { page: s.string('Name of the page.', { pattern: /^[a-z]+$/ }) },
    answers,
    handle: serveConsole,
  }),
  declarePublicRoute('GET /console/assets/:file', 'getConsoleFile', {
    tag: 'Console',
    summary: 'A file of the console',
    about: 'A script, a style sheet or an image.',
    pathParts: { file: s.string('Name of the file.', { pattern: /^[\w-]+\.\w+$/ }) },
    answers: [{ status: 200, about: 'The file.', types: ['text/javascript', 'text/css', 'image/svg+xml'] }],
    errors: ['not_found'],
    handle: serveConsoleFile,
  }),
];

function serveConsole(event: H3Event): Response {
  const page = join(CONSOLE_FOLDER, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : NOT_BUILT;
  return createHtmlResponse(getRequestContext(event), html, {
    sources: ["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
    // Prevents scripts of the page from inserting text as HTML.
    restrictions: ["require-trusted-types-for 'script'", "trusted-types 'none'"],
    headers: [['cross-origin-opener-policy', 'same-origin']],
  });
}

function serveConsoleFile(event: H3Event): Response {
  const name = event.context.params?.file ?? '';
  const type = Object.hasOwn(TYPES, extname(name)) ? TYPES[extname(name)] : undefined;
  const isName = type !== undefined && /^[\w-]+\.\w+$/.test(name);
  const content = isName ? readFileForAnswer(join(CONSOLE_FOLDER, 'assets', name)) : null;
  if (content === null) throw createNotFoundProblemError('There is no such file.');
  return createTextResponse(getRequestContext(event), content, { type });
}
