// Console sessions, and sign-in links that are valid once. Tokens are stored only as hashes.
import { hashApiKeyToBytes, createRandomBase62 } from '../../accounts/key-text.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';

/** Lifetime of a console session, in milliseconds. */
export const CONSOLE_SESSION_MS = 12 * 3_600_000;
/** Lifetime of a sign-in link, in milliseconds. */
export const SIGN_IN_LINK_MS = 30 * 60_000;

/** Maximum difference between the clocks of the servers of a store, in milliseconds. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Returns the earliest and the latest end that a valid session or link can have. A later end means that it was created before the clock was set back.
 */
const getValidEnds = (now: number, lifetimeMs: number): [number, number] => [
  now + 1,
  now + lifetimeMs + CLOCK_SKEW_MS,
];

/** Number of characters of a token. They contain 238 random bits, so that nobody can guess a token. */
const TOKEN_LENGTH = 40;

export interface ConsoleSession {
  /** Id of the API key with which the user signed in; null for a link that the command line created. */
  key: string | null;
  /** End of the session, in milliseconds since 1970. */
  until: number;
}

/** Console sessions and sign-in links of a store. Times are milliseconds since 1970. Errors of each function: store_unavailable. */
export interface ConsoleSessionStorage {
  createLink(now: number): string;
  /** Marks a sign-in link as used. Returns false if the link is unknown, expired or already used. */
  spendLink(token: string, now: number): boolean;
  beginSession(key: string | null, now: number): string;
  findSession(token: string, now: number): ConsoleSession | null;
  endSession(token: string): void;
  countSessions(now: number): number;
}

const statements = preparePerConnection((db: SqlConnection) => ({
  addLink: db.prepare('INSERT INTO links (hash, until) VALUES (?, ?)'),
  spendLink: db.prepare('DELETE FROM links WHERE hash = ? AND until BETWEEN ? AND ?'),
  add: db.prepare('INSERT INTO sessions (hash, key, until) VALUES (?, ?, ?)'),
  find: db.prepare<[Buffer, number, number], ConsoleSession>(
    'SELECT key, until FROM sessions WHERE hash = ? AND until BETWEEN ? AND ?',
  ),
  end: db.prepare('DELETE FROM sessions WHERE hash = ?'),
  count: db
    .prepare<[number, number], number>('SELECT count(*) FROM sessions WHERE until BETWEEN ? AND ?')
    .pluck(),
  removeExpiredLinks: db.prepare('DELETE FROM links WHERE until NOT BETWEEN ? AND ?'),
  removeExpired: db.prepare('DELETE FROM sessions WHERE until NOT BETWEEN ? AND ?'),
}));

type Change = <T>(work: (db: SqlConnection) => T) => T;

/** Opens the storage of console sessions and sign-in links. All processes of a store share it. */
export function createConsoleSessionStorage(change: Change): ConsoleSessionStorage {
  return {
    createLink: (now) =>
      change((db) => {
        const token = createRandomBase62(TOKEN_LENGTH);
        statements(db).removeExpiredLinks.run(...getValidEnds(now, SIGN_IN_LINK_MS));
        statements(db).addLink.run(hashApiKeyToBytes(token), now + SIGN_IN_LINK_MS);
        return token;
      }),
    spendLink: (token, now) =>
      change(
        (db) =>
          statements(db).spendLink.run(hashApiKeyToBytes(token), ...getValidEnds(now, SIGN_IN_LINK_MS))
            .changes > 0,
      ),
    beginSession: (key, now) =>
      change((db) => {
        const token = createRandomBase62(TOKEN_LENGTH);
        statements(db).removeExpired.run(...getValidEnds(now, CONSOLE_SESSION_MS));
        statements(db).add.run(hashApiKeyToBytes(token), key, now + CONSOLE_SESSION_MS);
        return token;
      }),
    findSession: (token, now) =>
      change(
        (db) =>
          statements(db).find.get(hashApiKeyToBytes(token), ...getValidEnds(now, CONSOLE_SESSION_MS)) ?? null,
      ),
    endSession: (token) => change((db) => void statements(db).end.run(hashApiKeyToBytes(token))),
    countSessions: (now) =>
      change((db) => statements(db).count.get(...getValidEnds(now, CONSOLE_SESSION_MS)) ?? 0),
  };
}
