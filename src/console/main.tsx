import { render } from 'preact';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get, whenSignedOut } from './api/ask.ts';
import type { Problem } from './api/ask.ts';
import { problemFrom } from './api/use.ts';
import { Gate, linkInAddress, signIn, useLinks } from './app/gate.tsx';
import type { Session } from './app/gate.tsx';
import { PAGES } from './app/pages.tsx';
import { followLinks, pageNow, useRoute } from './app/route.ts';
import { Shell } from './app/shell.tsx';
import { followTheme } from './app/theme.ts';
import { Bones, Empty, PageHead, Trouble } from './parts/parts.tsx';
import { Toasts, toast } from './parts/toast.tsx';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';
import './style/check.css';
import './style/pages.css';
import './style/people.css';

followTheme();
followLinks();
// Beside asking who is signed in: a page that is loaded already is shown at once.
void PAGES.find(({ path }) => path === pageNow())
  ?.load()
  .catch(() => undefined);

function App() {
  const [session, setSession] = useState<Session | null | 'asking'>('asking');
  const [ended, setEnded] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { page } = useRoute();
  const enter = (begun: Session) => {
    setProblem(null);
    setEnded(false);
    setSession(begun);
  };
  const begin = (link: string | null) => {
    const begun = link === null ? get<Session>('/console/session') : signIn({ link });
    begun.then(enter, (error: unknown) => {
      const told = problemFrom(error);
      if (session !== 'asking' && session !== null) return toast(told.message);
      if (told.code !== 'missing_api_key') setProblem(told);
      setSession(null);
    });
  };
  useLinks(begin);
  useEffect(() => {
    begin(linkInAddress());
    whenSignedOut(() => {
      setEnded(true);
      setSession(null);
    });
  }, []);
  if (session === 'asking') return null;
  if (session === null) return <Gate ended={ended} problem={problem} onIn={enter} />;
  const leave = () => {
    setEnded(false);
    setSession(null);
  };
  return (
    <Shell page={page} session={session} onOut={leave}>
      <Page page={page} />
    </Shell>
  );
}

function Page({ page }: { page: string }) {
  const [shown, set] = useState<{ page: string; Body: ComponentType | null; problem: Problem | null } | null>(
    null,
  );
  const info = PAGES.find(({ path }) => path === page);
  useEffect(() => {
    if (!info) return;
    let left = false;
    const show = (Body: ComponentType | null, problem: Problem | null) =>
      left || set({ page, Body, problem });
    info.load().then(
      (Body) => show(Body, null),
      (error: unknown) => void whyNot(error).then((problem) => show(null, problem)),
    );
    // A page that comes after somebody has gone on to another must not take its place.
    return () => void (left = true);
  }, [page]);
  if (!info)
    return (
      <>
        <PageHead title="Not here" />
        <Empty title="There is no such page">
          <a href="/console">To the check</a>
        </Empty>
      </>
    );
  if (shown?.page !== page) return <Bones />;
  if (!shown.Body) return <Trouble problem={shown.problem} again={reload} />;
  return <shown.Body key={page} />;
}

/** Why the code of a page did not come: a browser tells no more than that it did not. */
const whyNot = (error: unknown): Promise<Problem> =>
  get('/console/session').then(() => problemFrom(error), problemFrom);

/** Not before there is something to load. */
function reload(): void {
  get('/console/session').then(
    () => location.reload(),
    (error: unknown) => toast(problemFrom(error).message),
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
