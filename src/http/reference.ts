// Routes of the API reference: `/openapi.json`, and the page `/docs/api`, which shows it with Swagger UI from this server's own files.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { SWAGGER_UI_FOLDERS } from '../platform/assets.ts';
import { declareHtmlAnswer, declarePublicRoute, type Operation, type Route } from './openapi/operation.ts';
import { createNotFoundProblem } from './problems.ts';
import {
  createCompressedResponse,
  getRequestContext,
  createHtmlResponse,
  createTextResponse,
} from './response.ts';
import * as s from './schema/builders.ts';

const descriptionSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.title('Description'),
  v.description('An OpenAPI document.'),
);

/** Declares the route `/openapi.json`, which describes the operations. The document is built at the first request. */
export function declareApiDescriptionRoute(operations: () => Operation[]): Route {
  let description: Promise<{ text: string; gzipped: Buffer<ArrayBuffer> }> | undefined;
  return declarePublicRoute({
    path: '/openapi.json',
    id: 'getDescription',
    summary: 'This description',
    about: 'OpenAPI 3.1, made from the schemas that the server reads requests with.',
    answers: [
      {
        status: 200,
        about: 'The description.',
        schemas: [descriptionSchema],
        headers: ['Vary', 'Content-Encoding'],
      },
    ],
    async handle(event) {
      description ??= buildDescription(operations());
      const accepted = event.req.headers.get('accept-encoding');
      return createCompressedResponse(getRequestContext(event), await description, accepted);
    },
  });
}

async function buildDescription(operations: Operation[]) {
  const { buildApiDescription } = await import('./openapi/document.ts');
  // Escaped to ASCII, since to encode other text for each answer takes the event loop some milliseconds.
  const text = JSON.stringify(buildApiDescription(operations)).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { text, gzipped: gzipSync(text) };
}

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

/** Script that starts Swagger UI. A key that the reader enters is not stored. */
const START_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

/** Sources that the content security policy allows. Swagger UI needs inline styles. */
const SOURCES = [
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
];

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const;

export const API_REFERENCE_ROUTES = [
  declarePublicRoute({
    path: '/docs/api',
    id: 'getReference',
    summary: 'The API reference',
    about: 'This description as a page, from which calls can be made with a key.',
    answers: declareHtmlAnswer('The page.'),
    handle: serveReference,
  }),
  declarePublicRoute({
    path: '/docs/api/:file',
    id: 'getReferenceFile',
    summary: 'A file of the API reference',
    about: 'A script or a style sheet.',
    pathParts: { file: s.oneOf(FILES, 'Name of the file.') },
    answers: [{ status: 200, about: 'The file.', types: ['text/javascript', 'text/css'] }],
    errors: ['not_found'],
    handle: serveReferenceFile,
  }),
];

function serveReference(event: H3Event): Response {
  return createHtmlResponse(getRequestContext(event), PAGE, { sources: SOURCES });
}

function serveReferenceFile(event: H3Event): Response {
  const file = FILES.find((name) => name === event.context.params?.file);
  if (!file) throw createNotFoundProblem('There is no such file.');
  const type = `text/${file.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`;
  const text = file === 'start.js' ? START_SCRIPT : readSwaggerFile(file);
  return createTextResponse(getRequestContext(event), text, { type });
}

/** Returns the text of a Swagger UI file. Files are not cached, to save memory. */
function readSwaggerFile(file: string): string {
  const folder = SWAGGER_UI_FOLDERS.find((folder) => existsSync(join(folder, file)));
  if (folder === undefined)
    throw createNotFoundProblem(
      'Swagger UI is not part of this installation. /openapi.json has the same content.',
    );
  return readFileSync(join(folder, file), 'utf8');
}
