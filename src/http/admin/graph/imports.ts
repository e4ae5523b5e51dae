import * as v from 'valibot';
import type { ImportState, ImportReadOptions } from '../../../admin/graph/imports.ts';
import type { GraphReportResults } from '../../../admin/graph/reports.ts';
import { fromSnakeCaseJson, toIsoTime, toSnakeCaseJson } from '../../../admin/wire.ts';
import { RECORDS_FILE_BODY_FORMAT, writeBodyToFile } from '../../body.ts';
import type { Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';

const recordsFileSchema = s.openApiText(
  'FileOfRecords',
  'The file, in any format of the page [Importing records](/docs/importing), compressed or not.',
);

export const fileNameParameterSchema = s.createFileNameSchema(
  'Name of the file. Its ending tells the format; the name is the source of records that name none.',
);

/** Schema of a query parameter or field with a country, such as `US`. */
export const regionSchema = s.string('Country (ISO 3166) of numbers and addresses that name none.', {
  pattern: /^[A-Z]{2}$/,
  form: 'a country code in capital letters, such as US',
});

export const importReadOptionsSchema = s.openApiObject(
  'ImportReading',
  'Options for reading a file. Missing options follow from the file.',
  s.optional({
    map: s.string('Fields of columns, one line `field=Header` each; as `map` of an import shows them.', {
      max: 100_000,
    }),
    source: s.shortString('Source of records that name none.'),
    region: regionSchema,
    encoding: s.shortString('Encoding of the text, such as `Shift_JIS`; detected by default.'),
    sheet: s.shortString('Sheet of a workbook; the first visible one by default.'),
    dates: s.oneOf(['dmy', 'mdy', 'ymd'], 'Order of day, month and year in numbers.'),
    keep_companies: s.boolean('True keeps rows of companies, couples, families, guests and tests.'),
    replace: s.boolean('True if the file is all of its source: other records of the source are removed.'),
    allow_nameless: s.boolean(
      'True to import a file of which hardly any record has a name (see `nameless`).',
    ),
    allow_removal: s.boolean('True if `replace` may remove more than half of the records of the source.'),
    allow_return: s.boolean('True if people who were forgotten may be imported again.'),
  }),
);

const column = s.object('A column.', {
  header: s.string('Header of the column.'),
  field: s.nullableString('Field that the column is read as; null if it is not used.'),
  group: s.string('Which of several addresses the column belongs to; empty for the only one.'),
  guessed: s.boolean('True if only the cells show the field, and the header does not.'),
  examples: s.stringList('Values of the first rows, masked: x for a letter, 9 for a digit.'),
});
const importResult = s.object('Result of the import.', {
  added: s.integer('Records that are new.'),
  replaced: s.integer('Records that replaced earlier ones.'),
  removed: s.integer('Records that were removed.'),
  barred: s.integer('Records on the suppression list, which were skipped.'),
  records: s.integer('Records in the graph after the import.'),
  identities: s.integer('Identities in the graph after the import.'),
});
const fileFormat = s.object('Format of the file.', {
  packing: s.nullableString('How the file is compressed.'),
  kind: s.nullableString('`Excel`, `Parquet` or `vCard`; null for text.'),
  encoding: s.string('Character encoding.'),
  sheet: s.nullableString('Sheet of a workbook that was read; null for other files.'),
  other_sheets: s.stringList('Further visible sheets of the workbook, which were not read.'),
});
const unusable = s.object('A record or a value that cannot be used, or a row that is skipped.', {
  line: s.integer('Number of the line, counted from 1.'),
  whole: s.boolean('True for the whole row, false for one value of it.'),
  reason: s.string('What is wrong, without the value.'),
});
const fileReport = s.object('Content of the file.', {
  form: s.nullable(fileFormat, 'Null if the format is unknown.'),
  columns: s.list(column, 'Its columns; empty if the records name their fields.'),
  map: s.string('The columns in the form of `map`.'),
  read: s.integer('Records that can be used.'),
  rejected: s.integer('Records that cannot be used.'),
  dropped: s.integer('Single values that cannot be used, of records that can.'),
  companies: s.integer('Rows of companies, which are skipped.'),
  households: s.integer('Rows of couples and families, which are skipped.'),
  guests: s.integer('Rows of guests and tests, which are skipped.'),
  totals: s.integer('Rows of the table itself, such as totals, which are skipped.'),
  others: s.integer('Rows that name a second person, whose name and address are skipped.'),
  merged: s.integer('Rows with the id of another row, merged with it.'),
  shared_ids: s.integer('Ids that several people share.'),
  sources: s.list(
    s.object('A source.', {
      source: s.string('Name of the source.'),
      records: s.integer('Number of its records in the file.'),
    }),
    'Sources of the records.',
  ),
  nameless: s.boolean('True if hardly any record has a name: the import fails without `allow_nameless`.'),
  doubts: s.stringList('What may be wrong with records that can be used, one sentence each.'),
  learnt: s.stringList('Statistics of the records, one sentence each.'),
  unusable: s.list(unusable, 'The first 200.'),
  became: s.nullable(importResult, 'Null until the file is imported.'),
});

const progress = s.object('Progress.', {
  phase: s.oneOf(['reading', 'linking', 'publishing'], 'Phase of the import.'),
  records: s.integer('Number of records so far, or in all.'),
  done: s.nullable(s.number('Share of this phase.'), 'From 0 to 1; null if unknown.'),
});
const failure = (about: string, detail: string) =>
  s.object(about, { code: s.string('Stable error code.'), detail: s.string(detail) });
export const importSchema = s.openApiObject('Import', 'Import of an uploaded file.', {
  id: s.string('Id of the import.', { pattern: /^imp_\w{16}$/ }),
  name: s.string('Name of the file.'),
  bytes: s.integer('Size of the file.'),
  state: s.oneOf(
    ['reading', 'ready', 'importing', 'done', 'failed', 'dropped'],
    '`reading` and `importing` end by themselves.',
  ),
  progress: s.nullable(progress, 'Null unless the file is being read or imported.'),
  found: s.nullable(fileReport, 'Result of the last reading; null before.'),
  failed: s.nullable(
    failure('Why it failed.', 'What is wrong, and what to do.'),
    'Null if nothing failed. A failed import changed nothing.',
  ),
  reading: importReadOptionsSchema,
});

const undoableImport = s.object('The import that can be undone.', {
  at: s.string('When it was imported (ISO 8601).'),
  added: s.integer('Records that it added: undoing removes them.'),
  replaced: s.integer('Records that it replaced: undoing restores them.'),
  removed: s.integer('Records that it removed: undoing restores them.'),
});
export const importListSchema = s.openApiObject('Imports', 'Imports of uploaded files.', {
  items: s.list(importSchema, 'Imports that are not dropped, newest first.'),
  undo: s.nullable(undoableImport, 'Null if no import can be undone.'),
  refused: s.nullable(
    failure('Why no file can be imported here. Files can be read all the same.', 'The reason.'),
    'Null if files can be imported.',
  ),
});

const answersImport = { answers: importSchema, errors: ['graph_unavailable'] as const };
const onImport = { ...answersImport, noun: 'import' };
const examples = {
  plain: { summary: 'With the options that follow from the file', value: {} },
  said: { summary: 'With a source and its region', value: { source: 'shop', region: 'DE' } },
};

export const IMPORT_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST graph/imports', 'sendFile', {
    ...answersImport,
    summary: 'Upload a file of records',
    about: `Up to ${RECORDS_FILE_BODY_FORMAT.kib / 1024} MiB (\`application/octet-stream\`), within half a minute. The file is read but not imported: poll the import until it is \`ready\`. It is kept for an hour, privately, until it is imported or dropped. For larger files: \`bonafide graph import\`.`,
    query: { name: v.optional(fileNameParameterSchema) },
    rawBody: { schema: recordsFileSchema, format: RECORDS_FILE_BODY_FORMAT },
    examples: {
      csv: {
        summary: 'Two people',
        value: 'id,name,email\n1,Ada Quill,ada@example.com\n2,Ben Osei,ben@example.com\n',
      },
    },
    status: 201,
    async handle({ query: { name = '' }, event }, service) {
      const { id, file } = service.createUploadIdAndFilePath();
      const bytes = await writeBodyToFile(event, file, RECORDS_FILE_BODY_FORMAT);
      const request = { act: 'add', id, file, name: name.trim() || 'file', bytes } as const;
      return toImportJson(await service.handleImport(request));
    },
  }),
  declareAdminRoute('GET graph/imports', 'listImports', {
    summary: 'List imports',
    about:
      'Uploaded files and their progress, the import that can be undone, and why files cannot be imported, if so.',
    answers: importListSchema,
    errors: ['graph_unavailable', 'graph_timeout'],
    async handle(_, service) {
      const { items, refused } = await service.listImports();
      const { found } = await service.makeReport('applied');
      return { items: items.map(toImportJson), undo: toUndoJson(found), refused: toFailureJson(refused) };
    },
  }),
  declareAdminRoute('GET graph/imports/:id', 'showImport', {
    ...onImport,
    summary: 'Show an import',
    about: 'How the file was read, its progress, and its result.',
    handle: async ({ id }, service) => toImportJson(await service.handleImport({ act: 'show', id })),
  }),
  declareAdminRoute('POST graph/imports/:id/read', 'readImport', {
    ...onImport,
    summary: 'Read a file with other options',
    about: 'Nothing is imported.',
    command: 'graph import --dry-run',
    body: importReadOptionsSchema,
    examples,
    async handle({ id, body }, service) {
      return toImportJson(await service.handleImport({ act: 'read', id, reading: toReadOptions(body) }));
    },
  }),
  declareAdminRoute('POST graph/imports/:id/start', 'startImport', {
    ...onImport,
    summary: 'Import a file',
    about:
      'Options that are missing are those of the last reading. The import goes on after the answer. It is applied as a whole or not at all. `graph/import/undo` undoes it.',
    command: 'graph import',
    body: importReadOptionsSchema,
    examples,
    async handle({ id, body, actor }, service) {
      const request = { act: 'start', id, reading: toReadOptions(body), actor } as const;
      return toImportJson(await service.handleImport(request));
    },
  }),
  declareAdminRoute('POST graph/imports/:id/drop', 'dropImport', {
    ...onImport,
    summary: 'Drop a file',
    about:
      'A running import is stopped, and changes nothing. If it is done by then, the answer is `done` and the import stays.',
    handle: async ({ id }, service) => toImportJson(await service.handleImport({ act: 'drop', id })),
  }),
];

/** Returns the options for reading an import file. A source name of blanks counts as no source name. */
const toReadOptions = ({
  source,
  ...body
}: v.InferOutput<typeof importReadOptionsSchema>): ImportReadOptions => ({
  ...fromSnakeCaseJson(body),
  source: source?.trim() || undefined,
});

function toUndoJson(applied: GraphReportResults['applied']) {
  if (!applied) return null;
  const { at, added, replaced, removed } = applied;
  return { at: toIsoTime(at), added, replaced, removed };
}

const toImportJson = ({ found, failed, reading, ...view }: ImportState) => ({
  ...view,
  reading: toSnakeCaseJson(reading),
  found: found && toReportJson(found),
  failed: toFailureJson(failed),
});

function toReportJson({ same, form, ...report }: NonNullable<ImportState['found']>) {
  return {
    ...report,
    form: form && toFileFormatJson(form),
    merged: same.merged,
    shared_ids: same.shared,
  };
}

type FileFormat = NonNullable<NonNullable<ImportState['found']>['form']>;
const toFileFormatJson = ({ packing, kind, encoding, sheet, otherSheets }: FileFormat) =>
  toSnakeCaseJson({ packing, kind, encoding, sheet, otherSheets });

const toFailureJson = (failed: ImportState['failed']) =>
  failed && { code: failed.code, detail: failed.message };
