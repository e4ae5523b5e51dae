// Signing in: with a key, or with the link that the address holds.
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import type { Problem } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { TextField } from '../parts/form.tsx';
import { Note, Trouble } from '../parts/parts.tsx';
import mark from '../style/mark.svg';

export interface Session {
  key: string | null;
  until: string;
}

/** The token of a link; the address forgets it at once, so that neither history nor a shared screen keeps it. */
export function linkInAddress(): string | null {
  const [, token = null] = /^#link=([0-9A-Za-z]+)$/.exec(location.hash) ?? [];
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Tells of a link that is pasted into the address of a page that is open: such a change loads nothing. */
export function useLinks(onLink: (link: string) => void): void {
  useEffect(() => {
    const look = () => {
      const link = linkInAddress();
      if (link !== null) onLink(link);
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, [onLink]);
}

export const signIn = (by: { key: string } | { link: string }) =>
  ask<Session>('POST', '/console/session', by);

export function Gate({
  onIn,
  ended,
  problem,
}: {
  onIn(session: Session): void;
  ended: boolean;
  problem: Problem | null;
}) {
  const [key, setKey] = useState('');
  const act = useAct();
  useEffect(() => void (document.title = 'Sign in – Bonafide'), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void act.run(async () => onIn(await signIn({ key: key.trim() })));
  };
  return (
    <main class="gate">
      <div class="gate-card">
        <div class="brand">
          <img src={mark} alt="" /> Bonafide
        </div>
        <form class="card" onSubmit={submit}>
          <div>
            <h1>Sign in</h1>
            <p class="soft">
              With a live API key of the scope <code>admin</code>. A test key, such as the demo prints,
              administers nothing.
            </p>
          </div>
          {ended ? <Note>The session has ended. Sign in again to go on where you were.</Note> : null}
          <Trouble problem={act.problem ?? problem} />
          <TextField
            label="Admin key"
            type="password"
            mono
            value={key}
            change={setKey}
            placeholder="bf_live_…"
            required
          />
          <button class="button primary" disabled={act.busy || key.trim() === ''}>
            {act.busy ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
        <p class="small soft foot">
          No key at hand? On the machine, <code>bonafide console link</code> prints a link that opens this
          page signed in.
        </p>
      </div>
    </main>
  );
}
