// Counts of how keys ask, by the hour. The writer thread loads this: raw statements only.
import type { Probes } from '../../accounts/harvest/watch.ts';
import type { HourOfProbes } from './gather.ts';
import type { Sql } from '../store.ts';

const ADD = `INSERT INTO probes (key, hour, checks, name_only, one_value, without_record, fresh, runs)
  VALUES (@key, @hour, @checks, @nameOnly, @oneValue, @withoutRecord, @fresh, @runs)
  ON CONFLICT (key, hour) DO UPDATE SET checks = probes.checks + excluded.checks,
    name_only = probes.name_only + excluded.name_only, one_value = probes.one_value + excluded.one_value,
    without_record = probes.without_record + excluded.without_record, fresh = probes.fresh + excluded.fresh,
    runs = probes.runs + excluded.runs`;

/** How long the counts of an hour are kept. */
const KEPT_MS = 30 * 86_400_000;

/** Prepares the writer's statement: adds counts to what is there, and removes those of long ago. */
export function probesKeeper(raw: Sql): (hours: readonly HourOfProbes[]) => void {
  const add = raw.prepare(ADD);
  const remove = raw.prepare('DELETE FROM probes WHERE hour < ?');
  const keep = raw.transaction((hours: readonly HourOfProbes[]) => {
    for (const hour of hours) add.run(hour);
    remove.run((hours[0]?.hour ?? 0) - KEPT_MS);
  });
  return (hours) => keep.immediate(hours);
}

/** Counts of every chain of keys since a moment (milliseconds), together. */
export function probesSince(raw: Sql, since: number): ({ key: string } & Probes)[] {
  return raw
    .prepare<[number], { key: string } & Probes>(
      `SELECT key, sum(checks) AS checks, sum(name_only) AS "nameOnly", sum(one_value) AS "oneValue",
         sum(without_record) AS "withoutRecord", sum(fresh) AS fresh, sum(runs) AS runs
       FROM probes WHERE hour > ? GROUP BY key ORDER BY key`,
    )
    .all(since - 3_600_000);
}
