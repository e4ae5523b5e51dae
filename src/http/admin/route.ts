// An administrative route: declares the operation, authenticates the operator, reads query and body by their schemas, and answers.
import type { H3Event } from 'h3';
import * as v from 'valibot';
import { requireAdmin } from '../../accounts/access.ts';
import type { StoreInput, StoreOperation, StoreResult } from '../../admin/store-operations.ts';
import type { PeopleInput, PeopleOperation, PeopleResult } from '../../admin/graph/people-operations.ts';
import type { AdminService } from '../../admin/operator-service.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import { textResponse, contextOf } from '../response.ts';
import { authenticateUnlimited, type AuthDeps } from '../auth.ts';
import type { BodyFormat } from '../body.ts';
import { readJsonBody, readQuery, type BodySchema } from '../input.ts';
import type { AnswerDeclaration, Example, Operation, Route } from '../openapi/operation.ts';
import { isStoreTrouble, notFound, ProblemError } from '../problems.ts';

export interface AdminDeps extends AuthDeps {
  admin: AdminService;
}

interface Declaration<Q extends v.ObjectEntries, B extends BodySchema, A extends v.GenericSchema> {
  summary: string;
  about?: string;
  /** Command that does the same, such as `keys list`. */
  command?: string;
  /** What the path or the body names, such as `key`: an id that does not exist is answered 404. */
  of?: string;
  query?: Q;
  body?: B;
  /** Replaces `body` where the body is not JSON: the handler reads it. */
  own?: { schema: v.GenericSchema<string>; kind: BodyFormat };
  examples?: Record<string, Example>;
  answers: A;
  /** Status of the answer; 200 by default. */
  status?: number;
  /** Media types of the answer in addition to JSON. */
  types?: string[];
  headers?: AnswerDeclaration['headers'];
  /** Error codes in addition to those that follow from path, query and body. */
  errors?: readonly Operation['errors'][number][];
  handle(request: AdminRequest<Q, B>, service: AdminService): Answered<A> | Promise<Answered<A>>;
}

type Answered<A extends v.GenericSchema> = v.InferOutput<A> | FormattedAnswer;

/** Input of one administrative request, after authentication and validation. */
export interface AdminRequest<Q extends v.ObjectEntries, B extends BodySchema> {
  /** Value of `:id` in the path; empty where the path has none. */
  id: string;
  query: v.InferOutput<v.ObjectSchema<Q, undefined>>;
  body: v.InferOutput<B>;
  event: H3Event;
  /** Milliseconds since 1970. */
  now: number;
  /** Id of the key that asks. */
  actor: string;
  /** Runs a store operation in the name of `actor`. */
  run<Name extends StoreOperation>(name: Name, input: StoreInput<Name>): Promise<StoreResult<Name>>;
  /** Runs an operation on people on record in the name of `actor`. */
  people<Name extends PeopleOperation>(name: Name, input: PeopleInput<Name>): Promise<PeopleResult<Name>>;
}

/** An answer that is not JSON, or that has headers of its own. */
export interface FormattedAnswer {
  text: string;
  type: string;
  headers: [string, string][];
}

type NoQuery = Record<never, never>;

/**
 * Declares an administrative route. The handler returns the answer as `declaration.answers` describes it, or formatted text.
 *
 * @param target method and path below `/admin/v1/`, such as `GET keys/:id`
 */
export function adminRoute<
  A extends v.GenericSchema,
  Q extends v.ObjectEntries = NoQuery,
  B extends BodySchema = never,
>(
  target: `${Operation['method']} ${string}`,
  id: string,
  declaration: Declaration<Q, B, A>,
): Route<AdminDeps> {
  const operation = operationOf(target, id, declaration);
  const { query = {} as Q, body = null, own, of = '', status = 200, handle } = declaration;
  return {
    ...operation,
    async handle(event, deps) {
      const context = contextOf(event);
      const caller = await authenticateUnlimited(event, deps);
      requireAdmin(caller);
      const { admin } = deps;
      const { now } = context;
      const actor = caller.key ?? caller.keyId;
      try {
        const request: AdminRequest<Q, B> = {
          id: event.context.params?.id ?? '',
          query: readQuery(event.url, query),
          body: own ? {} : await readJsonBody(event, body),
          event,
          actor,
          now,
          run: (name, input) => admin.run(name, input, actor),
          people: (name, input) => admin.people(name, input, { actor, now }),
        };
        const result = (await handle(request, admin)) as object;
        if (isFormatted(result)) return textResponse(context, result.text, result);
        return textResponse(context, JSON.stringify(result), { status });
      } catch (error) {
        throw toAdminProblem(error, { of, hasBody: operation.body !== undefined });
      }
    },
  };
}

const isFormatted = (result: object): result is FormattedAnswer =>
  'text' in result && 'type' in result && 'headers' in result;

function operationOf<Q extends v.ObjectEntries, B extends BodySchema, A extends v.GenericSchema>(
  target: string,
  id: string,
  declaration: Declaration<Q, B, A>,
): Operation {
  const { summary, about = '', command, of = '', query, body, own, examples = {} } = declaration;
  const { answers, status = 200, types, headers, errors = [] } = declaration;
  const [method, path = ''] = target.split(' ') as [Operation['method'], string];
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const idSchema = v.pipe(v.string(), v.description(`The ${of}’s id, as lists show it.`));
  // A body that is sent where none is expected is read too, and refused unless it is empty.
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
    ...(own ? { body: { schemas: [own.schema], examples: () => examples, types: own.kind.types } } : {}),
    answers: [{ status, about: 'It is so.', schemas: [answers], types, headers }],
    errors: [
      'forbidden',
      'overloaded',
      ...errors,
      ...(of === '' ? [] : (['not_found'] as const)),
      ...(query || takesBody || of ? (['invalid_request'] as const) : []),
      ...(takesBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
      ...(takesBody && !own ? (['invalid_json'] as const) : []),
    ],
  };
}

/** What the errors of an operation depend on. */
interface ErrorPlace {
  of: string;
  hasBody: boolean;
}

/** Returns the problem for an error of an administrative operation. Sentences for the command line may repeat input and name options: they are not shown. */
export function toAdminProblem(error: unknown, place: ErrorPlace): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, details } = error;
  if (code === 'invalid_arguments' || code === 'already_there')
    return invalidRequestError(withPointers(details.issues ?? [UNTOLD], place));
  if (code === 'not_found') return missing(String(details.what ?? 'thing'), place);
  if (code === 'store_unavailable' || isStoreTrouble(code)) return UNAVAILABLE();
  return error;
}

/** An id in the path that does not exist is 404; one in a field or a filter is a broken rule. */
function missing(what: string, { of, hasBody }: ErrorPlace): Error {
  const detail = `There is no such ${what}.`;
  if (what === of) return notFound(detail);
  return invalidRequestError([{ pointer: hasBody ? `/${what}` : '', code: `unknown_${what}`, detail }]);
}

/** A pointer leads into a body: without a body, a filter is meant. */
const withPointers = (issues: ValidationIssue[], { hasBody }: ErrorPlace): ValidationIssue[] =>
  hasBody ? issues : issues.map((issue) => ({ ...issue, pointer: '' }));

const UNTOLD: ValidationIssue = {
  pointer: '',
  code: 'invalid_request',
  detail: 'This cannot be done as it was asked.',
};

const UNAVAILABLE = () =>
  new ProblemError({
    code: 'store_unavailable',
    detail:
      'The store cannot be read or changed at the moment. Ask what became of a change before you try it again.',
    headers: [['retry-after', '5']],
  });
