// Declares administrative routes. A route authenticates the operator, validates query and body by their schemas, runs its handler, and
// answers.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { requireAdmin } from '../../accounts/access.ts';
import type {
  StoreOperationInput,
  StoreOperationName,
  StoreOperationResult,
} from '../../admin/store-operations.ts';
import type {
  PeopleOperationInput,
  PeopleOperationName,
  PeopleOperationResult,
} from '../../admin/graph/people-operations.ts';
import type { AdminService } from '../../admin/operator-service.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import { createTextResponse, getRequestContext } from '../response.ts';
import { authenticateWithoutConsumingLimits, type AuthDeps } from '../auth.ts';
import type { BodyFormat } from '../body.ts';
import { readJsonBody, parseQueryParameters, type BodySchema } from '../input.ts';
import type { AnswerDeclaration, OpenApiExample, Operation, Route } from '../openapi/operation.ts';
import { isStoreFileErrorCode, createNotFoundProblemError, ProblemError } from '../problems.ts';

export interface AdminRouteDeps extends AuthDeps {
  admin: AdminService;
}

interface Declaration<Q extends v.ObjectEntries, B extends BodySchema, A extends v.GenericSchema> {
  summary: string;
  about?: string;
  /** Subcommand of `bonafide` that does the same as the route, such as `keys list`. */
  command?: string;
  /** Name of the object that the id in the path identifies, such as `key`. The error for an unknown id (404) contains it. */
  noun?: string;
  query?: Q;
  body?: B;
  /** Body that is not JSON; replaces `body`. The handler reads it from the request. */
  rawBody?: { schema: v.GenericSchema<string>; format: BodyFormat };
  examples?: Record<string, OpenApiExample>;
  answers: A;
  /** HTTP status of a successful answer; 200 by default. */
  status?: number;
  types?: string[];
  headers?: AnswerDeclaration['headers'];
  /** Error codes that only this route has. Codes that follow from its path, query and body are added automatically. */
  errors?: readonly Operation['errors'][number][];
  handle(request: AdminRequest<Q, B>, service: AdminService): Answered<A> | Promise<Answered<A>>;
}

type Answered<A extends v.GenericSchema> = v.InferOutput<A> | NonJsonAnswerContent;

/** Input of the handler of an administrative route, after authentication and validation. */
interface AdminRequest<Q extends v.ObjectEntries, B extends BodySchema> {
  id: string;
  query: v.InferOutput<v.ObjectSchema<Q, undefined>>;
  body: v.InferOutput<B>;
  event: H3Event;
  /** Time of the request in milliseconds since 1970. */
  now: number;
  actor: string;
  /** Runs a store operation. The audit log names `actor` as its author. */
  run<Name extends StoreOperationName>(
    name: Name,
    input: StoreOperationInput<Name>,
  ): Promise<StoreOperationResult<Name>>;
  /** Runs an operation on the people on record. The audit log names `actor` as its author. */
  people<Name extends PeopleOperationName>(
    name: Name,
    input: PeopleOperationInput<Name>,
  ): Promise<PeopleOperationResult<Name>>;
}

/** Answer of an administrative route that is not a JSON object: a text of any media type, with headers. */
export interface NonJsonAnswerContent {
  text: string;
  type: string;
  headers: [string, string][];
}

type NoQuery = Record<never, never>;

/**
 * Declares an administrative route. The answer of `declaration.handle` fits the schema `declaration.answers`, or is formatted text. @param
 * target method and path below `/admin/v1/`, such as `GET keys/:id`
 */
export function declareAdminRoute<
  A extends v.GenericSchema,
  Q extends v.ObjectEntries = NoQuery,
  B extends BodySchema = never,
>(
  target: `${Operation['method']} ${string}`,
  id: string,
  declaration: Declaration<Q, B, A>,
): Route<AdminRouteDeps> {
  const operation = toOperation(target, id, declaration);
  const { query = {} as Q, body = null, rawBody, noun = '', status = 200, handle } = declaration;
  return {
    ...operation,
    async handle(event, deps) {
      const context = getRequestContext(event);
      const caller = await authenticateWithoutConsumingLimits(event, deps);
      requireAdmin(caller);
      const { admin } = deps;
      const { now } = context;
      const actor = caller.key ?? caller.keyId;
      try {
        const request: AdminRequest<Q, B> = {
          id: event.context.params?.id ?? '',
          query: parseQueryParameters(event.url, query),
          body: rawBody ? {} : await readJsonBody(event, body),
          event,
          actor,
          now,
          run: (name, input) => admin.run(name, input, actor),
          people: (name, input) => admin.runOnPeople(name, input, { actor, now }),
        };
        const result = (await handle(request, admin)) as object;
        if (isFormatted(result)) return createTextResponse(context, result.text, result);
        return createTextResponse(context, JSON.stringify(result), { status });
      } catch (error) {
        throw toAdminProblem(error, { noun, hasBody: operation.body !== undefined });
      }
    },
  };
}

const isFormatted = (result: object): result is NonJsonAnswerContent =>
  'text' in result && 'type' in result && 'headers' in result;

function toOperation<Q extends v.ObjectEntries, B extends BodySchema, A extends v.GenericSchema>(
  target: string,
  id: string,
  declaration: Declaration<Q, B, A>,
): Operation {
  const { summary, about = '', command, noun = '', query, body, rawBody, examples = {} } = declaration;
  const { answers, status = 200, types, headers, errors = [] } = declaration;
  const [method, path = ''] = target.split(' ') as [Operation['method'], string];
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const idSchema = v.pipe(v.string(), v.description(`The ${noun}’s id, as lists show it.`));
  // A route without a body schema reads the body too, to refuse a request whose body is not empty.
  const takesBody = method !== 'GET';
  return {
    method,
    path: `/admin/v1/${path}`,
    id,
    tag: 'Administration',
    summary,
    about: command ? `${about} On the command line: \`bonafide ${command}\`.`.trim() : about,
    key: true,
    pathParts: Object.fromEntries(names.map((name) => [name, idSchema])),
    ...(query ? { query } : {}),
    ...(body ? { body: { schemas: [body], examples: () => examples } } : {}),
    ...(rawBody
      ? { body: { schemas: [rawBody.schema], examples: () => examples, types: rawBody.format.types } }
      : {}),
    answers: [{ status, about: 'It is so.', schemas: [answers], types, headers }],
    errors: [
      'forbidden',
      'overloaded',
      ...errors,
      ...(noun === '' ? [] : (['not_found'] as const)),
      ...(query || takesBody || noun ? (['invalid_request'] as const) : []),
      ...(takesBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
      ...(takesBody && !rawBody ? (['invalid_json'] as const) : []),
    ],
  };
}

/** Parts of an administrative request that decide which error the client gets. */
interface OperationInput {
  noun: string;
  hasBody: boolean;
}

/**
 * Converts an error of an administrative operation to the error that the client gets. Messages written for the command line are hidden: they may
 * repeat input or name command options.
 */
function toAdminProblem(error: unknown, place: OperationInput): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, details } = error;
  if (code === 'invalid_arguments' || code === 'already_there')
    return invalidRequestError(withPointers(details.issues ?? [UNKNOWN_RULE], place));
  if (code === 'not_found') return toMissingError(String(details.what ?? 'thing'), details.pointer, place);
  if (code === 'store_unavailable' || isStoreFileErrorCode(code)) return createStoreProblem(error);
  return error;
}

/**
 * Returns the error for an unknown id: 404 if the id is in the path, 422 (broken rule) if it is in a field or a filter. Without a pointer, the
 * field has the name of the missing object.
 */
function toMissingError(
  missing: string,
  pointer: string | undefined,
  { noun, hasBody }: OperationInput,
): Error {
  const detail = `There is no such ${missing}.`;
  if (missing === noun) return createNotFoundProblemError(detail);
  const field = pointer ?? `/${missing}`;
  return invalidRequestError([{ pointer: hasBody ? field : '', code: `unknown_${missing}`, detail }]);
}

const withPointers = (issues: ValidationIssue[], { hasBody }: OperationInput): ValidationIssue[] =>
  hasBody ? issues : issues.map((issue) => ({ ...issue, pointer: '' }));

const UNKNOWN_RULE: ValidationIssue = {
  pointer: '',
  code: 'invalid_request',
  detail: 'The request cannot be carried out.',
};

const createStoreProblem = (cause: BonafideError) =>
  new ProblemError(
    {
      code: 'store_unavailable',
      detail:
        'The store cannot be read or changed at the moment. Before you repeat a change, check whether it was made.',
      headers: [['retry-after', '5']],
    },
    cause,
  );
