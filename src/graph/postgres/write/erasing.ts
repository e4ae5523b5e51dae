// How records leave the tables for good, as far as it is in a database's hands.
import { setTimeout as pause } from 'node:timers/promises';
import type { GraphErasing } from '../../capabilities.ts';
import { NO_TRACES, keyEncodings } from '../../link-cache/erasing.ts';
import type { PostgresLinks } from '../index/links.ts';
import { KEPT } from '../schema.ts';
import type { SqlValue } from '../../sql/session.ts';
import type { PostgresSession } from '../session.ts';
import type { SuppressionList } from '../../sql/suppression-list.ts';

/** So long those who still see what was taken out are waited for: transactions of others, backups. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 200;
/** So long a table that somebody uses is waited for before it is written anew: checks wait behind that. */
const LOCK_TIMEOUT = '5s';

const BEYOND =
  'the database’s own files, its log, copies that follow it and backups may hold bytes of them for a while: the page PostgreSQL says for how long, and what ends it';

/** A partitioned table is taken for all its pieces. */
const DEAD = `
SELECT DISTINCT coalesce(i.inhparent::regclass::text, s.relid::regclass::text)
FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid
WHERE s.schemaname = 'bonafide' AND s.n_dead_tup > 0`;

const SIZE = `
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'bonafide' AND c.relkind = 'r'`;

const OWNED = `
SELECT bool_and(pg_has_role(c.relowner, 'USAGE')) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'bonafide' AND c.relkind IN ('r', 'p')`;

interface Erasing {
  session: PostgresSession;
  suppression: SuppressionList;
  links: Pick<PostgresLinks, 'erased'>;
}

export function erasingOn({ session, suppression, links }: Erasing): GraphErasing {
  const one = async <T extends SqlValue>(text: string) => (await session.query<[T]>(text))[0]?.[0] ?? null;
  return {
    unreachableCopies: BEYOND,
    suppress: (marks, time, name) =>
      session.runAtomically(async () => {
        await suppression.add(marks.map((mark) => [mark, time]));
        await session.query('UPDATE bonafide.graph SET overwriting = $1', [name]);
      }),
    countSuppressed: suppression.count,
    checkSuppressed: suppression.countMatches,
    pendingErasure: () => one<string | null>('SELECT overwriting FROM bonafide.graph'),
    finishErasure: async () => void (await one('UPDATE bonafide.graph SET overwriting = NULL')),
    collectTraces(rows) {
      const { sealed, keys } = links.erased?.collectTraces(rows) ?? NO_TRACES;
      return () => {
        const isUsed = links.erased?.isKeyUsed ?? (() => false);
        return [...sealed, ...keys.filter((key) => !isUsed(key)).flatMap(keyEncodings)];
      };
    },
    async emptyLogs() {
      // Who does not own a table is told nothing but a warning.
      if ((await one(OWNED)) !== true) return false;
      await session.query('SELECT pg_stat_force_next_flush()');
      let left = KEPT;
      for (const started = performance.now(); ; await pause(LOOK_EVERY_MS)) {
        await session.query(`VACUUM (INDEX_CLEANUP ON) ${left.join()}`);
        const dead = new Set((await session.query(DEAD)).map(([name]) => name));
        left = left.filter((name) => dead.has(name));
        if (left.length === 0) return links.erased?.emptyLog() ?? true;
        if (performance.now() - started > PATIENCE_MS) return false;
      }
    },
    async rewriteFiles() {
      await session.query('SELECT set_config($1, $2, false)', ['lock_timeout', LOCK_TIMEOUT]);
      try {
        for (const table of KEPT) await session.query(`VACUUM (FULL, ANALYZE) ${table}`);
      } finally {
        await session.query('SELECT set_config($1, $2, false)', ['lock_timeout', '0']);
      }
      links.erased?.rewriteFile();
    },
    rewriteBlocksChecks: true,
    sizeInBytes: async () => Number(await one(SIZE)),
  };
}
