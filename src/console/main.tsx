import { type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { getJson, setSignedOutCallback, type ApiProblem, toApiProblem } from './app/api.ts';
import { findPage } from './app/pages.ts';
import { getCurrentLocation, installLinkClickHandler, useLocation } from './app/router.ts';
import { PageShell } from './app/shell.tsx';
import { signIn, SignInPage, takeSignInToken, usePastedSignInLink } from './app/sign-in.tsx';
import { applyAndFollowSystemTheme } from './app/theme.ts';
import type { ConsoleSession } from './app/types.ts';
import { EmptyState, ErrorNote, Skeleton, showToast, Toasts } from './components/feedback.tsx';
import { PageHeader } from './components/layout.tsx';
import './style/base.css';
import './style/components.css';
import './style/shell.css';
import './style/check.css';
import './style/pages.css';
import './style/people.css';

const SESSION = '/console/session';

applyAndFollowSystemTheme();
installLinkClickHandler();
// Loads the page's code in parallel with the session request.
void findPage(getCurrentLocation().page)
  ?.load()
  .catch(() => undefined);

function App() {
  const [session, setSession] = useState<ConsoleSession | null | 'loading'>('loading');
  const [hasEnded, setEnded] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const { page } = useLocation();
  const enter = (next: ConsoleSession) => {
    setProblem(null);
    setEnded(false);
    setSession(next);
  };
  const leave = (isExpired: boolean) => {
    setEnded(isExpired);
    setSession(null);
  };
  const start = (link: string | null) => {
    const starting = link === null ? getJson<ConsoleSession>(SESSION) : signIn({ link });
    starting.then(enter, (error: unknown) => {
      const failure = toApiProblem(error);
      if (session !== 'loading' && session !== null) return showToast(failure.message);
      if (failure.code !== 'missing_api_key') setProblem(failure);
      setSession(null);
    });
  };
  usePastedSignInLink(start);
  useEffect(() => {
    start(takeSignInToken());
    setSignedOutCallback(() => leave(true));
  }, []);
  if (session === 'loading') return null;
  if (session === null) return <SignInPage hasEnded={hasEnded} problem={problem} onSignedIn={enter} />;
  return (
    <PageShell page={page} session={session} onSignOut={() => leave(false)}>
      <Page key={page} page={page} />
    </PageShell>
  );
}

function Page({ page }: { page: string }) {
  const [loaded, setLoaded] = useState<{ Body: ComponentType } | { problem: ApiProblem } | null>(null);
  const entry = findPage(page);
  useEffect(() => {
    entry?.load().then(
      ({ default: Body }) => setLoaded({ Body }),
      async (error: unknown) => setLoaded({ problem: await explainFailure(error) }),
    );
  }, []);
  if (!entry)
    return (
      <>
        <PageHeader title="Page not found" />
        <EmptyState title="This page does not exist">
          <a href="/console">Go to the first page</a>
        </EmptyState>
      </>
    );
  if (loaded === null) return <Skeleton />;
  return 'Body' in loaded ? <loaded.Body /> : <ErrorNote problem={loaded.problem} retry={reload} />;
}

/** Finds the reason that the code of a page could not be loaded, by a request for the session: the browser gives none. */
const explainFailure = (error: unknown): Promise<ApiProblem> =>
  getJson(SESSION).then(() => toApiProblem(error), toApiProblem);

/** Reloads the document if the server answers. Otherwise the browser would show its own error page. */
function reload(): void {
  getJson(SESSION).then(
    () => location.reload(),
    (error: unknown) => showToast(toApiProblem(error).message),
  );
}

const root = document.getElementById('app');
if (root)
  render(
    <>
      <App />
      <Toasts />
    </>,
    root,
  );
