import type { Agreement, Form, FormName, Identity, Sketch } from '../../model.ts';
import { BonafideError } from '../../errors.ts';
import { type GraphAnswer, type GraphQuery, type IdentityGraph, NAME_LIMIT } from '../graph.ts';
import { missing } from '../link/likeness.ts';
import type { Vault } from '../vault.ts';
import { type Db, openDatabase, readMeta, translated } from './database.ts';
import { choose } from './candidates.ts';
import { type Found, lookUps, type LookUps } from './lookup.ts';
import { graphStats } from './stats.ts';
import { type Gathered, NAMELESS } from './identities.ts';

/** Identities without any contact in common that a slip is looked for in, because they may bear the name. */
const SLIPS_BY_NAME = 6;
/** One slip changes at most three letter pairs on a side (an exchange of two letters; Ukkonen 1992 for the general bound). */
const SLIP_PAIRS = 3;
/** Shorter than this, one slip leaves too little to recognise. */
const SLIP_LENGTH = 6;

type KnownSketch = Gathered['sketches'][number];

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
  const look = lookUps(db, vault);
  const identity = db
    .prepare('SELECT names, first_seen, last_seen, records, sources FROM identity WHERE id = ?')
    .raw();
  const sketches = db.prepare('SELECT sketches FROM identity WHERE id = ?').pluck();
  const total = db.prepare("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'identities'").pluck();

  const readIdentity = (id: number): Identity | null => {
    const row = identity.get(id) as [Buffer | null, number | null, number | null, number, number] | undefined;
    if (!row) return null;
    const names = row[0] === null ? [] : vault.open(row[0]).split('\n');
    return { id, names, firstSeen: row[1], lastSeen: row[2], records: row[3], sources: row[4] };
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
      // Never the primary value: what is on record is written otherwise.
      if (all.some(near)) hits.push({ identity: id, form: 'slip', primary: false, share: 1 });
    }
    return hits;
  };
  const resolve = (query: GraphQuery): GraphAnswer => {
    const { nameKeys, nameless, values: found } = lookUpAll(query, look);
    const named = namedBy(nameKeys);
    const values = agreementsOf(found, named, look);
    const linked = new Set(values.flat().map((one) => one.identity));
    const both = named.filter((id) => linked.has(id));
    let known: [number, KnownSketch[]][] | undefined;
    query.values.forEach(({ sketch }, i) => {
      if (!sketch || values[i].length > 0) return;
      known ??= (both.length ? both : named.slice(0, SLIPS_BY_NAME)).map((id) => [id, readSketches(id)]);
      values[i] = slips(sketch, known);
    });
    const givenKey = query.givenKey === null ? null : vault.key('name', query.givenKey);
    const has = (key: number, id: number) => look.meta(key, id) !== undefined;
    const { read, given } = choose({ values, named, nameKeys, nameless, givenKey, has });
    const identities = new Map<number, Identity>();
    for (const id of read) {
      const one = readIdentity(id);
      if (one) identities.set(id, one);
    }
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

interface FoundForm extends Found {
  form: FormName;
}

/** Everything that a query asks for, in one go: keys of the name, identities without a name, and the forms of each value. */
function lookUpAll(query: GraphQuery, look: LookUps) {
  const names = query.nameKeys.map((text): Form => ({ form: 'name', text }));
  const wanted = query.values.map(({ forms }) => wantedForms(forms));
  const found = look.all([...names, NAMELESS, ...wanted.flat()]);
  let at = names.length + 1;
  const values = wanted.map((forms) => forms.map(({ form }): FoundForm => ({ ...found[at++], form })));
  return { nameKeys: found.slice(0, names.length), nameless: found[names.length], values };
}

/** A street alone says little beside a whole address: it is looked up only where nothing stricter was given. */
function wantedForms(forms: Form[]): Form[] {
  return forms.length > 1 ? forms.filter(({ form }) => form !== 'street') : forms;
}

/**
 * Who each value is linked to, by its strictest form. Of a value that very many share the first ones are read, and those are asked for
 * that the name or a value of few points to; all values are resolved against the same ones, so their order does not matter.
 */
function agreementsOf(values: FoundForm[][], named: number[], look: LookUps): Agreement[][] {
  const isWide = ({ share, rows }: FoundForm) => share > rows.length;
  const candidates = new Set<number>();
  if (values.some((forms) => forms.some(isWide))) {
    for (const id of named) candidates.add(id);
    for (const found of values.flat()) if (!isWide(found)) for (const [id] of found.rows) candidates.add(id);
  }
  return values.map((forms) => {
    const agreed = new Map<number, Agreement>();
    const add = ({ form, share }: FoundForm, id: number, meta: number) => {
      const known = agreed.get(id);
      if (!known) agreed.set(id, { identity: id, form, primary: meta === 1, share });
      else if (meta === 1) known.primary = true;
    };
    for (const found of forms) {
      for (const [id, meta] of found.rows) add(found, id, meta);
      if (isWide(found))
        for (const id of candidates) {
          const meta = look.meta(found.key, id);
          if (meta !== undefined) add(found, id, meta);
        }
    }
    return [...agreed.values()];
  });
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
