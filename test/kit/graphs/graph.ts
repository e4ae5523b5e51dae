// Small graphs of invented people.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import type { GraphQuery, IdentityGraph, RecordStoringGraph } from '../../../src/graph/graph.ts';
import { listRecordIdentities } from '../../../src/graph/inspect.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importRecords } from '../../../src/import.ts';
import type { ImportSummary } from '../../../src/import/summary.ts';
import { getGivenNameKey, getNameKeys, prepareName } from '../../../src/names/index.ts';
import type { Address } from '../../../src/model.ts';
import { buildGraphQuery } from '../../../src/match/graph-query.ts';
import { normaliseContact } from '../../../src/normalise/contact.ts';

/** One import record, in the format of a line of a file. */
export interface Row {
  record_id: string;
  deleted?: true;
  source?: string;
  identity?: string;
  name?: string;
  names?: string[];
  emails?: string[];
  phones?: string[];
  addresses?: Partial<Address>[];
  birth_date?: string;
  birth_place?: string;
  gender?: string;
  title?: string;
  identifiers?: { type: string; value: string; country?: string }[];
  first_seen?: string;
  last_seen?: string;
}

/** Creates a folder for several tests of a file. It is removed after the last of them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ImportRowsOptions {
  source?: string;
  dryRun?: boolean;
  rejects?: string;
  settle?: boolean;
  replace?: boolean;
  /** Source of rows without a source, as the option `--source` gives it. */
  said?: string;
  threads?: number | undefined;
  journal?: object;
  allowReturn?: boolean;
  /** Called with the phase; may throw, which interrupts the import there. */
  onPhase?: (phase: 'reading' | 'linking' | 'publishing') => void;
}

/** Imports one or more files of rows into the graph of a folder. */
export async function importRows(
  folder: string,
  files: Row[][],
  options: ImportRowsOptions = {},
): Promise<ImportSummary> {
  const graph = options.dryRun ? null : openSqliteGraph({ dataDir: folder });
  try {
    return await importInto(graph, files, options);
  } finally {
    await graph?.close();
  }
}

/** Imports one or more files of rows into a graph; a dry run if it is null. */
export function importInto(
  graph: IdentityGraph | null,
  files: Row[][],
  { source = 'crm', onPhase, ...options }: ImportRowsOptions = {},
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
    rejects: options.rejects,
    settle: options.settle,
    replace: options.replace,
    source: options.said,
    journal: options.journal,
    allowReturn: options.allowReturn,
    threads: options.threads,
    onProgress: ({ phase }) => onPhase?.(phase),
  });
}

/** Runs `work` on the graph of a folder. */
export async function operate<T>(
  folder: string,
  work: (graph: RecordStoringGraph) => T | Promise<T>,
): Promise<T> {
  const graph = openSqliteGraph({ dataDir: folder, create: false });
  try {
    return await work(graph);
  } finally {
    await graph.close();
  }
}

/** Returns the identity number of every record of a folder's graph, by record id. */
export function identitiesOf(folder: string): Promise<Map<string, number | null>> {
  return operate(folder, identitiesIn);
}

/** Returns the identity number of every record of a graph, by record id. */
export async function identitiesIn(graph: RecordStoringGraph): Promise<Map<string, number | null>> {
  const identities = new Map<string, number | null>();
  for await (const { record_id, identity } of listRecordIdentities(graph))
    identities.set(record_id, identity);
  return identities;
}

/** Returns the partition of the records, without identity numbers: sorted lists of record ids, sorted. */
export async function partitionOf(folder: string): Promise<string[]> {
  const groups = new Map<number | null, string[]>();
  for (const [record, identity] of await identitiesOf(folder))
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  return [...groups.values()].map((group) => group.sort().join(' ')).sort();
}

/** Values of a check. */
export interface Submitted {
  name?: string | undefined;
  emails?: string[] | undefined;
  phones?: string[] | undefined;
  addresses?: Partial<Address>[] | undefined;
}

/** Returns the query that a check of these values makes. */
export function queryOf({ name, emails = [], phones = [], addresses = [] }: Submitted): GraphQuery {
  const contacts = [
    ...emails.map((text) => normaliseContact('email', text, 'US')),
    ...phones.map((text) => normaliseContact('phone', text, 'US')),
    ...addresses.map((parts) => normaliseContact('address', { ...NO_ADDRESS, ...parts }, 'US')),
  ];
  const known = contacts.filter((contact) => contact !== null);
  const { values } = buildGraphQuery(known);
  return {
    name: name ?? '',
    region: 'US',
    nameKeys: name === undefined ? [] : getNameKeys(prepareName(name)),
    givenNameKey: name === undefined ? null : getGivenNameKey(prepareName(name)),
    hasSuffix: name !== undefined && prepareName(name).generation > 0,
    values: [
      ...contacts.map((contact) => {
        const value = contact && values[known.indexOf(contact)];
        return value ?? { keys: [], signature: null, raw: null };
      }),
      ...values.slice(known.length),
    ],
  };
}

export const NO_ADDRESS: Address = { street: '', street2: '', city: '', state: '', zip: '', country: '' };

export const GIVEN =
  'Ada Boris Clara Dmitri Elspeth Farid Greta Hugo Imogen Jamal Keiko Lorenz Mabel Nadir Ottilie Pavel Quentin Rosalind Stellan Tamsin'.split(
    ' ',
  );
export const FAMILY =
  'Abernathy Bartosz Calloway Drummond Eastlake Fairweather Grimaldi Hawksworth Ingersoll Jurgensen Kowalczyk Lindqvist Montefiore Nakagawa Oberholzer Pemberton Quarrington Rasmussen Silverstone Thackeray'.split(
    ' ',
  );
const STREET = 'Larch Juniper Quarry Orchard Mill Harbor Chapel Meadow Foundry Garden'.split(' ');

/** Returns people (at most 400) of one record each. No two of them have a name or a contact in common, so that an agreement is rare. */
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
