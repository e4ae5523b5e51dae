// The sessions of the console: whose calls they are.
import { CONSOLE } from '../accounts/access.ts';
import type { FindSession } from '../http/console/session.ts';
import type { ConsoleDeps } from '../http/console/sign-in.ts';
import { callerFinder } from '../store/sqlite/keys/keys.ts';
import { openSessions, SESSION_MS } from '../store/sqlite/limits/sessions.ts';
import type { Parts } from './parts.ts';

/** A session is its key's for as long as the key works and may administer; one of a link is the machine's own. */
export function consoleOf({ store, limits, uses }: Parts): Pick<ConsoleDeps, 'sessions' | 'findSession'> {
  const sessions = openSessions(limits);
  const callerOf = callerFinder(store);
  const begin = (key: string | null, now: number) => ({
    token: sessions.begin(key, now),
    until: now + SESSION_MS,
  });
  const findSession: FindSession = (token, now) => {
    const session = sessions.find(token, now);
    if (!session) return null;
    const caller = session.key === null ? CONSOLE : callerOf(session.key, now);
    return caller?.scopes.includes('admin') ? caller : null;
  };
  return {
    findSession: uses.noting(findSession),
    sessions: {
      begin,
      beginWith: (link, now) => (sessions.spend(link, now) ? begin(null, now) : null),
      until: (token, now) => sessions.find(token, now)?.until ?? null,
      end: sessions.end,
    },
  };
}
