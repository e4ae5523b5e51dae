// When keys were used last: noted by the process that serves, written at most once a minute for each.
import type { Caller } from '../../accounts/model.ts';
import type { Sql } from '../store.ts';
import type { Awaitable } from '../../model.ts';

type Find = (text: string, now: number, entering?: boolean) => Awaitable<Caller | null>;

const MINUTE_MS = 60_000;
/** Keys that were used together are written together. */
const GATHER_MS = 1000;

/** Notes uses of keys; `keep` writes them. A key that was noted within a minute is not noted again. */
export function noteUses(keep: (used: ReadonlyMap<string, number>) => void) {
  const noted = new Map<string, number>();
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size > 0) keep(waiting);
    waiting = new Map();
  };
  const note = (key: string, now: number) => {
    if (Math.abs(now - (noted.get(key) ?? -Infinity)) < MINUTE_MS) return;
    noted.set(key, now);
    waiting.set(key, now);
    timer ??= setTimeout(flush, GATHER_MS).unref();
  };
  return {
    /** The same look-up, with the keys that it finds noted; `now` is milliseconds since 1970. */
    noting:
      (find: Find): Find =>
      (text, now, entering) => {
        const found = find(text, now, entering);
        const noted = (caller: Caller | null) => {
          if (caller?.key) note(caller.key, now);
          return caller;
        };
        return found instanceof Promise ? found.then(noted) : noted(found);
      },
    flush,
  };
}

/** Prepares the writer's statement: when keys were used last. Several threads and processes may note the same minute. */
export function usedKeeper(raw: Sql): (used: ReadonlyMap<string, number>) => void {
  const set = raw.prepare('UPDATE keys SET last_used = ? WHERE id = ? AND coalesce(last_used, 0) <= ?');
  const keep = raw.transaction((used: ReadonlyMap<string, number>) => {
    for (const [key, time] of used) set.run(time, key, time - MINUTE_MS);
  });
  return (used) => keep.immediate(used);
}
