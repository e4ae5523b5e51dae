import { BonafideError } from '../../errors.ts';
import { NO_NOISE, type Noise } from '../../link/noise.ts';
import { explainPair, type Why } from '../../link/why.ts';
import type { GraphStats } from '../graph.ts';
import type { Vault } from '../vault.ts';
import { type Db, openDatabase, readMeta, translated } from './database.ts';
import { recordTable, type RecordRow } from './records.ts';
import { graphStats, graphWarnings } from './stats.ts';

/** One identity for an operator's eyes; never a contact value, which the graph does not have. */
export interface IdentityCard {
  identity: number;
  /** The number that was asked for, where another stands for it now. */
  mergedFrom: number | null;
  names: string[];
  firstSeen: number | null;
  lastSeen: number | null;
  records: { recordId: string; source: string }[];
}

export interface Operator {
  stats(): GraphStats;
  /** What makes checks weaker than they could be: a sentence each. */
  warnings(): string[];
  /** Every record id and its identity, in the order of import. */
  identities(): Iterable<{ record_id: string; source: string; identity: number | null }>;
  /** The evidence for and against two records being one person. Errors: `not_found`, `invalid_arguments` (not unique). */
  why(a: string, b: string): Why;
  /** Follows redirects of merged identities. Error: `not_found`. */
  show(identity: number): IdentityCard;
  close(): void;
}

/** What an operator asks of the embedded graph. Errors on opening: those of `openDatabase`. */
export function openOperator({ file, vault }: { file: string; vault: Vault }): Operator {
  const db = openDatabase({ file, vault, create: false });
  const table = translated(file, () => recordTable(db, vault));
  return {
    stats: () => translated(file, () => graphStats(db)),
    warnings: () => translated(file, () => graphWarnings(db)),
    *identities() {
      const rows = table.rows();
      for (;;) {
        const { value, done } = translated(file, () => rows.next());
        if (done) return;
        yield { record_id: value.recordId, source: value.source, identity: value.identity };
      }
    },
    why: (a, b) =>
      translated(file, () =>
        explainPair({ table, vault, noise: noiseOf(db), a: find(table, a), b: find(table, b) }),
      ),
    show: (identity) => translated(file, () => show(db, vault, identity)),
    close: () => db.close(),
  };
}

/** How noisy the records were found to be when they were linked last. */
function noiseOf(db: Db): Noise {
  return { ...NO_NOISE, ...(JSON.parse(readMeta(db, 'link_noise') ?? '{}') as Partial<Noise>) };
}

/** A record by its id, or by `source:id` where two sources use one id. */
function find(table: ReturnType<typeof recordTable>, text: string): RecordRow {
  const rows = table.byRef(text);
  for (let colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1))
    rows.push(...table.byRef(text.slice(colon + 1)).filter((row) => row.source === text.slice(0, colon)));
  if (rows.length === 1) return rows[0];
  if (rows.length === 0) throw new BonafideError('not_found', `There is no record ${text} in the graph.`);
  const sources = rows.map((row) => row.source).join(', ');
  throw new BonafideError(
    'invalid_arguments',
    `Several sources have a record ${text} (${sources}): say SOURCE:${text}.`,
  );
}

function show(db: Db, vault: Vault, asked: number): IdentityCard {
  const read = db.prepare('SELECT id, merged_into, names, first_seen, last_seen FROM identity WHERE id = ?');
  let row = read.get(asked) as IdentityRow | undefined;
  if (row && row.merged_into !== null) row = read.get(row.merged_into) as IdentityRow | undefined;
  if (!row) throw new BonafideError('not_found', `There is no identity ${asked} in the graph.`);
  return {
    identity: row.id,
    mergedFrom: row.id === asked ? null : asked,
    names: row.names === null ? [] : vault.open(row.names).split('\n'),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    records: recordTable(db, vault)
      .byIdentity(row.id)
      .map(({ recordId, source }) => ({ recordId, source })),
  };
}

interface IdentityRow {
  id: number;
  merged_into: number | null;
  names: Buffer | null;
  first_seen: number | null;
  last_seen: number | null;
}
