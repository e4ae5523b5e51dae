import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type ApiProblem,
  appendQueryParameters,
  getJson,
  loadListItems,
  MAX_LIST_ITEMS,
  postJson,
  toApiProblem,
} from './api.ts';
import type { ListPage } from './types.ts';

/** Data of one API path, and the state of loading it. */
export interface ApiResource<T> {
  /** Loaded data; null before the first load. While the data is loaded again, the old data stays. */
  data: T | null;
  problem: ApiProblem | null;
  isLoading: boolean;
  /** Time at which `data` was loaded (ms since 1970), if a later load failed; otherwise null. */
  staleSince: number | null;
  reload(): void;
  /** Loads the data again, unless a load is in progress: a poll must not abort an earlier one. */
  poll(): void;
}

const RELOAD = 'bonafide:reload';

/** Makes every `useResource` on the page load its data again, for use after a change. */
export const reloadAllResources = (): void => void dispatchEvent(new Event(RELOAD));

interface Result<T> {
  /** Path, body and number of the request from which the other members come. */
  request: string;
  data: T | null;
  problem: ApiProblem | null;
  loadedAt: number;
}

/** Loads the JSON of an API path, and again if the path or the body changes. Sends POST if there is a body. A null path loads nothing. */
export const useResource = <T>(path: string | null, body?: object): ApiResource<T> =>
  useLoader<T>(path, body, (signal) =>
    body ? postJson<T>(path ?? '', body, signal) : getJson<T>(path ?? '', signal),
  );

function useLoader<T>(
  path: string | null,
  body: object | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): ApiResource<T> {
  const [round, setRound] = useState(0);
  const [result, setResult] = useState<Result<T>>({ request: '', data: null, problem: null, loadedAt: 0 });
  const source = `${path} ${JSON.stringify(body)}`;
  const request = `${source} ${round}`;
  const isPending = useRef(false);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const poll = useCallback(() => isPending.current || reload(), []);
  useEffect(() => {
    addEventListener(RELOAD, reload);
    return () => removeEventListener(RELOAD, reload);
  }, []);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    isPending.current = true;
    load(abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return;
        isPending.current = false;
        setResult({ request, data, problem: null, loadedAt: Date.now() });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        isPending.current = false;
        const problem = toApiProblem(error);
        setResult(({ request: earlier, data, loadedAt }) =>
          earlier.startsWith(source)
            ? { request, data, problem, loadedAt }
            : { request, data: null, problem, loadedAt },
        );
      },
    );
    return () => abort.abort();
  }, [request]);
  const { data, problem, loadedAt } = result;
  return {
    data,
    problem,
    staleSince: data !== null && problem !== null ? loadedAt : null,
    isLoading: path !== null && result.request !== request,
    reload,
    poll,
  };
}

/** List that is loaded page by page. `data` contains the items of all pages loaded so far. */
export interface PagedList<T> extends Omit<ApiResource<T[]>, 'staleSince' | 'poll'> {
  /** Loads the next page of the list; null after the last page. */
  loadMore: (() => void) | null;
}

export function usePagedList<T>(path: string): PagedList<T> {
  const first = useResource<ListPage<T>>(path);
  const [rest, setRest] = useState<(ListPage<T> & { first: ListPage<T> | null }) | null>(null);
  const action = useAction();
  // Pages that were loaded for another path, or before a reload, are dropped.
  const later = rest?.first === first.data ? rest : null;
  const next = (later ?? first.data)?.next ?? null;
  const loadMore = () =>
    void action.run(async () => {
      const page = await getJson<ListPage<T>>(appendQueryParameters(path, { cursor: next }));
      setRest({ first: first.data, items: [...(later?.items ?? []), ...page.items], next: page.next });
    });
  return {
    data: first.data && [...first.data.items, ...(later?.items ?? [])],
    problem: first.problem ?? action.problem,
    isLoading: first.isLoading || action.isRunning,
    loadMore: next === null ? null : loadMore,
    reload: () => {
      action.clear();
      first.reload();
    },
  };
}

/** Loads the items that a form field offers. `hint` tells the user if the list was cut off at `MAX_LIST_ITEMS` items. */
export function useListItems<T>(path: string): { items: T[]; isLoaded: boolean; hint: string | undefined } {
  const { data } = useLoader<T[]>(path, undefined, (signal) => loadListItems<T>(path, signal));
  const items = data ?? [];
  const hint = items.length < MAX_LIST_ITEMS ? undefined : `Only the first ${items.length} are offered.`;
  return { items, isLoaded: data !== null, hint };
}

/** State of an action: `run` starts it and resolves to true on success; `problem` is the error of the last run. */
export interface ActionState {
  isRunning: boolean;
  problem: ApiProblem | null;
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): ActionState {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(toApiProblem(error));
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { isRunning, problem, run, clear: () => setProblem(null) };
}

/** Calls a function every `ms` milliseconds while the page is visible; never if `ms` is null. */
export function useInterval(callback: () => void, ms: number | null): void {
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => document.hidden || callback(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
