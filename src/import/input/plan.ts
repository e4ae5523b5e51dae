// What an import is going to take the columns of a table for, in a form that may stand on a screen.
import { maskValue, toPlainText } from '../columns/cells.ts';
import { type Column, type ColumnField, formatColumnMap, displayHeaders } from '../columns/columns.ts';

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

export interface ColumnPlan {
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

/** The plan for a table with these headers, columns and first rows. */
export function planColumns(
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
): ColumnPlan {
  const fields = columns.map((column) => column?.field ?? null);
  const planned = (shown ?? displayHeaders(headers, fields)).map((header, i) => ({
    header: toPlainText(header),
    field: fields[i] ?? null,
    group: toPlainText(columns[i]?.group ?? ''),
    examples: examplesOf(samples, i),
  }));
  const sources = sourcesIn(columns, samples);
  return { input, columns: planned, sources, more, map: formatColumnMap(headers, columns) };
}

function sourcesIn(
  columns: (Column | null)[],
  samples: readonly (readonly string[])[],
): ColumnPlan['sources'] {
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
    if (value !== '') found.add(maskValue(value));
    if (found.size === EXAMPLES) break;
  }
  return [...found];
}
