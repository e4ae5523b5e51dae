// Routes of the API reference: `/openapi.json`, and the page `/docs/api`, which shows it with Swagger UI from this server's own files.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { SWAGGER_UI_FOLDERS } from '../platform/assets.ts';
import { declareHtmlAnswers, declarePublicRoute, type Operation, type Route } from './openapi/operation.ts';
import { createNotFoundProblemError } from './problems.ts';
import {
  createResponseGzippedIfAccepted,
  getRequestContext,
  createHtmlResponse,
  createTextResponse,
  readFileForAnswer,
} from './response.ts';
import * as s from './schema/builders.ts';

const descriptionSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.title('Description'),
  v.description('An OpenAPI document.'),
);

/** Declares the route `/openapi.json`, which describes the operations. The document is built at the first request. */
export function declareApiDescriptionRoute(operations: () => Operation[]): Route {
  let description: ReturnType<typeof buildDescription> | undefined;
  return declarePublicRoute('GET /openapi.json', 'getDescription', {
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
      return createResponseGzippedIfAccepted(getRequestContext(event), await description, accepted);
    },
  });
}

async function buildDescription(operations: Operation[]) {
  const { buildApiDescription } = await import('./openapi/document.ts');
  // Bytes, since to encode a text of 1 MB for each answer takes the event loop some milliseconds.
  const plain = Buffer.from(JSON.stringify(buildApiDescription(operations)));
  return { plain, gzipped: gzipSync(plain) };
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

/** Script that starts Swagger UI. An API key that the reader enters is not stored. */
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
  declarePublicRoute('GET /docs/api', 'getReference', {
    summary: 'The API reference',
    about: 'This description as a page, from which calls can be made with a key.',
    answers: declareHtmlAnswers('The page.'),
    handle: serveReference,
  }),
  declarePublicRoute('GET /docs/api/:file', 'getReferenceFile', {
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
  if (!file) throw createNotFoundProblemError('There is no such file.');
  const type = `text/${file.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`;
  const content = file === 'start.js' ? START_SCRIPT : readSwaggerFile(file);
  return createTextResponse(getRequestContext(event), content, { type });
}

function readSwaggerFile(file: string) {
  for (const folder of SWAGGER_UI_FOLDERS) {
    const content = readFileForAnswer(join(folder, file));
    if (content) return content;
  }
  throw createNotFoundProblemError(
    'Swagger UI is not part of this installation. /openapi.json has the same content.',
  );
}
