// The frame of every page: where one is, where one can go, who is signed in.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { Icon } from '../parts/icons.tsx';
import { ago } from '../parts/text.ts';
import mark from '../style/mark.svg';
import type { Session } from './gate.tsx';
import { PAGES } from './pages.tsx';
import { CHANGED, switchTheme, themeNow } from './theme.ts';

interface ShellProps {
  page: string;
  session: Session;
  onOut(): void;
  children: ComponentChildren;
}

export function Shell({ page, session, onOut, children }: ShellProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [page]);
  const signOut = () => void ask('DELETE', '/console/session').then(onOut, onOut);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        To the page
      </a>
      <div class="shell">
        <header class="bar">
          <Brand />
          <div class="row">
            <ThemeButton />
            <button
              type="button"
              class="button icon quiet"
              aria-expanded={open}
              aria-controls="side"
              aria-label={open ? 'Close the menu' : 'Open the menu'}
              onClick={() => setOpen(!open)}
            >
              <Icon name={open ? 'close' : 'menu'} />
            </button>
          </div>
        </header>
        <aside class={`side ${open ? 'open' : ''}`} id="side" aria-label="Menu">
          <Brand />
          <nav class="nav" aria-label="Pages">
            {PAGES.map(({ path, title, icon, group }, i) => (
              <>
                {group !== undefined && PAGES[i - 1]?.group !== group ? (
                  <div class="nav-title">{group}</div>
                ) : null}
                <a
                  key={path}
                  href={`/console${path === '' ? '' : `/${path}`}`}
                  aria-current={path === page ? 'page' : undefined}
                >
                  <Icon name={icon} /> {title}
                </a>
              </>
            ))}
          </nav>
          <div class="side-end">
            <a
              class="button quiet small"
              href="/docs"
              target="_blank"
              rel="noreferrer"
              style={{ justifyContent: 'flex-start' }}
            >
              <Icon name="book" /> Documentation
            </a>
            <div class="who">
              <div class="cut">
                {session.key === null ? 'Signed in with a link' : <code>{session.key}</code>}
              </div>
              <div class="faint">for {ago(session.until).replace(/^in /, '')} more</div>
            </div>
            <div class="row">
              <button type="button" class="button quiet small" onClick={signOut}>
                <Icon name="out" /> Sign out
              </button>
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

const Brand = () => (
  <a class="brand" href="/console">
    <img src={mark} alt="" /> Bonafide
  </a>
);

function skip(event: Event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function ThemeButton() {
  const [theme, set] = useState(themeNow);
  useEffect(() => {
    const follow = () => set(themeNow());
    addEventListener(CHANGED, follow);
    return () => removeEventListener(CHANGED, follow);
  }, []);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      class="button icon quiet"
      aria-label={`Show it ${other}`}
      title={`Show it ${other}`}
      onClick={switchTheme}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}
