// Who is signed in to the console, and the links that sign somebody in once: of each only a digest is kept, and for how long it is good.
import { hashKey, randomBase62 } from '../../accounts/key-text.ts';
import type { SqlConnection } from '../store.ts';
import type { LimitStore } from './limiter.ts';
import { onceFor } from '../../platform/sqlite.ts';

/** How long somebody stays signed in, and how long a link is good: milliseconds. */
export const SESSION_MS = 12 * 3_600_000;
export const LINK_MS = 30 * 60_000;

/** So long that none is ever guessed: 238 bits. */
const TOKEN_CHARACTERS = 40;

export interface ConsoleSession {
  /** The id of the key that it was begun with; null for one that was begun with a link, by whoever works on the machine. */
  key: string | null;
  /** When it ends: milliseconds since 1970. */
  until: number;
}

export interface ConsoleSessions {
  /** Makes a link's token. */
  link(now: number): string;
  /** Whether a link is good; from then on it is not. */
  spend(token: string, now: number): boolean;
  /** Begins a session, and answers its token. */
  begin(key: string | null, now: number): string;
  find(token: string, now: number): ConsoleSession | null;
  end(token: string): void;
  /** How many sessions there are now. */
  count(now: number): number;
}

const statements = onceFor((db: SqlConnection) => ({
  addLink: db.prepare('INSERT INTO links (hash, until) VALUES (?, ?)'),
  spend: db.prepare('DELETE FROM links WHERE hash = ? AND until > ?'),
  add: db.prepare('INSERT INTO sessions (hash, key, until) VALUES (?, ?, ?)'),
  find: db.prepare<[Buffer, number], ConsoleSession>(
    'SELECT key, until FROM sessions WHERE hash = ? AND until > ?',
  ),
  end: db.prepare('DELETE FROM sessions WHERE hash = ?'),
  count: db.prepare<[number], number>('SELECT count(*) FROM sessions WHERE until > ?').pluck(),
  tidyLinks: db.prepare('DELETE FROM links WHERE until <= ?'),
  tidySessions: db.prepare('DELETE FROM sessions WHERE until <= ?'),
}));

/** The sessions of a data folder, shared by all that serve it. Errors, of each: store_unavailable. */
export function openSessions(limits: LimitStore): ConsoleSessions {
  return {
    link: (now) =>
      limits.change((db) => {
        const { tidyLinks, addLink } = statements(db);
        const token = randomBase62(TOKEN_CHARACTERS);
        tidyLinks.run(now);
        addLink.run(hashKey(token), now + LINK_MS);
        return token;
      }),
    spend: (token, now) => limits.change((db) => statements(db).spend.run(hashKey(token), now).changes > 0),
    begin: (key, now) =>
      limits.change((db) => {
        const { tidySessions, add } = statements(db);
        const token = randomBase62(TOKEN_CHARACTERS);
        tidySessions.run(now);
        add.run(hashKey(token), key, now + SESSION_MS);
        return token;
      }),
    find: (token, now) => limits.change((db) => statements(db).find.get(hashKey(token), now) ?? null),
    end: (token) => limits.change((db) => void statements(db).end.run(hashKey(token))),
    count: (now) => limits.change((db) => statements(db).count.get(now) ?? 0),
  };
}
