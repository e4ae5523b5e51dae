// What linking remembers, held against what linking all records anew finds.
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../link/counted/facts.ts';
import { factsToNumbers } from '../../link/counted/facts-numbers.ts';
import type { Totals } from '../../link/counted/survey.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { FoundPairs, LinkCacheBuilder, MeasuredPair } from '../linking.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { createInvariantCounter, type Invariant, type LinkVerifier } from '../verifying.ts';
import { countFacts, openFactTable } from './facts.ts';
import { damageError, toNumbers, readLinkMetaJson } from './link-file.ts';
import { createStagedEntries } from './builder.ts';
import { createRecentEntries } from './recent-entries.ts';
import { compareRows, iteratePages, iterateEntries, compareEntries } from './verify-entries.ts';

type Ask = (holds: boolean, times?: number) => void;
type Finished = Parameters<LinkCacheBuilder['finish']>[0];

/** See `unlessDamaged` of the keeper. */
type Unless = <T>(work: () => T) => T | null;

/**
 * Reads only.
 *
 * @param db of link.db, as of one moment
 * @param unlessDamaged whose null tells that the file is gone
 */
export function createLinkVerifier(db: Db, sealing: Sealing, unlessDamaged: Unless): LinkVerifier {
  const facts = createInvariantCounter('what linking remembers of a record is what the record says');
  const entries = createInvariantCounter('what is remembered of who shares a key is what the records say');
  const table = openFactTable(db, sealing);
  const young = createRecentEntries(db, table.get);
  young.load();
  const staged = createStagedEntries(dirname(db.name));
  let finished: Finished | undefined;
  let isThere = true;
  /** Of a file that is gone nothing is asked. */
  const unlessGone: Unless = (work) => {
    const found = isThere ? unlessDamaged(() => ({ of: work() })) : null;
    isThere = found !== null;
    return found && found.of;
  };
  return {
    add(row: number, one: Facts, numbers: Float64Array) {
      unlessGone(() => {
        const known = table.get(row);
        facts.check(known !== null && isDeepStrictEqual(factsToNumbers(known), [...numbers]));
      });
      staged.add(row, one);
    },
    *groups() {
      const held = unlessGone(() =>
        compareRows(
          iterateEntries(db, young.listEntries(), entries.check),
          { order: compareEntries, same: () => true },
          entries.check,
        ),
      );
      for (const piece of staged.pieces()) {
        unlessGone(() => piece.behind((key, person, row) => held?.expect([key, person, row])));
        yield piece.groups();
      }
      unlessGone(() => held?.end());
      staged.drop();
    },
    finish: (found) => (finished = found),
    listInvariants: (settled) =>
      unlessGone(() => {
        facts.check(false, countFacts(db, sealing) - facts.counted.of);
        if (!finished) throw new Error('the records were not linked');
        const found = [
          facts.counted,
          entries.counted,
          talliesHeld(db, finished.counts, young.listCounts()),
          totalsHeld(db, finished.totals),
        ];
        if (settled) found.push(globalsHeld(db, finished.globals), ...pairsHeld(db, finished.pairs));
        return found;
      }),
  };
}

/** That SQLite can read all of the file, and what identities were published with can be told. Errors: SQLITE_CORRUPT, and what SQLite throws. */
export function requireReadableLinkFile(db: Db): void {
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damageError();
  for (const keys of db.prepare<[], Buffer>('SELECT keys FROM published').pluck().iterate()) toNumbers(keys);
}

type Counted = [what: number, key: number, count: number];

/** @param young counts that are in no table yet, in the place of those that are */
function talliesHeld(db: Db, counts: Finished['counts'], young: Counted[]): Invariant {
  const { check: ask, counted } = createInvariantCounter(
    'what is remembered of how common things are is as common as they are',
  );
  const held = compareRows(talliesIn(db, young), { order: byKey, same: (a, b) => a[2] === b[2] }, ask);
  for (const [what, all] of counts) for (const [key, count] of all.entries()) held.expect([what, key, count]);
  held.end();
  return counted;
}

const byKey = (a: Counted, b: Counted) => a[0] - b[0] || a[1] - b[1];

function* talliesIn(db: Db, young: Counted[]): Generator<Counted> {
  const some = db
    .prepare<[number, number], Counted>(
      'SELECT what, key, count FROM tally WHERE (what, key) > (?, ?) ORDER BY what, key LIMIT 2000',
    )
    .raw();
  const last = young.sort(byKey);
  let at = 0;
  const isThere = ([, , count]: Counted) => count > 0;
  const all = iteratePages<Counted>(
    (after) => some.all(after?.[0] ?? -1, after?.[1] ?? Number.MIN_SAFE_INTEGER),
    byKey,
  );
  for (const one of all) {
    for (let next = last[at]; next && byKey(next, one) < 0; next = last[++at]) if (isThere(next)) yield next;
    const instead = last[at];
    if (!instead || byKey(instead, one) > 0) yield one;
    else if (++at && isThere(instead)) yield instead;
  }
  yield* last.slice(at).filter(isThere);
}

function totalsHeld(db: Db, totals: Totals): Invariant {
  const { check: ask, counted } = createInvariantCounter('what is remembered of all records together is so');
  ask(isDeepStrictEqual(readLinkMetaJson(db, 'totals'), totals));
  return counted;
}

function globalsHeld(db: Db, globals: string): Invariant {
  const { check: ask, counted } = createInvariantCounter(
    'the pairs were compared by what weighs in all of them',
  );
  ask(isDeepStrictEqual(readLinkMetaJson(db, 'globals'), JSON.parse(globals)));
  return counted;
}

function pairsHeld(db: Db, { joined, measured }: FoundPairs): Invariant[] {
  const [pairs, patterns] = [
    createInvariantCounter('the pairs that linking joins are remembered, with what speaks for them'),
    createInvariantCounter('the pairs that error rates are measured on are remembered'),
  ];
  bothWaysHeld(db, { table: 'joined', value: 'bits', pairs: joined }, pairs.check);
  bothWaysHeld(db, { table: 'measured', value: 'pattern', pairs: measured }, patterns.check);
  patternsHeld(db, measured, patterns.check);
  return [pairs.counted, patterns.counted];
}

interface BothWays {
  table: 'joined' | 'measured';
  value: 'bits' | 'pattern';
  pairs: Iterable<[a: number, b: number, value: number]>;
}

function bothWaysHeld(db: Db, { table, value, pairs }: BothWays, ask: Ask): void {
  const one = db
    .prepare<[number, number], number>(`SELECT ${value} FROM ${table} WHERE a = ? AND b = ?`)
    .pluck();
  let expected = 0;
  for (const [a, b, should] of pairs)
    for (const is of [one.get(a, b), one.get(b, a)]) {
      expected++;
      ask(is === should);
    }
  const all = db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  ask(false, all - expected);
}

function patternsHeld(db: Db, measured: MeasuredPair[], ask: Ask): void {
  const should = new Map<number, number>();
  for (const [, , pattern] of measured) should.set(pattern, (should.get(pattern) ?? 0) + 1);
  const there = new Map(db.prepare<[], [number, number]>('SELECT pattern, pairs FROM pattern').raw().all());
  for (const pattern of new Set([...should.keys(), ...there.keys()]))
    ask(should.get(pattern) === there.get(pattern));
}
