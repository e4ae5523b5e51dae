import { postJson, postFileWithSizeLimit, appendQueryParameters } from '../app/api.ts';
import type {
  ImportColumn,
  ImportContents,
  ImportFile,
  ImportSettings,
  UndoableImport,
  UndoneImport,
} from '../app/types.ts';
import { formatNumber, formatCount } from '../components/format.ts';

export const IMPORTS_PATH = '/admin/v1/graph/imports';

/** Maximum size in bytes of a file that the server accepts for an import. */
const MAX_BYTES = 256 * 1024 * 1024;

export const sendImportFile = (file: File): Promise<ImportFile> =>
  postFileWithSizeLimit(appendQueryParameters(IMPORTS_PATH, { name: file.name.slice(-200) }), file, {
    maxBytes: MAX_BYTES,
    command: 'bonafide graph import FILE',
  });

export const analyzeFileAgain = (id: string, settings: ImportSettings) =>
  postJson<ImportFile>(`${IMPORTS_PATH}/${id}/read`, settings);
export const startImport = (id: string, settings: ImportSettings) =>
  postJson<ImportFile>(`${IMPORTS_PATH}/${id}/start`, settings);
export const discardImport = (id: string) => postJson<ImportFile>(`${IMPORTS_PATH}/${id}/drop`);
export const undoLastImport = () => postJson<UndoneImport>('/admin/v1/graph/import/undo');

export const isReadingOrImporting = ({ state }: ImportFile): boolean =>
  state === 'reading' || state === 'importing';

/** Returns the file that the server is working on, or else the newest file; null if there are none. */
export const findCurrentImportFile = (files: ImportFile[]): ImportFile | null =>
  files.find(isReadingOrImporting) ?? files[0] ?? null;

/** Label of each import setting on this page, by the option name in the server's texts. */
const OPTION_LABELS: Record<string, string> = {
  '--encoding': '“Encoding” below',
  '--sheet': '“Sheet” below',
  '--region': '“Default country” below',
};

/** Replaces the names of command options in a text of the server by the labels on this page. */
export const replaceOptionNamesByLabels = (text: string): string =>
  text.replace(/option (--\w+)|--\w+/g, (option, name?: string) => OPTION_LABELS[name ?? option] ?? option);

/** Formats a text of the server as a sentence, with the labels of this page for option names. A file name at its start keeps its spelling. */
export function formatServerMessage(text: string): string {
  const labelled = replaceOptionNamesByLabels(text);
  return `${/^\S+\.\w+: /.test(text) ? labelled : labelled.charAt(0).toUpperCase() + labelled.slice(1)}.`;
}

const READ_SETTINGS = ['map', 'source', 'region', 'encoding', 'sheet', 'dates', 'keep_companies'] as const;

export const needsNewAnalysis = (next: ImportSettings, current: ImportSettings): boolean =>
  READ_SETTINGS.some((key) => (next[key] || '') !== (current[key] || ''));

export const removeEmptySettings = (settings: ImportSettings): ImportSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '' && value !== undefined));

/** Formats the columns as the setting `map`, with one line `field=Header` each. Empty and multi-line headers are left out. */
export const formatColumnMapSetting = (columns: ImportColumn[]): string =>
  columns
    .filter(({ header }) => !/[\r\n]/.test(header) && header !== '')
    .map(({ header, field, group }) => {
      const target = field === null ? 'none' : group === '' ? field : `${field}.${group}`;
      return `${target}=${header}`;
    })
    .join('\n');

export const COLUMN_FIELD_OPTIONS = [
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
  ['identifier', 'National ID or other identifier'],
  ['first_seen', 'First seen'],
  ['last_seen', 'Last seen'],
  ['source', 'Source'],
  ['identity', 'Identity, if known'],
  ['deleted', 'Deleted'],
] as const;

type Counts = Pick<
  ImportContents,
  'read' | 'rejected' | 'companies' | 'households' | 'guests' | 'totals' | 'columns'
>;

/** Describes why a file has no records; an empty text if it has records. */
export function describeEmptyFile(contents: Counts, bytes: number): string {
  const { read, rejected, companies, households, guests, totals, columns } = contents;
  if (read + rejected + companies + households + guests + totals > 0) return '';
  if (columns.length > 0) return 'The file has a header, but no rows. ';
  return bytes === 0 ? 'The file is empty. ' : 'The file has no records. ';
}

type RejectionCounts = Pick<
  ImportContents,
  'rejected' | 'dropped' | 'companies' | 'households' | 'guests' | 'unusable'
>;

/** Describes how much of a file is not imported. `hidden` is the number of these rows and values that the server does not list in `unusable`. */
export function describeRejections(contents: RejectionCounts): { title: string; hidden: number } {
  const { rejected, dropped, companies, households, guests, unusable } = contents;
  const leftOut = companies + households + guests;
  const counts = [
    ...(rejected > 0 ? [formatCount(rejected, 'record')] : []),
    ...(dropped > 0 ? [formatCount(dropped, 'value')] : []),
  ];
  return {
    title: [
      ...(counts.length > 0 ? [`${counts.join(' and ')} rejected`] : []),
      ...(leftOut > 0 ? [`${formatCount(leftOut, 'row')} left out`] : []),
    ].join(', '),
    hidden: rejected + dropped + leftOut - unusable.length,
  };
}

/** Lists the counts of rows that were left out or merged, one line per reason. */
export function listSkippedRowDescriptions(contents: ImportContents): string[] {
  const { companies, households, guests, totals, others, merged, shared_ids: shared } = contents;
  const rows: [count: number, text: string][] = [
    [companies, 'Companies left out'],
    [households, 'Couples and families left out'],
    [guests, 'Guest and test rows left out'],
    [totals, 'Rows of the table itself, such as totals, left out'],
    [others, 'Rows that also name another person, whose name and address are left out'],
    [merged, 'Rows merged into another row with the same ID'],
    [shared, 'IDs shared by several people, who get a record each'],
  ];
  return rows.filter(([count]) => count > 0).map(([count, text]) => `${text}: ${formatNumber(count)}`);
}

export const describePossibleUndo = ({ added, replaced, removed }: Omit<UndoableImport, 'at'>): string =>
  `Removes ${formatCount(added, 'added record')}, restores ${formatNumber(replaced)} replaced and ${formatNumber(removed)} removed.`;

export const describeCompletedUndo = ({
  removed,
  restored,
  left,
  records,
  identities,
}: UndoneImport): string =>
  `Import undone: ${formatCount(removed, 'record')} removed, ${formatNumber(restored)} restored, ${formatNumber(left)} changed since and kept. ` +
  `The graph has ${formatCount(records, 'record')} and ${formatCount(identities, 'identity', 'identities')}.`;
