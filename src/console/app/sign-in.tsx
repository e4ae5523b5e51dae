// Signing in with an admin key, or with the link that `bonafide console link` prints.
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { ErrorNote, Note } from '../components/feedback.tsx';
import { TextField } from '../components/form.tsx';
import mark from '../style/mark.svg';
import { postJson, type ApiProblem } from './api.ts';
import { useAction } from './hooks.ts';
import type { ConsoleSession } from './types.ts';

/** Returns the token of a sign-in link, and removes it from the address bar and the history. Null without a token. */
export function takeSignInToken(): string | null {
  const [, token = null] = /^#link=([0-9A-Za-z]+)$/.exec(location.hash) ?? [];
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Calls `onLink` with the token of a sign-in link that the user pastes into the address bar of an open page. */
export function usePastedSignInLink(onLink: (token: string) => void): void {
  useEffect(() => {
    const check = () => {
      const token = takeSignInToken();
      if (token !== null) onLink(token);
    };
    addEventListener('hashchange', check);
    return () => removeEventListener('hashchange', check);
  }, [onLink]);
}

export const signIn = (credentials: { key: string } | { link: string }): Promise<ConsoleSession> =>
  postJson('/console/session', credentials);

interface SignInPageProps {
  onSignedIn(session: ConsoleSession): void;
  hasEnded: boolean;
  /** Error of a sign-in link; null without a link or an error. */
  problem: ApiProblem | null;
}

export function SignInPage({ onSignedIn, hasEnded, problem }: SignInPageProps) {
  const [key, setKey] = useState('');
  const action = useAction();
  useEffect(() => void (document.title = 'Sign in – Bonafide'), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => onSignedIn(await signIn({ key: key.trim() })));
  };
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="brand">
          <img src={mark} alt="" /> Bonafide
        </div>
        <form class="card" onSubmit={submit}>
          <div>
            <h1>Sign in</h1>
            <p class="soft">
              Use a live API key with the scope <code>admin</code>. Test keys, such as the demo prints, cannot
              sign in.
            </p>
          </div>
          {hasEnded ? <Note>Your session has ended. Sign in again to continue.</Note> : null}
          <ErrorNote problem={action.problem ?? problem} />
          <TextField
            label="Admin API key"
            type="password"
            isMono
            value={key}
            onChange={setKey}
            placeholder="bf_live_…"
            required
          />
          <Button primary disabled={action.isRunning || key.trim() === ''}>
            {action.isRunning ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        <p class="small soft foot">
          No admin key? Run <code>bonafide console link</code> on the server and open the link that it prints.
        </p>
      </div>
    </main>
  );
}
