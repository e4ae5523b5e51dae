// What an import is going to take the columns of a table for, in a form that may stand on a screen.
import { plain } from './cells/plain.ts';
import { type Column, type ColumnField, mapText, shownHeaders } from './columns/columns.ts';

export interface PlannedColumn {
  /** As it may be shown. */
  header: string;
  /** Null where it is not used. */
  field: ColumnField | null;
  /** Which of several addresses it belongs to. */
  group: string;
  /** Up to three values of the first rows, masked. */
  examples: string[];
}

export interface Plan {
  input: string;
  columns: PlannedColumn[];
  /** The sources that the first rows name, and how many rows each; null where no column tells. */
  sources: { source: string; rows: number }[] | null;
  /** Further columns, which are not used and of which it is not sure that their headers are no value. */
  more: number;
  /** The columns as `--map` takes them. */
  map: string;
}

const EXAMPLES = 3;
const LONGEST = 28;

/** The plan for a table with these headers, columns and first rows. */
export function planOf(
  input: string,
  {
    headers,
    columns,
    samples,
    shown,
    more = 0,
  }: {
    headers: string[];
    columns: (Column | null)[];
    samples: readonly (readonly string[])[];
    more?: number;
    /** The headers as they may be shown; told by themselves unless given. */
    shown?: string[];
  },
): Plan {
  const fields = columns.map((column) => column?.field ?? null);
  const planned = (shown ?? shownHeaders(headers, fields)).map((header, i) => ({
    header: plain(header),
    field: fields[i] ?? null,
    group: plain(columns[i]?.group ?? ''),
    examples: examplesOf(samples, i),
  }));
  const sources = sourcesIn(columns, samples);
  return { input, columns: planned, sources, more, map: mapText(headers, columns) };
}

function sourcesIn(columns: (Column | null)[], samples: readonly (readonly string[])[]): Plan['sources'] {
  const place = columns.findIndex((column) => column?.field === 'source');
  if (place < 0) return null;
  const rows = new Map<string, number>();
  for (const row of samples) {
    const source = row[place]?.trim() ?? '';
    if (source !== '') rows.set(source, (rows.get(source) ?? 0) + 1);
  }
  return Array.from(rows, ([source, count]) => ({ source, rows: count }));
}

function examplesOf(samples: readonly (readonly string[])[], index: number): string[] {
  const found = new Set<string>();
  for (const row of samples) {
    const value = row[index]?.trim() ?? '';
    if (value !== '') found.add(masked(value));
    if (found.size === EXAMPLES) break;
  }
  return [...found];
}

/** The shape of a value: letters are `x` or `X`, digits `9`, and only the signs of contacts and dates stay. `Jane.Doe@example.com` → `Xxxx.Xxx@xxxxxxx.xxx`. */
export function masked(value: string): string {
  const shape = value
    .slice(0, LONGEST)
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}\p{M}]/gu, (letter) => (letter === 'X' ? letter : 'x'))
    .replace(/\p{N}/gu, '9')
    .replace(/[^xX9@.,:;+()/#&' -]/gu, '·');
  return value.length > LONGEST ? `${shape}…` : shape;
}
