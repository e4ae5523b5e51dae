// What a page shows of the server: loading, there, or failed, and asked for again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, Problem } from './ask.ts';

export interface Loaded<T> {
  data: T | null;
  problem: Problem | null;
  loading: boolean;
  /** When what is there was loaded, where loading it again has failed since: milliseconds. */
  oldSince: number | null;
  again(): void;
}

/** Loads a path, and again whenever it changes; nothing where it is null. What was there stays until the next is. */
export function useLoad<T>(path: string | null): Loaded<T> {
  const [state, set] = useState<{
    path: string | null;
    turn: number;
    data: T | null;
    problem: Problem | null;
    at: number;
  }>({ path: null, turn: 0, data: null, problem: null, at: 0 });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    get<T>(path, stop.signal)
      .then((data) => set({ path, turn, data, problem: null, at: Date.now() }))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        set((before) => ({
          ...before,
          path,
          turn,
          data: before.path === path ? before.data : null,
          problem: problemFrom(error),
        }));
      });
    return () => stop.abort();
  }, [path, turn]);
  const again = useCallback(() => setTurn((at) => at + 1), []);
  const { data, problem, at } = state;
  const oldSince = data !== null && problem !== null ? at : null;
  const loading = path !== null && (state.path !== path || state.turn !== turn);
  return { data, problem, oldSince, loading, again };
}

export interface Pages<T> {
  items: T[] | null;
  problem: Problem | null;
  loading: boolean;
  /** Loads what follows; null where all is there. */
  more: (() => void) | null;
  again(): void;
}

interface Page<T> {
  items: T[];
  next: string | null;
}

/** A list that comes in pages, of 50 where nothing else is said. */
export function usePages<T>(path: string | null): Pages<T> {
  const [state, set] = useState<{
    path: string | null;
    items: T[] | null;
    next: string | null;
    problem: Problem | null;
  }>({
    path: null,
    items: null,
    next: null,
    problem: null,
  });
  const [turn, setTurn] = useState(0);
  const [busy, setBusy] = useState(false);
  const current = useRef(path);
  current.current = path;
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    get<Page<T>>(path, stop.signal)
      .then(({ items, next }) => set({ path, items, next, problem: null }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) set({ path, items: null, next: null, problem: problemFrom(error) });
      });
    return () => stop.abort();
  }, [path, turn]);
  const { items, next, problem } = state;
  const loadMore = () => {
    if (busy || path === null || next === null) return;
    setBusy(true);
    get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`)
      .then((page) => {
        if (current.current !== path) return;
        set((before) => ({ ...before, items: [...(before.items ?? []), ...page.items], next: page.next }));
      })
      .catch((error: unknown) => set((before) => ({ ...before, problem: problemFrom(error) })))
      .finally(() => setBusy(false));
  };
  return {
    items: state.path === path ? items : null,
    problem: state.path === path ? problem : null,
    loading: busy || (path !== null && state.path !== path),
    more: next === null || state.path !== path ? null : loadMore,
    again: useCallback(() => setTurn((at) => at + 1), []),
  };
}

export const problemFrom = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({ status: 0, code: 'failed', detail: 'Something in this page failed. Load it again.' });

export interface Act {
  busy: boolean;
  problem: Problem | null;
  /** Runs it; answers whether it went well. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

/** Something that somebody does by a click: one at a time, with what went wrong. */
export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(problemFrom(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run, clear: () => setProblem(null) };
}
