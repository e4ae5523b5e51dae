// Small graphs of invented people, and the contract that every engine of an identity graph keeps.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import type {
  GraphAnswer,
  GraphQuery,
  IdentityGraph,
  KeepingGraph,
  QueryValue,
} from '../../src/graph/graph.ts';
import { recordIdentities } from '../../src/graph/explain.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { importRecords } from '../../src/import.ts';
import type { ImportSummary } from '../../src/import/progress.ts';
import { givenKey, nameKeys, prepareName } from '../../src/names/index.ts';
import type { Address } from '../../src/model.ts';
import { normaliseAddress } from '../../src/normalise/address.ts';
import { normaliseEmail } from '../../src/normalise/email.ts';
import { normalisePhone } from '../../src/normalise/phone.ts';
import { addressSignature, emailSignature } from '../../src/normalise/signature.ts';

/** One import record, as a line of a file would hold it. */
export interface Row {
  record_id: string;
  source?: string;
  identity?: string;
  name?: string;
  names?: string[];
  emails?: string[];
  phones?: string[];
  addresses?: Partial<Address>[];
  birth_date?: string;
  first_seen?: string;
  last_seen?: string;
}

/** A folder that several tests of a file share; gone when they are all done. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ImportRowsOptions {
  source?: string;
  dryRun?: boolean;
  rejects?: string;
  /** Called with the phase; may throw, which interrupts the import there. */
  onPhase?: (phase: 'reading' | 'linking' | 'publishing') => void;
}

/** Imports one or more files of rows into the graph of a folder. */
export async function importRows(
  folder: string,
  files: Row[][],
  options: ImportRowsOptions = {},
): Promise<ImportSummary> {
  const graph = options.dryRun ? null : openGraph({ dataDir: folder });
  try {
    return await importInto(graph, files, options);
  } finally {
    await graph?.close();
  }
}

/** Imports one or more files of rows into a graph; nowhere where it is null. */
export function importInto(
  graph: IdentityGraph | null,
  files: Row[][],
  { source = 'crm', onPhase, rejects }: ImportRowsOptions = {},
): Promise<ImportSummary> {
  const text = (rows: Row[]) => rows.map((row) => JSON.stringify({ source, ...row })).join('\n');
  return importRecords({
    graph,
    inputs: files.map((rows, i) => ({
      name: `file-${i + 1}.jsonl`,
      stream: Readable.from([Buffer.from(text(rows))]),
      bytes: null,
    })),
    region: 'US',
    rejects,
    onProgress: ({ phase }) => onPhase?.(phase),
  });
}

/** Runs `work` on a folder's graph. */
export async function operate<T>(folder: string, work: (graph: KeepingGraph) => T | Promise<T>): Promise<T> {
  const graph = openGraph({ dataDir: folder, create: false });
  try {
    return await work(graph);
  } finally {
    await graph.close();
  }
}

/** Identity number of every record of a folder's graph. */
export function identitiesOf(folder: string): Promise<Map<string, number | null>> {
  return operate(folder, identitiesIn);
}

/** Identity number of every record of a graph. */
export async function identitiesIn(graph: KeepingGraph): Promise<Map<string, number | null>> {
  const identities = new Map<string, number | null>();
  for await (const { record_id, identity } of recordIdentities(graph)) identities.set(record_id, identity);
  return identities;
}

/** Which records are together, whatever the numbers: sorted lists of record ids, sorted. */
export async function partitionOf(folder: string): Promise<string[]> {
  const groups = new Map<number | null, string[]>();
  for (const [record, identity] of await identitiesOf(folder))
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  return [...groups.values()].map((group) => group.sort().join(' ')).sort();
}

/** The query that a check of these values makes. */
export function queryOf(claim: {
  name?: string;
  emails?: string[];
  phones?: string[];
  addresses?: Partial<Address>[];
}): GraphQuery {
  const emails = (claim.emails ?? []).map((text): QueryValue => {
    const email = normaliseEmail(text)!;
    return { keys: email.keys, signature: emailSignature(email.standardized) };
  });
  const phones = (claim.phones ?? []).map((text): QueryValue => ({
    keys: normalisePhone(text, 'US')!.keys,
    signature: null,
  }));
  const addresses = (claim.addresses ?? []).map((parts): QueryValue => {
    const address = normaliseAddress({ ...NO_ADDRESS, ...parts }, 'US')!;
    return { keys: address.keys, signature: addressSignature(address.standardized) };
  });
  return {
    nameKeys: claim.name === undefined ? [] : nameKeys(prepareName(claim.name)),
    givenKey: claim.name === undefined ? null : givenKey(prepareName(claim.name)),
    values: [...emails, ...phones, ...addresses],
  };
}

export const NO_ADDRESS: Address = { street: '', street2: '', city: '', state: '', zip: '', country: '' };

const GIVEN =
  'Ada Boris Clara Dmitri Elspeth Farid Greta Hugo Imogen Jamal Keiko Lorenz Mabel Nadir Ottilie Pavel Quentin Rosalind Stellan Tamsin'.split(
    ' ',
  );
const FAMILY =
  'Abernathy Bartosz Calloway Drummond Eastlake Fairweather Grimaldi Hawksworth Ingersoll Jurgensen Kowalczyk Lindqvist Montefiore Nakagawa Oberholzer Pemberton Quarrington Rasmussen Silverstone Thackeray'.split(
    ' ',
  );
const STREET = 'Larch Juniper Quarry Orchard Mill Harbor Chapel Meadow Foundry Garden'.split(' ');

/** So many people (at most 400) of one record each, no two of whom have a name or a contact in common: what makes an agreement rare. */
export function strangers(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => {
    const [given, family] = [GIVEN[i % 20], FAMILY[Math.floor(i / 20) % 20]];
    return {
      record_id: `stranger-${i}`,
      name: `${given} ${family}`,
      emails: [`${given}.${family}.${i}@stranger.example`.toLowerCase()],
      phones: [`+1 303 ${200 + (i % 700)} ${1000 + i}`],
      addresses: [
        {
          street: `${100 + i} ${STREET[i % 10]} Street`,
          city: 'Denver',
          state: 'CO',
          zip: String(80_000 + i),
        },
      ],
      birth_date: `${1930 + (i % 70)}-${String(1 + (i % 12)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')}`,
    };
  });
}

/** What an engine must be filled with for `graphProblems`; labels say who is who, so that no linker is asked. */
export const CONTRACT_ROWS: Row[] = [
  {
    record_id: 'a1',
    identity: 'a',
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'rf.old@post.example'],
    phones: ['+1 503 234 0101'],
    addresses: [
      { street: '418 Alder Creek Road', street2: 'Apt 5', city: 'Portland', state: 'OR', zip: '97219' },
    ],
    first_seen: '2015-01-01',
    last_seen: '2018-01-01',
  },
  {
    record_id: 'a2',
    identity: 'a',
    source: 'shop',
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example'],
    phones: ['+1 503 234 0177'],
    first_seen: '2017-01-01',
    last_seen: '2024-06-01',
  },
  { record_id: 'b1', identity: 'b', name: 'Quentin Fairweather', phones: ['+1 503 234 0101'] },
  { record_id: 'c1', identity: 'c', name: 'Николай Сидоров', emails: ['sidorov@post.example'] },
  { record_id: 'd1', identity: 'd', emails: ['nameless@post.example'] },
  ...Array.from({ length: 60 }, (_, i): Row => ({
    record_id: `office-${i}`,
    identity: `office-${i}`,
    name: `${GIVEN[i % 20]} ${FAMILY[10 + Math.floor(i / 20)]}`,
    phones: ['+1 206 234 0199'],
  })),
];

/**
 * The clauses of the contract that an engine breaks, when it holds CONTRACT_ROWS; none when all is well. Any test runner can use it:
 *     expect(await graphProblems(engine)).toEqual([]);
 */
export async function graphProblems(graph: IdentityGraph): Promise<string[]> {
  const problems: string[] = [];
  const must = (clause: string, holds: boolean) => void (holds || problems.push(clause));
  const ask = async (claim: Parameters<typeof queryOf>[0]) => graph.resolve(queryOf(claim));
  const one = async (claim: Parameters<typeof queryOf>[0]) => (await ask(claim)).values[0];

  const whole = await ask({
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'nobody@nowhere.example'],
  });
  must('total counts the identities', whole.total === 64);
  must('a graph that is linked has nothing to warn of', (await graph.warnings()).length === 0);
  must(
    'one list per value, in the order asked; an unknown value has none',
    whole.values.length === 2 && whole.values[1].length === 0,
  );
  const [a] = whole.values[0];
  must(
    'an exact value resolves by its exact key, alone',
    whole.values[0].length === 1 && a?.type === 'email' && a.share === 1,
  );
  const card = whole.identities.get(a?.identity);
  must('the identities behind the hits are read', card?.names.join() === 'Rosalind Fairweather');
  must(
    'history spans all records',
    card?.firstSeen === Date.UTC(2015, 0, 1) && card.lastSeen === Date.UTC(2024, 5, 1),
  );
  must('records and sources are counted', card?.records === 2 && card.sources === 2);
  must(
    'the name finds its identity',
    whole.name.identities.includes(a?.identity) && whole.name.bearers === 1,
  );
  const primary = async (email: string) => (await one({ emails: [email] }))[0]?.primary;
  must(
    'the value that most records attest is primary',
    (await primary('rosalind@fairweather.example')) === true,
  );
  must('another value is not', (await primary('rf.old@post.example')) === false);
  must(
    'a mailbox matches whatever its tag',
    (await one({ emails: ['rosalind+x@fairweather.example'] }))[0]?.type === 'mailbox',
  );
  const address = {
    street: '418 alder creek rd',
    street2: 'unit 5',
    city: 'portland',
    state: 'Oregon',
    zip: '97219-1234',
  };
  must('a reformatted address is the same', (await one({ addresses: [address] }))[0]?.type === 'address');
  must(
    'an address without its unit is looser',
    (await one({ addresses: [{ ...address, street2: '' }] }))[0]?.type !== 'address',
  );
  must(
    'a street alone is the loosest',
    (await one({ addresses: [{ street: '418 Alder Creek Rd' }] }))[0]?.type === 'street',
  );
  const phone = await one({ phones: ['5032340101'] });
  must('a shared value tells its share', phone.length === 2 && phone.every((hit) => hit.share === 2));
  must('of one key, the lower number comes first', phone[0]?.identity < phone[1]?.identity);
  const slip = { emails: ['rosalnid@fairweather.example'] };
  must("an e-mail with a slip is nobody's without the name", (await one(slip)).length === 0);
  must(
    "and its bearer's with it",
    (await one({ ...slip, name: 'Rosalind Fairweather' }))[0]?.type === 'typo',
  );
  must(
    'a name in another script is found',
    (await ask({ name: 'Nikolai Sidorov' })).name.identities.length === 1,
  );
  const nameless = await ask({ emails: ['nameless@post.example'] });
  must(
    'an identity may have no name',
    nameless.identities.get(nameless.values[0][0]?.identity)?.names.length === 0,
  );
  problems.push(...(await crowdProblems(ask)));
  const none = await graph.resolve({ nameKeys: [], givenKey: null, values: [{ keys: [], signature: null }] });
  must(
    'a value without keys, and no name, resolve to nothing',
    none.values[0].length === 0 && none.name.identities.length === 0,
  );
  const again = await ask({
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'nobody@nowhere.example'],
  });
  must('the same question has the same answer', bytes(again) === bytes(whole));
  const stats = await graph.stats();
  must(
    'stats count records and identities',
    stats.records === CONTRACT_ROWS.length && stats.identities === 64,
  );
  return problems;
}

/** Of a phone that sixty share, the one is found whom the name or another value points to. */
async function crowdProblems(
  ask: (claim: Parameters<typeof queryOf>[0]) => Promise<GraphAnswer>,
): Promise<string[]> {
  const last = CONTRACT_ROWS.at(-1)!;
  const crowd = await ask({ name: last.name, phones: ['(206) 234-0199'] });
  const [named] = crowd.name.identities;
  const found = crowd.values[0].find((hit) => hit.identity === named);
  const right = found?.share === 60 && crowd.identities.get(named)?.names[0] === last.name;
  return right ? [] : ['of a value that very many share, its bearer by name is found'];
}

function bytes(answer: GraphAnswer): string {
  return JSON.stringify({ ...answer, identities: [...answer.identities] });
}
