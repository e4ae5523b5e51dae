// The page that is shown follows the address bar, so that pages have links and the Back button works.
import { useEffect, useState } from 'preact/hooks';

export interface PageLocation {
  /** Path of the page below `/console/`; empty for the first page. */
  page: string;
  query: URLSearchParams;
}

const NAVIGATED = 'bonafide:navigated';

export const getCurrentLocation = (): PageLocation => ({
  page: location.pathname.replace(/^\/console\/?/, '').replace(/\/$/, ''),
  query: new URLSearchParams(location.search),
});

export function useLocation(): PageLocation {
  const [current, setCurrent] = useState(getCurrentLocation);
  useEffect(() => {
    const update = () => setCurrent(getCurrentLocation());
    addEventListener('popstate', update);
    addEventListener(NAVIGATED, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(NAVIGATED, update);
    };
  }, []);
  return current;
}

function navigate(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new Event(NAVIGATED));
}

/** Sets query parameters in the address bar. A null or empty value removes the parameter. */
export function setQueryParameters(changes: Record<string, string | null>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes))
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  history.replaceState(null, '', url.pathname + url.search);
  dispatchEvent(new Event(NAVIGATED));
}

/** Returns a function that binds a form field to a query parameter of the address bar. */
export function useQueryParameterFieldBinder() {
  const { query } = useLocation();
  return (name: string) => ({
    value: query.get(name) ?? '',
    onChange: (value: string) => setQueryParameters({ [name]: value }),
  });
}

/** Opens links to other console pages without loading the document again. */
export const installLinkClickHandler = (): void => document.addEventListener('click', followLink);

function followLink(event: MouseEvent): void {
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || hasModifier) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target !== '' || link.hash !== '' || link.origin !== location.origin) return;
  if (!/^\/console(\/|$)/.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
