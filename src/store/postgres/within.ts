/**
 * What PostgreSQL answers, if it does within so many milliseconds; `onLate` is told else.
 * Errors: those of `asked`; one whose code says that the way was lost where it is late.
 */
export async function within<T>(ms: number, asked: PromiseLike<T>, onLate?: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate?.();
    reject(Object.assign(new Error('PostgreSQL does not answer in time.'), { code: LATE }));
  }, ms);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In the form of the driver's own codes; see trouble.ts. */
const LATE = 'CONNECTION_LATE';
