// Imports.
import * as v from 'valibot';
import type { GraphReports } from '../../../admin/graph/reports.ts';
import type { ImportView, ReadOptions } from '../../../admin/graph/imports.ts';
import { isoTime, toWire } from '../../../admin/wire.ts';
import { FILE_BODY, writeBody } from '../../body.ts';
import {
  boolean,
  list,
  namedObject,
  number,
  object,
  nullable,
  shortString,
  string,
  strings,
  integer,
  oneOf,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

export const recordsFileSchema = v.pipe(
  v.string(),
  v.title('FileOfRecords'),
  v.description(
    'The file as it is, in any form of the page [Importing records](/docs/importing), packed or not.',
  ),
);

export const fileNameQuery = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(200),
    v.regex(/^[^/\\]*$/),
    v.description(
      'What the file is called: its ending tells its form, and without another it names the source.',
    ),
  ),
);

/** The orders of day, month and year that numbers can have. */
const ORDERS = ['dmy', 'mdy', 'ymd'] as const;

export const readOptionsSchema = namedObject(
  'ImportReading',
  {
    map: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(100_000),
        v.description('What columns hold, a line `field=Header` each; as `map` of the import.'),
      ),
    ),
    source: v.optional(shortString('The source of records that name none.')),
    region: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[A-Z]{2}$/),
        v.description('Country (ISO 3166) in which numbers and addresses are read that name none.'),
      ),
    ),
    dates: v.optional(oneOf(ORDERS, 'The order of day, month and year in numbers.')),
    keep_companies: v.optional(boolean('Rows of companies, guests and tests are kept.')),
    replace: v.optional(boolean('The file is all of its source: its other records are taken out.')),
    allow_return: v.optional(boolean('Who was forgotten may come back.')),
  },
  'How a file is read. What is left out is told by the file.',
);

const column = object(
  {
    header: string('Its header.'),
    field: nullable(v.string(), 'What it is taken for; null where it is not used.'),
    group: string('Which of several addresses it belongs to; empty for the only one.'),
    examples: strings('Values of the first rows, masked: x for a letter, 9 for a digit.'),
  },
  'A column.',
);

const became = object(
  {
    added: integer('Records that are new.'),
    replaced: integer('Records that took the place of earlier ones.'),
    removed: integer('Records that were taken out.'),
    barred: integer('Records of people who were forgotten: left out.'),
    records: integer('Records in the graph from then on.'),
    identities: integer('Identities in the graph from then on.'),
  },
  'What became of it.',
);

const found = object(
  {
    form: nullable(
      object(
        {
          packing: nullable(v.string(), 'How it is packed.'),
          kind: nullable(v.string(), '`Excel`, `Parquet` or `vCard`; null for text.'),
          encoding: string('Its encoding.'),
        },
        'Its form.',
      ),
      'What the file is; null where nothing could be told.',
    ),
    columns: list(column, 'Its columns; none where records say themselves what they hold.'),
    map: string('The columns as `map` takes them.'),
    read: integer('Records that can be used.'),
    rejected: integer('Records that cannot.'),
    dropped: integer('Single values that cannot, of records that can.'),
    companies: integer('Rows of companies, left out.'),
    guests: integer('Rows of guests and tests, left out.'),
    others: integer('Rows that name somebody else too, whose name and address are left out.'),
    merged: integer('Rows with the id of another one, merged with it.'),
    shared_ids: integer('Ids that stand for several people.'),
    sources: list(
      object({ source: string('Its name.'), records: integer('Its records in the file.') }, 'A source.'),
      'The sources of its records.',
    ),
    learnt: strings('What its records are like.'),
    unusable: list(
      object(
        {
          line: integer('Counted from 1.'),
          whole: boolean('The whole record; else one value of it.'),
          reason: string('What is wrong, without its value.'),
        },
        'Something that cannot be used.',
      ),
      'The first 200.',
    ),
    became: nullable(became, 'Null until it is imported.'),
  },
  'What is in it.',
);

export const importSchema = namedObject(
  'Import',
  {
    id: v.pipe(v.string(), v.regex(/^imp_\w{16}$/), v.description('Its id.')),
    name: string('What the file is called.'),
    bytes: integer('Its size.'),
    state: oneOf(
      ['reading', 'ready', 'importing', 'done', 'failed', 'dropped'],
      '`reading` and `importing` go on by themselves.',
    ),
    progress: nullable(
      object(
        {
          phase: oneOf(['reading', 'linking', 'publishing'], 'What it does.'),
          records: integer('Records, so far or in all.'),
          done: nullable(number('Share of this phase.'), 'From 0 to 1; null where that is not known.'),
        },
        'How far it is.',
      ),
      'While it is read or imported.',
    ),
    found: nullable(found, 'What was read; null before.'),
    failed: nullable(
      object(
        { code: string('A stable code.'), detail: string('What is wrong, and what to do.') },
        'Why it failed.',
      ),
      'Null where nothing did. A failed import changed nothing.',
    ),
    reading: readOptionsSchema,
  },
  'A file that was sent to be imported.',
);

export const importListSchema = namedObject(
  'Imports',
  {
    items: list(importSchema, 'The files that were sent and are not dropped, the newest first.'),
    undo: nullable(
      object(
        {
          at: string('When it was imported (ISO 8601).'),
          added: integer('Records that it added: they would go.'),
          replaced: integer('Records that it replaced: they would be as they were.'),
          removed: integer('Records that it took out: they would be back.'),
        },
        'The import that can be taken back.',
      ),
      'Null where none can.',
    ),
    refused: nullable(
      object(
        { code: string('A stable code.'), detail: string('Why.') },
        'Why no file can be imported here: it can be read all the same.',
      ),
      'Null where files can be imported.',
    ),
  },
  'What was sent to be imported, and what can be taken back.',
);

const shared = { answers: importSchema, errors: ['graph_unavailable'] as const };

const one = { ...shared, of: 'import' };

const examples = {
  plain: { summary: 'As the file tells', value: {} },
  said: { summary: 'With a source and its region', value: { source: 'shop', region: 'DE' } },
};

export const IMPORT_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/imports', 'sendFile', {
    ...shared,
    summary: 'Send a file of records',
    about: `Up to ${FILE_BODY.kib / 1024} MiB (\`application/octet-stream\`), within half a minute. It is read, and nothing of it is in the graph: ask for it until it is \`ready\`. It is kept for an hour, privately, until it is imported or dropped. Larger files: \`bonafide graph import\`.`,
    query: { name: fileNameQuery },
    own: { schema: recordsFileSchema, kind: FILE_BODY },
    examples: {
      csv: {
        summary: 'Two people',
        value: 'id,name,email\n1,Ada Quill,ada@example.com\n2,Ben Osei,ben@example.com\n',
      },
    },
    status: 201,
    handle: async ({ query: { name = '' }, event }, service) => {
      const { id, file } = service.createUploadSlot();
      const bytes = await writeBody(event, file, FILE_BODY);
      return viewOf(await service.handleImport({ act: 'add', id, file, name: name.trim() || 'file', bytes }));
    },
  }),
  adminRoute('GET graph/imports', 'listImports', {
    summary: 'What is being imported',
    about:
      'The files that were sent, with how far each is; the import that `graph/import/undo` takes back; and why none can be imported, if so.',
    answers: importListSchema,
    errors: ['graph_unavailable', 'graph_timeout'],
    handle: async (_, service) => {
      const { items, refused } = await service.listImports();
      const { found } = await service.report('applied');
      return { items: items.map(viewOf), undo: undoView(found), refused: failedView(refused) };
    },
  }),
  adminRoute('GET graph/imports/:id', 'showImport', {
    ...one,
    summary: 'How an import stands',
    about: 'How the file was read, or how far it is imported, and what became of it.',
    handle: async ({ id }, service) => viewOf(await service.handleImport({ act: 'show', id })),
  }),
  adminRoute('POST graph/imports/:id/read', 'readImport', {
    ...one,
    summary: 'Read a file in another way',
    about: 'Nothing of it is in the graph. `bonafide graph import --dry-run`.',
    body: readOptionsSchema,
    examples,
    handle: async ({ id, body }, service) =>
      viewOf(await service.handleImport({ act: 'read', id, reading: readingOf(body) })),
  }),
  adminRoute('POST graph/imports/:id/start', 'startImport', {
    ...one,
    summary: 'Import a file',
    about:
      'It goes on when this is answered, and is there as a whole or not at all. `graph/import/undo` takes it back. `bonafide graph import`.',
    body: readOptionsSchema,
    examples,
    handle: async ({ id, body, actor }, service) =>
      viewOf(await service.handleImport({ act: 'start', id, reading: readingOf(body), actor })),
  }),
  adminRoute('POST graph/imports/:id/drop', 'dropImport', {
    ...one,
    summary: 'Drop a file',
    about:
      'An import that is at work is stopped, and changes nothing; where that came too late, it answers `done` and stays.',
    handle: async ({ id }, service) => viewOf(await service.handleImport({ act: 'drop', id })),
  }),
];

type Asked = Pick<ReadOptions, 'map' | 'source' | 'region' | 'dates' | 'replace'> & {
  keep_companies?: boolean | undefined;
  allow_return?: boolean | undefined;
};

/** A source of blanks is none. */
const readingOf = ({ keep_companies, allow_return, source, ...rest }: Asked): ReadOptions => ({
  ...rest,
  source: source?.trim() || undefined,
  keepCompanies: keep_companies,
  allowReturn: allow_return,
});

const undoView = (applied: GraphReports['applied']) => {
  if (!applied) return null;
  const { at, added, replaced, removed } = applied;
  return { at: isoTime(at), added, replaced, removed };
};

function viewOf({ found, failed, reading, ...view }: ImportView) {
  const rest = { ...view, reading: toWire(reading) };
  if (!found) return { ...rest, found, failed: failedView(failed) };
  const { aside, same, ...told } = found;
  const shown = {
    ...told,
    companies: aside.company,
    guests: aside.placeholder,
    merged: same.merged,
    shared_ids: same.shared,
  };
  return { ...rest, found: shown, failed: failedView(failed) };
}

const failedView = (failed: ImportView['failed']) => failed && { code: failed.code, detail: failed.message };
