import * as v from 'valibot';
import { alive, readiness } from '../../schema/lookups.ts';
import type { AnswerDeclared, Operation } from '../operation.ts';

type About = Pick<Operation, 'id' | 'path' | 'summary' | 'about' | 'answers'> & Partial<Operation>;

const open = (about: About): Operation => ({
  method: 'GET',
  tag: 'Server',
  key: false,
  errors: [],
  ...about,
});

const page = (about: string): AnswerDeclared[] => [{ status: 200, about, types: ['text/html'] }];
const slug = (about: string) => v.pipe(v.string(), v.regex(/^[a-z_-]+$/), v.description(about));

export const ALIVE = open({
  path: '/healthz',
  id: 'getHealth',
  summary: 'Does it live?',
  about: 'Whether the process answers.',
  answers: [{ status: 200, about: 'It lives.', schemas: [alive] }],
});

export const READY = open({
  path: '/readyz',
  id: 'getReadiness',
  summary: 'Is it ready?',
  about: 'Whether store and graph answer and the server is warm. Send traffic when it says 200.',
  answers: [
    { status: 200, about: 'It is ready.', schemas: [readiness] },
    {
      status: 503,
      about: 'It is not ready; the parts tell why.',
      schemas: [readiness],
      headers: ['Retry-After'],
    },
  ],
});

export const METRICS = open({
  path: '/metrics',
  id: 'getMetrics',
  summary: 'Figures for Prometheus',
  about:
    'Counts and durations in the text format of Prometheus. From this machine without a key unless the setting `metrics` says otherwise; else with a key that has the scope `metrics` or `admin`.',
  answers: [{ status: 200, about: 'The figures.', types: ['text/plain'] }],
  errors: [
    'missing_api_key',
    'invalid_api_key',
    'forbidden',
    'not_found',
    'rate_limited',
    'store_unavailable',
  ],
});

export const PROBLEM_PAGE = open({
  path: '/problems/:code',
  id: 'getProblemPage',
  summary: 'A page about an error',
  about: 'What an error code means and what to do; `type` of a problem leads here.',
  pathParts: { code: slug('Code of the error.') },
  answers: page('The page.'),
  errors: ['not_found'],
});

export const DESCRIPTION = open({
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
});

export const ROOT = open({
  path: '/',
  id: 'getRoot',
  summary: 'The way in',
  about: 'Leads to the documentation.',
  answers: [{ status: 302, about: 'To `/docs`.', types: ['text/plain'], headers: ['Location'] }],
});

export const PAGES = open({
  path: '/docs',
  id: 'getPages',
  summary: 'The documentation',
  about: 'The list of its pages.',
  answers: page('The list.'),
});

export const PAGE = open({
  path: '/docs/:page',
  id: 'getPage',
  summary: 'A page of the documentation',
  about: 'One of the pages that the list names.',
  pathParts: { page: slug('Name of the page.') },
  answers: page('The page.'),
  errors: ['not_found'],
});

export const REFERENCE = open({
  path: '/docs/api',
  id: 'getReference',
  summary: 'The API, to read and try',
  about: 'This description as a page from which calls can be made with a key.',
  answers: page('The page.'),
});

export const REFERENCE_FILE = open({
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
});
