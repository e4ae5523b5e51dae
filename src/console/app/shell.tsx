// Frame of every page, with the menu, the session and the theme.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { showToast } from '../components/feedback.tsx';
import { formatRelativeTime } from '../components/format.ts';
import { Icon } from '../components/icons.tsx';
import mark from '../style/mark.svg';
import { sendDelete, toApiProblem } from './api.ts';
import { MENU_SECTIONS } from './pages.ts';
import { getCurrentTheme, THEME_CHANGED_EVENT, toggleTheme } from './theme.ts';
import type { ConsoleSession } from './types.ts';

interface ShellProps {
  page: string;
  session: ConsoleSession;
  onSignOut(): void;
  children: ComponentChildren;
}

export function PageShell({ page, session, onSignOut, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [page]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToContent}>
        Skip to content
      </a>
      <div class="shell">
        <header class="bar">
          <Brand />
          <div class="row">
            <ThemeButton />
            <Button
              quiet
              icon={isOpen ? 'close' : 'menu'}
              label={isOpen ? 'Close menu' : 'Open menu'}
              expanded={isOpen}
              controls="side"
              onClick={() => setOpen(!isOpen)}
            />
          </div>
        </header>
        <aside class={`side ${isOpen ? 'open' : ''}`} id="side" aria-label="Menu">
          <Brand />
          <Menu page={page} />
          <div class="side-end">
            <nav class="nav" aria-label="Help">
              <a href="/docs" target="_blank" rel="noreferrer">
                <Icon name="book" /> Documentation
              </a>
            </nav>
            <div class="session">
              <div class="cut">
                {session.key === null ? 'Signed in with a link' : <code>{session.key}</code>}
              </div>
              <div class="faint">Session ends {formatRelativeTime(session.until)}</div>
            </div>
            <div class="row apart">
              <Button quiet small icon="signOut" onClick={() => void signOut(onSignOut)}>
                Sign out
              </Button>
              <ThemeButton />
            </div>
          </div>
        </aside>
        <main class="main" id="main" tabIndex={-1}>
          <div class="inner">{children}</div>
        </main>
      </div>
    </>
  );
}

/** Signs the user out. If the request failed and the session may still be valid, the user stays signed in. */
async function signOut(onSignOut: () => void): Promise<void> {
  try {
    await sendDelete('/console/session');
  } catch (error) {
    const { status, message } = toApiProblem(error);
    if (status !== 401) return showToast(`You are still signed in. ${message}`);
  }
  onSignOut();
}

const Brand = () => (
  <a class="brand" href="/console">
    <img src={mark} alt="" /> Bonafide
  </a>
);

const Menu = ({ page }: { page: string }) => (
  <nav class="nav" aria-label="Pages">
    {MENU_SECTIONS.map(({ heading, pages }) => (
      <>
        {heading === '' ? null : <div class="nav-title">{heading}</div>}
        {pages.map(({ path, title, icon }) => (
          <a
            key={path}
            href={path === '' ? '/console' : `/console/${path}`}
            aria-current={path === page ? 'page' : undefined}
          >
            <Icon name={icon} /> {title}
          </a>
        ))}
      </>
    ))}
  </nav>
);

function skipToContent(event: Event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function ThemeButton() {
  const [theme, setTheme] = useState(getCurrentTheme);
  useEffect(() => {
    const update = () => setTheme(getCurrentTheme());
    addEventListener(THEME_CHANGED_EVENT, update);
    return () => removeEventListener(THEME_CHANGED_EVENT, update);
  }, []);
  return (
    <Button
      quiet
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={`Switch to ${theme === 'dark' ? 'light' : 'dark'} theme`}
      onClick={toggleTheme}
    />
  );
}
