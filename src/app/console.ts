import { CONSOLE_LINK_CALLER } from '../accounts/access.ts';
import type { FindCallerBySession } from '../http/console/session.ts';
import type { ConsoleSessionDeps } from '../http/console/sign-in.ts';
import { CONSOLE_SESSION_MS } from '../store/serving/sessions.ts';
import type { AppComponents } from './parts.ts';

/**
 * Creates the functions for console sessions. The session of an API key ends when the key is revoked or loses the scope `admin`. The session of
 * a sign-in link has the rights of the machine's operator.
 */
export function createConsoleSessionDeps({
  calls,
  uses,
}: AppComponents): Pick<ConsoleSessionDeps, 'sessions' | 'findSession'> {
  const { sessions, findCaller } = calls;
  const begin = async (key: string | null, now: number) => ({
    token: await sessions.beginSession(key, now),
    until: now + CONSOLE_SESSION_MS,
  });
  const findSession: FindCallerBySession = async (token, now) => {
    const session = await sessions.findSession(token, now);
    if (!session) return null;
    const caller = session.key === null ? CONSOLE_LINK_CALLER : await findCaller(session.key, now);
    return caller?.scopes.includes('admin') ? caller : null;
  };
  return {
    findSession: uses.trackLookups(findSession),
    sessions: {
      begin,
      beginWith: async (link, now) => ((await sessions.spendLink(link, now)) ? begin(null, now) : null),
      until: async (token, now) => (await sessions.findSession(token, now))?.until ?? null,
      end: sessions.endSession,
    },
  };
}
