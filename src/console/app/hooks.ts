// Hooks that load data from the server and run what a button does.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { get, toProblem, withQuery } from './api.ts';
import type { Problem } from './api.ts';
import type { Page } from './types.ts';

/** Data of one path of the API. */
export interface Resource<T> {
  /** Null until it is loaded. Data stay while they are loaded again. */
  data: T | null;
  problem: Problem | null;
  isLoading: boolean;
  /** Time at which `data` were loaded, in milliseconds since 1970, if loading them again has failed since. Else null. */
  staleSince: number | null;
  reload(): void;
}

/** Loads a path now and whenever the path changes. Loads nothing if it is null. */
export function useResource<T>(path: string | null): Resource<T> {
  const [state, setState] = useState<{
    path: string | null;
    round: number;
    data: T | null;
    problem: Problem | null;
    loadedAt: number;
  }>({ path: null, round: 0, data: null, problem: null, loadedAt: 0 });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    get<T>(path, abort.signal)
      .then((data) => setState({ path, round, data, problem: null, loadedAt: Date.now() }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({
          ...before,
          path,
          round,
          data: before.path === path ? before.data : null,
          problem: toProblem(error),
        }));
      });
    return () => abort.abort();
  }, [path, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const { data, problem, loadedAt } = state;
  return {
    data,
    problem,
    staleSince: data !== null && problem !== null ? loadedAt : null,
    isLoading: path !== null && (state.path !== path || state.round !== round),
    reload,
  };
}

/** A list that is loaded page by page. */
export interface PagedList<T> extends Omit<Resource<T[]>, 'staleSince'> {
  /** Loads the next page. Null on the last page. */
  loadMore: (() => void) | null;
}

export function usePagedList<T>(path: string): PagedList<T> {
  const first = useResource<Page<T>>(path);
  const [rest, setRest] = useState<(Page<T> & { first: Page<T> | null }) | null>(null);
  const action = useAction();
  // Later pages of another path, or from before a reload, do not count.
  const later = rest?.first === first.data ? rest : null;
  const next = (later ?? first.data)?.next ?? null;
  const loadMore = () =>
    void action.run(async () => {
      const page = await get<Page<T>>(withQuery(path, { cursor: next }));
      setRest({ first: first.data, items: [...(later?.items ?? []), ...page.items], next: page.next });
    });
  return {
    data: first.data && [...first.data.items, ...(later?.items ?? [])],
    problem: first.problem ?? action.problem,
    isLoading: first.isLoading || action.isRunning,
    loadMore: next === null ? null : loadMore,
    reload: first.reload,
  };
}

/** Loads all entries of a list that has at most 200, for a choice. */
export const useChoices = <T>(path: string): T[] =>
  useResource<Page<T>>(withQuery(path, { limit: 200 })).data?.items ?? [];

/** Work that a click starts. One run at a time. */
export interface Action {
  isRunning: boolean;
  /** Error of the last run. Null if it succeeded. */
  problem: Problem | null;
  /** Runs the work. Resolves to true if it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { isRunning, problem, run, clear: () => setProblem(null) };
}

/** Calls back every `ms` milliseconds while the page is visible. Null stops it. */
export function useInterval(callback: () => void, ms: number | null): void {
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => document.hidden || callback(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
