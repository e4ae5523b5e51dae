// Refused calls of a server. The first refused calls of an API key and error code in a minute get a row each;
// further ones are only counted, so that many refusals cost little and do not grow the store.
import type { UnwrittenRefusal } from '../../accounts/model.ts';

/** Maximum number of refused calls of one API key and error code that get a row of their own in a minute. Another row counts the further ones. */
export const MAX_REFUSAL_ROWS_PER_KEY_AND_CODE = 10;
/** Maximum number of all refused calls that get a row of their own in a minute. */
const ROWS_PER_MINUTE = 300;
/**
 * Maximum number of pairs of API key and error code that are counted separately in a minute. Above it, refused calls are counted by error code only.
 */
const MAX_KINDS = 500;

const MINUTE_MS = 60_000;
const SAVE_MS = 1000;

/** Refused calls of one API key and error code in the current minute. */
interface Kind {
  rows: number;
  /** Row that counts the calls without a row of their own; null if there are none. */
  rest: UnwrittenRefusal | null;
  /** True if `rest` is in the list of rows to save. */
  isPending: boolean;
}

/** Creates a collector of refused calls. It passes them to `save` one second after the first one, or at `flush`. */
export function createRefusalCollector(save: (refusals: UnwrittenRefusal[]) => void) {
  let minute = -1;
  let rows = 0;
  let kinds = new Map<string, Kind>();
  let pending: UnwrittenRefusal[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    save(pending);
    pending = [];
    // Later refused calls of the same kind are added to the row that is stored now.
    for (const kind of kinds.values())
      if (kind.rest) Object.assign(kind, { rest: { ...kind.rest, more: 0 }, isPending: false });
  }

  function push(refusal: UnwrittenRefusal): void {
    pending.push(refusal);
    timer ??= setTimeout(flush, SAVE_MS).unref();
  }

  function findKind(refusal: UnwrittenRefusal): Kind {
    const name = `${refusal.code} ${refusal.key ?? toHex(refusal.keyHash)}`;
    const refusalKind = kinds.get(name) ?? (kinds.size >= MAX_KINDS ? kinds.get(refusal.code) : undefined);
    if (refusalKind) return refusalKind;
    const kind: Kind = { rows: 0, rest: null, isPending: false };
    kinds.set(kinds.size >= MAX_KINDS ? refusal.code : name, kind);
    return kind;
  }

  return {
    add(refusal: UnwrittenRefusal): void {
      const current = Math.floor(refusal.time / MINUTE_MS);
      if (current !== minute) [minute, rows, kinds] = [current, 0, new Map()];
      const kind = findKind(refusal);
      if (!kind.rest && kind.rows < MAX_REFUSAL_ROWS_PER_KEY_AND_CODE && rows < ROWS_PER_MINUTE) {
        kind.rows++;
        rows++;
        return push(refusal);
      }
      if (kind.rest) kind.rest.more++;
      else kind.rest = refusal;
      if (!kind.isPending) push(kind.rest);
      kind.isPending = true;
    },
    flush,
  };
}

const toHex = (hash: Uint8Array | null): string => (hash ? Buffer.from(hash).toString('hex') : '');
