// Records.
import * as v from 'valibot';
import { boolean, list, namedObject, object, shortString, string, integer } from './parts.ts';

/** So many lines in one request at most. */
export const MAX_RECORD_LINES = 1000;

export const recordLinesSchema = v.pipe(
  v.string(),
  v.title('RecordLines'),
  v.description(
    `JSON Lines in UTF-8: at most ${MAX_RECORD_LINES} lines, each one record as on the page [Importing records](/docs/importing#the-record-format). A line with \`"deleted": true\` takes its record out.`,
  ),
);

export const sourceQuery = v.optional(
  shortString('The source of records that name none. A record that has none either way is refused.'),
);

const told = (about: string) =>
  object({ line: integer('Counted from 1.', 1), reason: string('What is wrong, without its value.') }, about);

export const recordsResultSchema = namedObject(
  'RecordsTaken',
  {
    put: integer('Lines whose record is in the graph now, or is replaced.'),
    deleted: integer('Lines whose record is out of the graph now, or never was in it.'),
    barred: integer('Lines whose record was forgotten and is kept out.'),
    refused: list(told('A line that changes nothing.'), 'Lines that cannot be used.'),
    left_out: list(
      told('A value.'),
      'Single values that cannot be used, of records that are put all the same.',
    ),
    linked: boolean(
      'Checks see all of it. Else it is on disk, and they will when all records are linked anew, which has begun.',
    ),
  },
  'What became of the lines.',
);
