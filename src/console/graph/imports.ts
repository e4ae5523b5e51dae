// Files that are sent to the server to be analyzed, imported and undone.
import { get, post, postFile, withQuery } from '../app/api.ts';
import type {
  ImportColumn,
  ImportContents,
  ImportFile,
  ImportSettings,
  UndoableImport,
  UndoneImport,
} from '../app/types.ts';
import { formatNumber, plural } from '../components/format.ts';

export const IMPORTS = '/admin/v1/graph/imports';

/** Largest file that the server accepts. */
const MOST_BYTES = 256 * 1024 * 1024;
const POLL_MS = 400;

export const sendFile = (file: File): Promise<ImportFile> =>
  postFile(withQuery(IMPORTS, { name: file.name.slice(-200) }), file, {
    mostBytes: MOST_BYTES,
    command: 'bonafide graph import FILE',
  });

export const analyzeAgain = (id: string, settings: ImportSettings) =>
  post<ImportFile>(`${IMPORTS}/${id}/read`, settings);
export const startImport = (id: string, settings: ImportSettings) =>
  post<ImportFile>(`${IMPORTS}/${id}/start`, settings);
export const dropImport = (id: string) => post<ImportFile>(`${IMPORTS}/${id}/drop`);
export const undoLastImport = () => post<UndoneImport>('/admin/v1/graph/import/undo');

/** Returns the state of a file after a short time. */
export async function pollImport(id: string, signal: AbortSignal): Promise<ImportFile> {
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return get<ImportFile>(`${IMPORTS}/${id}`, signal);
}

export const isWorking = ({ state }: ImportFile): boolean => state === 'reading' || state === 'importing';

/** Returns the file to show first: the one that the server works on, else the newest. */
export const findCurrent = (files: ImportFile[]): ImportFile | null =>
  files.find(isWorking) ?? files[0] ?? null;

/** Settings that change how records are read. */
const READ_SETTINGS = ['map', 'source', 'region', 'dates', 'keep_companies'] as const;

/** True if records would be read in another way than they were. */
export const needsAnalysis = (next: ImportSettings, current: ImportSettings): boolean =>
  READ_SETTINGS.some((key) => (next[key] || '') !== (current[key] || ''));

/** Returns the settings that are not empty. */
export const withoutEmpty = (settings: ImportSettings): ImportSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '' && value !== undefined));

/** Returns the columns as the setting `map`, one line `field=Header` each. Headers that are empty or have several lines are left out. */
export const toMap = (columns: ImportColumn[]): string =>
  columns
    .filter(({ header }) => !/[\r\n]/.test(header) && header !== '')
    .map(({ header, field, group }) => {
      const target = field === null ? 'none' : group === '' ? field : `${field}.${group}`;
      return `${target}=${header}`;
    })
    .join('\n');

/** Fields that a column can contain. */
export const FIELDS = [
  ['', 'Not used'],
  ['record_id', 'Record ID'],
  ['name', 'Full name'],
  ['given', 'Given name'],
  ['middle', 'Middle name'],
  ['family', 'Family name'],
  ['suffix', 'Suffix (Jr., III)'],
  ['title', 'Title'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['address', 'Full address'],
  ['street', 'Street and number'],
  ['street2', 'Unit'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP'],
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

type Counts = Pick<ImportContents, 'read' | 'rejected' | 'companies' | 'guests' | 'columns'>;

/** Returns why a file has no record, or an empty string if it has records. */
export function describeEmptyFile(contents: Counts, bytes: number): string {
  const { read, rejected, companies, guests, columns } = contents;
  if (read + rejected + companies + guests > 0) return '';
  if (columns.length > 0) return 'The file has a header, but no rows. ';
  return bytes === 0 ? 'The file is empty. ' : 'The file has no records. ';
}

/** Joins the counts that are not zero: `1 company and 3 guests or tests`. */
export const listCounts = (...counts: [count: number, singular: string, many: string][]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, singular, many]) => plural(count, singular, many))
    .join(' and ');

/** Returns sentences about rows that were left out or merged. */
export function describeSkippedRows(contents: ImportContents): string[] {
  const { companies, guests, others, merged, shared_ids: shared } = contents;
  const rows: [count: number, text: string][] = [
    [companies, 'companies left out'],
    [guests, 'guest and test rows left out'],
    [others, 'rows that also name another person, whose name and address are left out'],
    [merged, 'rows merged into another row with the same ID'],
    [shared, 'IDs shared by several people, who get a record each'],
  ];
  return rows.filter(([count]) => count > 0).map(([count, text]) => `${formatNumber(count)} ${text}`);
}

/** Returns what undoing the last import would do. */
export const describeUndo = ({ added, replaced, removed }: Omit<UndoableImport, 'at'>): string =>
  `Removes ${plural(added, 'added record')}, restores ${formatNumber(replaced)} replaced and ${formatNumber(removed)} removed.`;

/** Returns what undoing the last import did. */
export const describeUndone = ({ removed, restored, left, records, identities }: UndoneImport): string =>
  `Import undone: ${plural(removed, 'record')} removed, ${formatNumber(restored)} restored, ${formatNumber(left)} changed since and kept. ` +
  `The graph has ${plural(records, 'record')} and ${plural(identities, 'identity', 'identities')}.`;
