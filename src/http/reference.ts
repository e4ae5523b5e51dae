// `/openapi.json` and `/docs/api`, where it can be read and tried: Swagger UI, from our own files. No other host is asked for anything.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { SWAGGER_UI } from '../platform/assets.ts';
import { textResponse, contextOf } from './response.ts';
import { openRoute } from './openapi/operation.ts';
import type { Operation, Route } from './openapi/operation.ts';
import { notFound } from './problems.ts';

/** Declares `/openapi.json`, which describes these operations and itself. The document is made when it is first requested. */
export function descriptionRoute(operations: () => Operation[]): Route {
  let text: Promise<string> | undefined;
  return openRoute({
    path: '/openapi.json',
    id: 'getDescription',
    summary: 'This description',
    about: 'OpenAPI 3.1, made from the schemas that the server itself reads requests with.',
    answers: [
      {
        status: 200,
        about: 'The description.',
        schemas: [
          v.pipe(
            v.record(v.string(), v.unknown()),
            v.title('Description'),
            v.description('An OpenAPI document.'),
          ),
        ],
      },
    ],
    async handle(event) {
      text ??= describeAsText(operations());
      return textResponse(contextOf(event), await text);
    },
  });
}

async function describeAsText(operations: Operation[]): Promise<string> {
  const { buildApiDescription: describe } = await import('./openapi/document.ts');
  return JSON.stringify(describe(operations));
}

// Its style attributes are its own; scripts and calls are this server's alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API – Bonafide</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/api/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/api/swagger-ui-bundle.js"></script>
<script src="/docs/api/start.js"></script>
</body>
</html>
`;

/** A key that was typed in stays in the page and is gone with it. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

const FILES: Record<string, { type: string; text: () => string }> = {
  'start.js': { type: 'text/javascript; charset=utf-8', text: () => START },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    text: () => bundled('swagger-ui-bundle.js'),
  },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', text: () => bundled('swagger-ui.css') },
};

export const REFERENCE_ROUTES = [
  openRoute({
    path: '/docs/api',
    id: 'getReference',
    summary: 'The API, to read and try',
    about: 'This description as a page from which calls can be made with a key.',
    answers: [{ status: 200, about: 'The page.', types: ['text/html'] }],
    handle: serveReference,
  }),
  openRoute({
    path: '/docs/api/:file',
    id: 'getReferenceFile',
    summary: 'A file of that page',
    about: 'Its script or style sheet, from the server itself.',
    pathParts: {
      file: v.pipe(
        v.picklist(['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js']),
        v.description('Name of the file.'),
      ),
    },
    answers: [{ status: 200, about: 'The file.', types: ['text/javascript', 'text/css'] }],
    errors: ['not_found'],
    handle: serveReferenceFile,
  }),
];

function serveReference(event: H3Event): Response {
  return textResponse(contextOf(event), PAGE, {
    type: 'text/html; charset=utf-8',
    headers: [
      ['content-security-policy', POLICY],
      ['referrer-policy', 'no-referrer'],
    ],
  });
}

/** A file of that page. Errors: not_found. */
function serveReferenceFile(event: H3Event): Response {
  const name = event.context.params?.file ?? '';
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) throw notFound('There is no such file.');
  return textResponse(contextOf(event), file.text(), { type: file.type });
}

/** Read when it is asked for: nobody needs it in memory. */
function bundled(file: string): string {
  const folder = SWAGGER_UI.find((folder) => existsSync(join(folder, file)));
  if (folder === undefined)
    throw notFound(
      'This installation has no page to try calls on; /openapi.json is the same in another form.',
    );
  return readFileSync(join(folder, file), 'utf8');
}
