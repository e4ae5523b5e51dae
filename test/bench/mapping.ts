// Benefit of memory-mapped reading of the graph: the same look-ups, alternately on a connection that maps the file and on one that reads it.
// `node test/bench/mapping.ts [millions of keys]`; only the ratios are meaningful.
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const millions = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'bonafide-mapping-'));
const file = join(folder, 'graph.db');
const COUNT = millions * 1_000_000;
/** Number of look-ups of a check with four values, and with sixteen. */
const KEYS = [12, 40];
const ROUNDS = 60;
const CHECKS = 100;

const made = new Database(file);
made.pragma('journal_mode = WAL');
made.exec(`
  CREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
  INSERT INTO posting SELECT abs(random()) >> 11, i * 2 FROM n ORDER BY 1`);
made.close();

function reader(mapped: boolean, cacheKiB: number, count: number) {
  const db = new Database(file);
  db.pragma(`mmap_size = ${mapped ? 8_589_934_592 : 0}`);
  db.pragma(`cache_size = -${cacheKiB}`);
  const values = Array.from({ length: count }, () => '(?)').join();
  const select = db.prepare(`SELECT ids FROM (VALUES ${values}) LEFT JOIN posting ON key = column1`).pluck();
  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')];
  return (checks: number[][]) => {
    const start = process.cpuUsage();
    for (const keys of checks) {
      begin.run();
      select.all(keys);
      commit.run();
    }
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
}

const db = new Database(file, { readonly: true });
const known = db.prepare<[], number>(`SELECT key FROM posting WHERE key % 7 = 0 LIMIT 2000000`).pluck().all();
db.close();
const pick = () => known[Math.floor(Math.random() * known.length)] ?? 0;

console.log(
  `${COUNT} keys, ${Math.round(statSync(file).size / 2 ** 20)} MiB; processor time of a check's look-ups, µs`,
);
for (const count of KEYS) {
  const kinds = {
    'mapped, 64 MiB cache': reader(true, 65_536, count),
    'read, 64 MiB cache': reader(false, 65_536, count),
    'read, 256 MiB cache': reader(false, 262_144, count),
  };
  const spent = new Map(Object.keys(kinds).map((kind) => [kind, 0]));
  for (let round = 0; round < ROUNDS; round++) {
    const checks = Array.from({ length: CHECKS }, () => Array.from({ length: count }, pick));
    for (const [kind, read] of Object.entries(kinds)) {
      const took = read(checks);
      // The first rounds fill the caches.
      if (round >= ROUNDS / 3) spent.set(kind, (spent.get(kind) ?? 0) + took);
    }
  }
  const each = (kind: string) => (spent.get(kind) ?? 0) / (CHECKS * ((ROUNDS * 2) / 3));
  const mapped = each('mapped, 64 MiB cache');
  for (const kind of spent.keys())
    console.log(
      `${count} keys, ${kind}: ${each(kind).toFixed(1)} (${(each(kind) / mapped).toFixed(2)} of mapped)`,
    );
}
rmSync(folder, { recursive: true });
