// Small helpers of the test kit.

/** Freezes a value and all that it holds, so that a plugin that changes what it is handed throws. */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}

/** The problems that some work finds, or what it throws as one. */
export function collectProblems(work: () => string[]): string[] {
  try {
    return work();
  } catch (error) {
    return [`throws ${error instanceof Error ? error.message : 'something that is no Error'}`];
  }
}

/** Strings and lists of a JSON Schema that have no limit: they would let a model answer at any length. */
export function findUnboundedFields(schema: Record<string, unknown>, path = 'answer'): string[] {
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
    ...below.flatMap(([key, part]) => findUnboundedFields(part as Record<string, unknown>, `${path}.${key}`)),
  ];
}

// A call of a plugin's that may never settle.

/** What asks a plugin waits for it, and no longer than this. */
export const DEFAULT_CALL_TIMEOUT_MS = 10_000;
const SETTLES_WITHIN_MS = 1000;

export class CallTimeoutError extends Error {}

/** What a call gives. Throws an `Unsettled` that names the call where it takes too long. */
export async function callWithTimeout<T>(
  call: string,
  work: () => T | Promise<T>,
  ms = DEFAULT_CALL_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CallTimeoutError(`${call} did not settle within ${ms / 1000} s`)),
      ms,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a promise ends, well or badly, within a second. */
export const doesSettle = (promise: Promise<unknown>): Promise<boolean> =>
  callWithTimeout('it', () => promise.then(ENDED, ENDED), SETTLES_WITHIN_MS).catch(() => false);

const ENDED = () => true;
