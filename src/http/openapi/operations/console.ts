// The console: its page, its files, and who is signed in to it.
import * as v from 'valibot';
import * as schema from '../../schema/console.ts';
import type { Operation } from '../operation.ts';

type About = Pick<Operation, 'id' | 'path' | 'summary' | 'about' | 'answers'> & Partial<Operation>;

const open = (about: About): Operation => ({
  method: 'GET',
  tag: 'Console',
  key: false,
  errors: [],
  ...about,
});

const HTML = [
  { status: 200, about: 'The page.', types: ['text/html'], headers: ['Cross-Origin-Opener-Policy'] as const },
];

export const CONSOLE = open({
  path: '/console',
  id: 'getConsole',
  summary: 'The operator’s pages',
  about: 'For looking at what the rest of this API tells, and for doing what it does, in a browser.',
  answers: HTML,
});

export const CONSOLE_PAGE = open({
  path: '/console/:page',
  id: 'getConsolePage',
  summary: 'One of them',
  about: 'The same file for each: what it shows is told by the address.',
  pathParts: { page: v.pipe(v.string(), v.regex(/^[a-z]+$/), v.description('Name of the page.')) },
  answers: HTML,
});

export const CONSOLE_FILE = open({
  path: '/console/assets/:file',
  id: 'getConsoleFile',
  summary: 'A file of them',
  about: 'A script or style sheet, from the server itself.',
  pathParts: { file: v.pipe(v.string(), v.regex(/^[\w-]+\.\w+$/), v.description('Name of the file.')) },
  answers: [{ status: 200, about: 'The file.', types: ['text/javascript', 'text/css', 'image/svg+xml'] }],
  errors: ['not_found'],
});

export const LIVE = open({
  path: '/console/live',
  id: 'followServer',
  summary: 'What is going on',
  about:
    'Counters since the start and calls in flight, as server-sent events: one in two seconds, however much comes in. Takes a session, or a key with the scope `admin`.',
  answers: [{ status: 200, about: 'Events, until the connection ends.', types: ['text/event-stream'] }],
  errors: [
    'missing_api_key',
    'invalid_api_key',
    'forbidden',
    'rate_limited',
    'overloaded',
    'store_unavailable',
  ],
});

const SESSION = '/console/session';

export const WHO = open({
  path: SESSION,
  id: 'getSession',
  summary: 'Who is signed in',
  about: 'Takes the cookie of a session, and the header `Bonafide-Console: 1` with it.',
  answers: [{ status: 200, about: 'Somebody is.', schemas: [schema.session] }],
  errors: ['missing_api_key', 'invalid_api_key', 'store_unavailable'],
});

export const SIGN_IN = {
  ...open({
    path: SESSION,
    method: 'POST',
    id: 'signIn',
    summary: 'Sign in',
    about:
      'Begins a session of twelve hours, as a cookie that no script can read; its caller is the key’s, or whoever works on the machine. Only pages of this server may ask: the header `Bonafide-Console: 1`, and `Sec-Fetch-Site` or `Origin` as browsers send them.',
    body: {
      schemas: [schema.signIn],
      examples: () => ({
        key: { summary: 'With a key', value: { key: 'bf_live_0000000000000000000000000000000000000' } },
      }),
    },
    answers: [{ status: 201, about: 'Signed in.', schemas: [schema.session], headers: ['Set-Cookie'] }],
    errors: [
      'forbidden',
      'invalid_api_key',
      'rate_limited',
      'store_unavailable',
      'invalid_request',
      'invalid_json',
      'body_too_large',
      'unsupported_media_type',
    ],
  }),
  reads: { body: schema.signIn },
};

export const SIGN_OUT = open({
  path: SESSION,
  method: 'DELETE',
  id: 'signOut',
  summary: 'Sign out',
  about: 'Ends the session.',
  answers: [{ status: 204, about: 'It has ended.', types: ['text/plain'], headers: ['Set-Cookie'] }],
  errors: ['forbidden', 'store_unavailable'],
});
