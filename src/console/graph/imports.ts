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
  failed: { code: string; detail: string } | null;
}

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
  const response = await reach(`/admin/v1/graph/imports?name=${encodeURIComponent(file.name.slice(-200))}`, {
    method: 'POST',
    headers: { ...MARK, 'Content-Type': 'application/octet-stream' },
    body: file,
  });
  return (await response.json()) as Import;
}

const path = (id: string, act = '') => `/admin/v1/graph/imports/${id}${act && `/${act}`}`;

export const readAgain = (id: string, reading: Reading) => post<Import>(path(id, 'read'), reading);
export const startImport = (id: string, reading: Reading) => post<Import>(path(id, 'start'), reading);
export const dropImport = (id: string) => ask<Import>('POST', path(id, 'drop'));
export const undoImport = () =>
  post<{ removed: number; restored: number; left: number }>('/admin/v1/graph/import/undo');

const LOOK_EVERY_MS = 400;

/** Looks how it stands until it has come to something. */
export async function follow(begun: Import, onStep: (at: Import) => void): Promise<Import> {
  let at = begun;
  onStep(at);
  while (at.state === 'reading' || at.state === 'importing') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    at = await get<Import>(path(at.id));
    onStep(at);
  }
  return at;
}

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
