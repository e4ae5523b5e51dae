import * as v from 'valibot';
import { listSchemaIssueSentences } from '../issues.ts';

/** Freezes a value and everything inside it, so that a plugin that changes its input throws an error. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}

/** Returns the problems that `work` finds; if `work` throws, its error is the only problem. */
export function listProblemsOrThrownError(work: () => string[]): string[] {
  try {
    return work();
  } catch (error) {
    return [`throws ${error instanceof Error ? error.message : 'something that is no Error'}`];
  }
}

/** Returns the problems of options that the plugin refuses. */
export function listOptionProblems(schema: v.GenericSchema | undefined, options: unknown): string[] {
  const issues = schema ? (v.safeParse(schema, options).issues ?? []) : [];
  return schema ? listSchemaIssueSentences(schema, issues).map((problem) => `options: ${problem}`) : [];
}

/** Finds the strings and lists of a JSON Schema that have no maximum length. */
export function listProblemsOfFieldsWithoutMaxLength(
  schema: Record<string, unknown>,
  path = 'answer',
): string[] {
  const { type, properties, items } = schema as {
    type?: string;
    properties?: object;
    items?: Record<string, unknown>;
  };
  const own =
    (type === 'string' && !('maxLength' in schema) && !('enum' in schema) && !('const' in schema)) ||
    (type === 'array' && !('maxItems' in schema));
  const limit = type === 'string' ? 'v.maxLength' : 'v.maxLength on the list';
  const below = Object.entries({ ...properties, ...(items ? { '[]': items } : {}) });
  return [
    ...(own ? [`${path} has no limit; give it one with ${limit}`] : []),
    ...below.flatMap(([key, part]) =>
      listProblemsOfFieldsWithoutMaxLength(part as Record<string, unknown>, `${path}.${key}`),
    ),
  ];
}

export const DEFAULT_CALL_TIMEOUT_MS = 10_000;
const SETTLES_WITHIN_MS = 1000;

export class CallTimeoutError extends Error {}

/** Returns the result of a plugin call. After `ms` milliseconds, throws a CallTimeoutError with the name of the call. */
export async function callWithTimeout<T>(
  call: string,
  work: () => T | Promise<T>,
  ms = DEFAULT_CALL_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CallTimeoutError(`${call} did not settle within ${ms / 1000} s`)),
      ms,
    );
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to true if the promise settles (resolves or rejects) within a second. */
export const doesPromiseSettle = (promise: Promise<unknown>): Promise<boolean> =>
  callWithTimeout('it', () => promise.then(ENDED, ENDED), SETTLES_WITHIN_MS).catch(() => false);

const ENDED = () => true;
