// The databases and the secret.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { isSecretOf } from '../../graph/sqlite/database.ts';
import { readMeta } from '../../graph/sqlite/meta.ts';
import { RECORDS_VERSION, VERSION } from '../../graph/sqlite/schema.ts';
import { requireRememberedFiles } from '../../platform/data-folder.ts';
import type { Db } from '../../platform/sqlite.ts';
import { getStoreVersion } from '../../store/sqlite/open.ts';
import { damageText, findDamage } from '../integrity.ts';
import { SECRET_FILE, DERIVED_FILES } from '../data-files.ts';
import { databasesIn, using, type DatabaseFile, checkSlices } from '../sqlite/databases.ts';
import { bad, fine, GOES_ON, warning, type Finding } from './finding.ts';
import { LINK_FILE_KIND } from '../../graph/link-cache/link-file.ts';

const BEGIN = {
  'graph.db': 'Import records, or restore a backup.',
  'store.db': 'Make a key: bonafide keys create --name NAME',
};
const VERSIONS = {
  'graph.db': () => VERSION,
  'records.db': () => RECORDS_VERSION,
  'store.db': getStoreVersion,
};
const RESTORE = 'Stop the server and restore a backup: bonafide restore FILE --force';

const NEEDED = ['graph.db', 'store.db'] as const;
export type DatabaseName = (typeof NEEDED)[number];

/** Is there what a server needs, is it ours, of a version we know, and whole? */
export async function checkDatabases(
  folder: string,
  elsewhere: readonly DatabaseName[],
  onSlice: (done: number) => void,
): Promise<Finding[]> {
  const found = databasesIn(folder);
  const missing = NEEDED.filter(
    (name) => !found.some((one) => one.name === name) && !elsewhere.includes(name),
  );
  const findings = missing.map((name): Finding => {
    if (isLost(folder, name)) return bad(name, 'It is gone.', RESTORE);
    return warning(name, 'It is not there.', BEGIN[name]);
  });
  findings.push(...(await checkRecordsThere(found)));
  for (const one of found) findings.push(await checkVersion(one));
  findings.push(...(await checkCopyWhole(found)));
  const damages = await findDamage(folder, { slowly: false, onSlice });
  if (damages.length === 0 && found.length > 0)
    findings.push(fine('integrity', 'every table and index is whole'));
  // One that cannot be opened was told already.
  const told = findings.filter(({ state }) => state === 'bad').map(({ check }) => check);
  for (const damage of damages)
    if (damage.table !== null || !told.includes(damage.name))
      findings.push(bad('integrity', damageText(damage), RESTORE));
  return findings;
}

/** A graph whose records are gone answers checks, and nothing else. */
async function checkRecordsThere(found: DatabaseFile[]): Promise<Finding[]> {
  const graph = found.find(({ name }) => name === 'graph.db');
  if (!graph || found.some(({ name }) => name === 'records.db')) return [];
  // A graph that cannot be opened is reported elsewhere.
  const isMadeOfSome = await using(
    graph,
    (db) => isOfThisVersion(db) && Number(readMeta(db, 'identities')) > 0,
  ).catch(() => false);
  const says = 'It is gone: checks are answered, but nothing can be imported, linked or looked at.';
  return isMadeOfSome ? [bad('records.db', says, `Put it back. ${RESTORE}`)] : [];
}

/** A graph that migrate-to did not finish is refused by servers and commands. */
async function checkCopyWhole(found: DatabaseFile[]): Promise<Finding[]> {
  const graph = found.find(({ name }) => name === 'graph.db');
  const isHalf =
    graph &&
    (await using(graph, (db) => isOfThisVersion(db) && readMeta(db, 'copied_of') !== null).catch(
      () => false,
    ));
  const says = 'It is a copy of another graph that was interrupted, or still goes on.';
  return isHalf ? [bad('graph.db', says, GOES_ON)] : [];
}

const isOfThisVersion = (db: Db) => db.pragma('user_version', { simple: true }) === VERSION;

/** Did a folder hold what this file held? */
function isLost(folder: string, name: 'graph.db' | 'store.db'): boolean {
  try {
    requireRememberedFiles(folder, name === 'graph.db' ? 'records' : 'keys');
    return false;
  } catch {
    return true;
  }
}

async function checkVersion(one: DatabaseFile): Promise<Finding> {
  const known = VERSIONS[one.name]();
  try {
    const version = await using(one, (db) => Number(db.pragma('user_version', { simple: true })));
    if (version === known) return fine(one.name, `version ${version}`);
    if (version > known)
      return bad(
        one.name,
        `It is of version ${version}, and this program knows ${known}.`,
        'Run the newer Bonafide that wrote it.',
      );
    return bad(
      one.name,
      `It is of version ${version}, and this program reads version ${known} only.`,
      one.name === 'store.db' ? RESTORE : 'Move the file away and import the records again.',
    );
  } catch (error) {
    const says = error instanceof BonafideError ? error.message : 'It cannot be opened.';
    return bad(one.name, says, RESTORE);
  }
}

/** Does the secret belong to the graph? */
export async function checkSecret(folder: string, given: string | undefined): Promise<Finding> {
  const file = join(folder, SECRET_FILE);
  const graph = databasesIn(folder).find(({ name }) => name === 'graph.db');
  const secret = given ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
  const from = given === undefined ? file : 'BONAFIDE_SECRET';
  const back = `Put back the secret that the graph was made with, as ${file} or in BONAFIDE_SECRET.`;
  if (secret === undefined)
    return graph
      ? bad('secret', 'There is none, and the graph cannot be read.', back)
      : fine('secret', 'none yet');
  if (!/^[0-9a-f]{64}$/i.test(secret))
    return bad('secret', `${from} is not 64 hexadecimal characters.`, back);
  if (!graph) return fine('secret', from);
  // A graph that cannot be opened is told elsewhere.
  const fits = await using(graph, (db) => isSecretOf(db, secret)).catch(() => true);
  return fits
    ? fine('secret', `${from}; keep a copy of it apart`)
    : bad('secret', `${from} is not the graph's.`, back);
}

// What linking remembers: nothing is lost with it.
/** Is it whole? No finding where there is none. */
export async function checkLinks(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of DERIVED_FILES) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const isWhole = await using({ file, kind: LINK_FILE_KIND }, (db) =>
      [...checkSlices(db)].every(({ wrong }) => wrong.length === 0),
    ).catch(() => false);
    const says = 'It is damaged. No check needs it.';
    const todo = 'Delete it while nothing imports: the next import makes it again from the records.';
    findings.push(isWhole ? fine(name, 'whole') : warning(name, says, todo));
  }
  return findings;
}
