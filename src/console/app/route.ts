// Which page is shown: told by the address, so that a page can be linked to and gone back to.
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  page: string;
  query: URLSearchParams;
}

const CHANGED = 'bonafide:route';

/** The page that the address tells of: empty for the first. */
export const pageNow = (): string => location.pathname.replace(/^\/console\/?/, '').replace(/\/$/, '');

const read = (): Route => ({
  page: pageNow(),
  query: new URLSearchParams(location.search),
});

export function useRoute(): Route {
  const [route, set] = useState(read);
  useEffect(() => {
    const follow = () => set(read());
    addEventListener('popstate', follow);
    addEventListener(CHANGED, follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener(CHANGED, follow);
    };
  }, []);
  return route;
}

/** Goes to a page: `/console/keys?account=acc_…`. */
export function go(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  dispatchEvent(new Event(CHANGED));
}

/** The address with one part of the query set, or taken out. */
export function goQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Links among the pages load nothing anew. Said once for all pages: a listener that each page takes away with itself is gone for the next. */
export const followLinks = (): void => document.addEventListener('click', followLink);

function followLink(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target !== '' || link.origin !== location.origin) return;
  if (link.pathname !== '/console' && !link.pathname.startsWith('/console/')) return;
  if (link.hash !== '') return;
  event.preventDefault();
  go(link.pathname + link.search);
}
