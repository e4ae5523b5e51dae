import type { Agreement, Form, FormName, Identity, Sketch } from '../../model.ts';
import { BonafideError } from '../../errors.ts';
import {
  type GraphAnswer,
  type GraphQuery,
  type IdentityGraph,
  type QueryValue,
  NAME_LIMIT,
  SHARE_LIMIT,
} from '../graph.ts';
import { missing } from '../link/likeness.ts';
import type { Vault } from '../vault.ts';
import { type Db, openDatabase, readMeta, translated } from './database.ts';
import { choose, type Found, type PostingRow } from './candidates.ts';
import { graphStats } from './stats.ts';
import type { Gathered } from './identities.ts';

/** Identities without any contact in common that a slip is looked for in, because they may bear the name. */
const SLIPS_BY_NAME = 6;
/** One slip changes at most three letter pairs on a side (an exchange of two letters; Ukkonen 1992 for the general bound). */
const SLIP_PAIRS = 3;
/** Shorter than this, one slip leaves too little to recognise. */
const SLIP_LENGTH = 6;

type KnownSketch = Gathered['sketches'][number];
const NOBODY: Set<number> = new Set();

/** Of a value that more share, it is not asked which of them bear no name at all. */
const FEW = 8;

/**
 * The embedded engine: one SQLite file, read by prepared statements inside one read transaction for all checks of a turn of the
 * event loop (a transaction costs more than the look-ups in it).
 * Errors on opening: those of `openDatabase`. Errors of `resolve`: `graph_unavailable`, `damaged_database`.
 */
export function openSqliteGraph(options: { file: string; vault: Vault; create?: boolean }): IdentityGraph {
  const { file, vault } = options;
  const db = openDatabase({ file, vault, create: options.create ?? true });
  try {
    return translated(file, () => engineOn(db, options));
  } catch (error) {
    db.close();
    throw error;
  }
}

function engineOn(db: Db, { file, vault }: { file: string; vault: Vault }): IdentityGraph {
  const reads = turnReader(db);
  const posting = db.prepare(`SELECT id, meta FROM posting WHERE key = ? LIMIT ${SHARE_LIMIT + 1}`).raw();
  const identity = db
    .prepare('SELECT names, first_seen, last_seen, records, sources FROM identity WHERE id = ?')
    .raw();
  const nameless = db.prepare('SELECT 1 FROM identity WHERE id = ? AND names IS NULL').pluck();
  const member = db.prepare('SELECT meta FROM posting WHERE key = ? AND id = ?').pluck();
  const sketches = db.prepare('SELECT sketches FROM identity WHERE id = ?').pluck();
  const total = db.prepare("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'identities'").pluck();

  const lookUp = (form: FormName, text: string): Found => {
    const key = vault.key(form, text);
    const rows = posting.all(key) as PostingRow[];
    if (rows.length > 0 && rows[0][0] === 0) return { key, share: rows[0][1], rows: rows.slice(1) };
    return { key, share: rows.length, rows };
  };
  const readIdentity = (id: number): Identity | null => {
    const row = identity.get(id) as [Buffer | null, number | null, number | null, number, number] | undefined;
    if (!row) return null;
    const names = row[0] === null ? [] : vault.open(row[0]).split('\n');
    return { id, names, firstSeen: row[1], lastSeen: row[2], records: row[3], sources: row[4] };
  };
  const resolveValue = (value: QueryValue, candidates: Set<number>): Agreement[] => {
    const found = new Map<number, Agreement>();
    const add = (form: FormName, share: number, [id, meta]: PostingRow) => {
      const known = found.get(id);
      if (!known) found.set(id, { identity: id, form, primary: meta === 1, share });
      else if (meta === 1) known.primary = true;
    };
    for (const { form, text } of wantedForms(value.forms)) {
      const { key, share, rows } = lookUp(form, text);
      for (const row of rows) add(form, share, row);
      // Of a value that very many share, those are asked for by name that anything else points to.
      if (share > rows.length)
        for (const id of candidates) {
          const meta = member.get(key, id) as number | undefined;
          if (meta !== undefined) add(form, share, [id, meta]);
        }
    }
    return [...found.values()];
  };
  const readSketches = (id: number): KnownSketch[] => {
    const sealed = sketches.get(id) as Buffer | null | undefined;
    return sealed ? (JSON.parse(vault.open(sealed)) as KnownSketch[]) : [];
  };
  const slips = (sketch: Sketch, known: [id: number, sketches: KnownSketch[]][]): Agreement[] => {
    if (sketch.text.length < SLIP_LENGTH) return [];
    const anchor = vault.key('anchor', `${sketch.kind}|${sketch.anchor}`);
    let grams: number[] | undefined;
    const near = (one: KnownSketch) =>
      one.kind === sketch.kind &&
      one.anchor === anchor &&
      slipApart(one.grams, (grams ??= vault.grams(sketch.text)));
    const hits: Agreement[] = [];
    for (const [id, all] of known) {
      const found = all.find(near);
      if (found) hits.push({ identity: id, form: 'slip', primary: found.primary, share: 1 });
    }
    return hits;
  };
  const resolve = (query: GraphQuery): GraphAnswer => {
    const nameKeys = query.nameKeys.map((text) => lookUp('name', text));
    const named = namedBy(nameKeys);
    const values = resolveValues(query.values, named, resolveValue);
    const linked = new Set(values.flat().map((one) => one.identity));
    const both = named.filter((id) => linked.has(id));
    let known: [number, KnownSketch[]][] | undefined;
    query.values.forEach(({ sketch }, i) => {
      if (!sketch || values[i].length > 0) return;
      known ??= (both.length ? both : named.slice(0, SLIPS_BY_NAME)).map((id) => [id, readSketches(id)]);
      values[i] = slips(sketch, known);
    });
    const givenKey = query.givenKey === null ? null : vault.key('name', query.givenKey);
    const has = (key: number, id: number) => member.get(key, id) !== undefined;
    const { read, given } = choose({ values, named, nameKeys, givenKey, has });
    const identities = new Map<number, Identity>();
    for (const id of read) {
      const one = readIdentity(id);
      if (one) identities.set(id, one);
    }
    // Who bears no name has no key of it, and must not pass for somebody of another name.
    for (const { identity: id, share } of values.flat())
      if (share <= FEW && !identities.has(id) && nameless.get(id) !== undefined)
        identities.set(id, readIdentity(id)!);
    const name = { identities: named, bearers: nameKeys[0]?.share ?? 0, given };
    return { total: (total.get() as number | undefined) ?? 0, values, name, identities };
  };

  return {
    engine: 'sqlite',
    resolve: (query) => guarded(file, () => reads(() => resolve(query))),
    stats: () => guarded(file, () => graphStats(db)),
    ping: () => void guarded(file, () => readMeta(db, 'secret_check')),
    close: () => db.close(),
  };
}

/** A street alone says little beside a whole address: it is looked up only where nothing stricter was given. */
function wantedForms(forms: Form[]): Form[] {
  return forms.length > 1 ? forms.filter(({ form }) => form !== 'street') : forms;
}

/**
 * Values that few share are resolved first: they and the name say whom to look for among the many who share the others. The
 * order of the values does not matter: every value is resolved against the same candidates.
 */
function resolveValues(
  values: QueryValue[],
  named: number[],
  resolve: (value: QueryValue, candidates: Set<number>) => Agreement[],
): Agreement[][] {
  const first = values.map((value) => resolve(value, NOBODY));
  if (!first.some((agreements) => agreements.some((one) => one.share > SHARE_LIMIT))) return first;
  const narrow = first.flat().filter((one) => one.share <= SHARE_LIMIT);
  const candidates = new Set([...named, ...narrow.map((one) => one.identity)]);
  return values.map((value) => resolve(value, candidates));
}

/** Identities that a key of the name points to, the exact key's first. */
function namedBy(keys: Found[]): number[] {
  return [...new Set(keys.flatMap(({ rows }) => rows.map(([id]) => id)))].slice(0, NAME_LIMIT);
}

function slipApart(a: number[], b: number[]): boolean {
  return missing(a, b) <= SLIP_PAIRS && missing(b, a) <= SLIP_PAIRS;
}

/** Opens a read transaction for the first read of a turn of the event loop, and ends it after the turn. */
function turnReader(db: Db): <T>(read: () => T) => T {
  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')];
  return (read) => {
    if (!db.inTransaction) {
      begin.run();
      setImmediate(() => {
        if (db.open && db.inTransaction) commit.run();
      });
    }
    return read();
  };
}

function guarded<T>(file: string, work: () => T): T {
  try {
    return translated(file, work);
  } catch (error) {
    if (error instanceof BonafideError) {
      if (error.code === 'damaged_database') throw new BonafideError('graph_bad_response', error.message);
      throw new BonafideError('graph_unavailable', error.message);
    }
    throw error;
  }
}
