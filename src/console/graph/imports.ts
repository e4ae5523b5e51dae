// A file that is sent to the server, which reads it, imports it and takes it back.
import { ask, get, MARK, post, Problem, reach } from '../api/ask.ts';

export interface Column {
  header: string;
  field: string | null;
  group: string;
  examples: string[];
}

export interface Found {
  form: { packing: string | null; kind: string | null; encoding: string } | null;
  columns: Column[];
  read: number;
  rejected: number;
  dropped: number;
  companies: number;
  guests: number;
  others: number;
  merged: number;
  shared_ids: number;
  sources: { source: string; records: number }[];
  learnt: string[];
  unusable: { line: number; whole: boolean; reason: string }[];
  became: {
    added: number;
    replaced: number;
    removed: number;
    barred: number;
    records: number;
    identities: number;
  } | null;
}

export interface Import {
  id: string;
  name: string;
  bytes: number;
  state: 'reading' | 'ready' | 'importing' | 'done' | 'failed' | 'dropped';
  progress: { phase: 'reading' | 'linking' | 'publishing'; records: number; done: number | null } | null;
  found: Found | null;
  failed: Refusal | null;
  /** How it was read last. */
  reading: Reading;
}

interface Refusal {
  code: string;
  detail: string;
}

/** What can be taken back. */
export interface Undoable {
  at: string;
  added: number;
  replaced: number;
  removed: number;
}

export interface Undone {
  removed: number;
  restored: number;
  left: number;
  records: number;
  identities: number;
}

/** What the server has of files that were sent, whoever sent them. */
export interface Imports {
  items: Import[];
  undo: Undoable | null;
  /** Why none can be imported. */
  refused: Refusal | null;
}

export const IMPORTS = '/admin/v1/graph/imports';

/** How a file is to be read. */
export interface Reading {
  map?: string;
  source?: string;
  region?: string;
  dates?: 'dmy' | 'mdy' | 'ymd';
  keep_companies?: boolean;
  replace?: boolean;
}

/** The most that the server takes. */
export const MOST_BYTES = 256 * 1024 * 1024;

export async function sendFile(file: File): Promise<Import> {
  if (file.size > MOST_BYTES)
    throw new Problem({
      status: 0,
      code: 'body_too_large',
      detail: 'The file is larger than 256 MB. Import it on the machine: bonafide graph import FILE',
    });
  const response = await reach(`${IMPORTS}?name=${encodeURIComponent(file.name.slice(-200))}`, {
    method: 'POST',
    headers: { ...MARK, 'Content-Type': 'application/octet-stream' },
    body: file,
  });
  return (await response.json()) as Import;
}

const path = (id: string, act = '') => `${IMPORTS}/${id}${act && `/${act}`}`;

export const readAgain = (id: string, reading: Reading) => post<Import>(path(id, 'read'), reading);
export const startImport = (id: string, reading: Reading) => post<Import>(path(id, 'start'), reading);
export const dropImport = (id: string) => ask<Import>('POST', path(id, 'drop'));
export const undoImport = () => post<Undone>('/admin/v1/graph/import/undo');

const LOOK_EVERY_MS = 400;

/** How it stands a moment later. */
export async function lookLater(id: string, signal: AbortSignal): Promise<Import> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  return get<Import>(path(id), signal);
}

export const isAtWork = ({ state }: Import): boolean => state === 'reading' || state === 'importing';

/** What somebody who comes to the page is shown of the files that were sent: the one at work, else the last one. */
export const shownOf = (items: Import[]): Import | null => items.find(isAtWork) ?? items[0] ?? null;

/** What of a reading says how records are read. */
const READ_BY = ['map', 'source', 'region', 'dates', 'keep_companies'] as const;

/** Whether records would be read in another way than they were. */
export const isOtherwise = (said: Reading, read: Reading): boolean =>
  READ_BY.some((key) => (said[key] || '') !== (read[key] || ''));

/** What is said of a reading, without what was left empty. */
export const saidOf = (reading: Reading): Reading =>
  Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== '' && value !== undefined));

/** The columns as the server takes them, a line each. A header over several lines cannot be said, nor one that is not shown. */
export function mapOf(columns: Column[]): string {
  return columns
    .filter(({ header }) => !/[\r\n]/.test(header) && header !== '')
    .map(
      ({ header, field, group }) =>
        `${field === null ? 'none' : group === '' ? field : `${field}.${group}`}=${header}`,
    )
    .join('\n');
}

/** What a column can hold. */
export const FIELDS = [
  ['', 'not used'],
  ['record_id', 'Record id'],
  ['name', 'Whole name'],
  ['given', 'Given name'],
  ['middle', 'Middle name'],
  ['family', 'Family name'],
  ['suffix', 'Suffix (Jr., III)'],
  ['title', 'Title'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['address', 'Whole address'],
  ['street', 'Street, number'],
  ['street2', 'Flat, unit'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'Postcode'],
  ['plus4', 'ZIP+4'],
  ['country', 'Country'],
  ['birth_date', 'Birth date'],
  ['birth_place', 'Birth place'],
  ['gender', 'Gender'],
  ['first_seen', 'First seen'],
  ['last_seen', 'Last seen'],
  ['source', 'Source'],
  ['identity', 'Identity, if known'],
] as const;
