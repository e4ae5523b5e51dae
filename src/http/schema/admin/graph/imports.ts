import * as v from 'valibot';
import { flag, list, named, number, object, orNull, text, texts, whole, word } from '../../parts.ts';
import { shortText } from '../parts.ts';

export const fileBytes = v.pipe(
  v.string(),
  v.title('FileOfRecords'),
  v.description(
    'The file as it is, in any form of the page [Importing records](/docs/importing), packed or not.',
  ),
);

export const fileName = v.optional(
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

export const importReading = named(
  'ImportReading',
  {
    map: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(100_000),
        v.description('What columns hold, a line `field=Header` each; as `map` of the import.'),
      ),
    ),
    source: v.optional(shortText('The source of records that name none.')),
    region: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[A-Z]{2}$/),
        v.description('Country (ISO 3166) in which numbers and addresses are read that name none.'),
      ),
    ),
    dates: v.optional(word(ORDERS, 'The order of day, month and year in numbers.')),
    keep_companies: v.optional(flag('Rows of companies, guests and tests are kept.')),
    replace: v.optional(flag('The file is all of its source: its other records are taken out.')),
    allow_return: v.optional(flag('Who was forgotten may come back.')),
  },
  'How a file is read. What is left out is told by the file.',
);

const column = object(
  {
    header: text('Its header.'),
    field: orNull(v.string(), 'What it is taken for; null where it is not used.'),
    group: text('Which of several addresses it belongs to; empty for the only one.'),
    examples: texts('Values of the first rows, masked: x for a letter, 9 for a digit.'),
  },
  'A column.',
);

const became = object(
  {
    added: whole('Records that are new.'),
    replaced: whole('Records that took the place of earlier ones.'),
    removed: whole('Records that were taken out.'),
    barred: whole('Records of people who were forgotten: left out.'),
    records: whole('Records in the graph from then on.'),
    identities: whole('Identities in the graph from then on.'),
  },
  'What became of it.',
);

const found = object(
  {
    form: orNull(
      object(
        {
          packing: orNull(v.string(), 'How it is packed.'),
          kind: orNull(v.string(), '`Excel`, `Parquet` or `vCard`; null for text.'),
          encoding: text('Its encoding.'),
        },
        'Its form.',
      ),
      'What the file is; null where nothing could be told.',
    ),
    columns: list(column, 'Its columns; none where records say themselves what they hold.'),
    map: text('The columns as `map` takes them.'),
    read: whole('Records that can be used.'),
    rejected: whole('Records that cannot.'),
    dropped: whole('Single values that cannot, of records that can.'),
    companies: whole('Rows of companies, left out.'),
    guests: whole('Rows of guests and tests, left out.'),
    others: whole('Rows that name somebody else too, whose name and address are left out.'),
    merged: whole('Rows with the id of another one, merged with it.'),
    shared_ids: whole('Ids that stand for several people.'),
    sources: list(
      object({ source: text('Its name.'), records: whole('Its records in the file.') }, 'A source.'),
      'The sources of its records.',
    ),
    learnt: texts('What its records are like.'),
    unusable: list(
      object(
        {
          line: whole('Counted from 1.'),
          whole: flag('The whole record; else one value of it.'),
          reason: text('What is wrong, without its value.'),
        },
        'Something that cannot be used.',
      ),
      'The first 200.',
    ),
    became: orNull(became, 'Null until it is imported.'),
  },
  'What is in it.',
);

export const importView = named(
  'Import',
  {
    id: v.pipe(v.string(), v.regex(/^imp_\w{16}$/), v.description('Its id.')),
    name: text('What the file is called.'),
    bytes: whole('Its size.'),
    state: word(
      ['reading', 'ready', 'importing', 'done', 'failed', 'dropped'],
      '`reading` and `importing` go on by themselves.',
    ),
    progress: orNull(
      object(
        {
          phase: word(['reading', 'linking', 'publishing'], 'What it does.'),
          records: whole('Records, so far or in all.'),
          done: orNull(number('Share of this phase.'), 'From 0 to 1; null where that is not known.'),
        },
        'How far it is.',
      ),
      'While it is read or imported.',
    ),
    found: orNull(found, 'What was read; null before.'),
    failed: orNull(
      object(
        { code: text('A stable code.'), detail: text('What is wrong, and what to do.') },
        'Why it failed.',
      ),
      'Null where nothing did. A failed import changed nothing.',
    ),
    reading: importReading,
  },
  'A file that was sent to be imported.',
);

export const importsView = named(
  'Imports',
  {
    items: list(importView, 'The files that were sent and are not dropped, the newest first.'),
    undo: orNull(
      object(
        {
          at: text('When it was imported (ISO 8601).'),
          added: whole('Records that it added: they would go.'),
          replaced: whole('Records that it replaced: they would be as they were.'),
          removed: whole('Records that it took out: they would be back.'),
        },
        'The import that can be taken back.',
      ),
      'Null where none can.',
    ),
    refused: orNull(
      object(
        { code: text('A stable code.'), detail: text('Why.') },
        'Why no file can be imported here: it can be read all the same.',
      ),
      'Null where files can be imported.',
    ),
  },
  'What was sent to be imported, and what can be taken back.',
);
