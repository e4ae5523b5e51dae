// Schemas for putting records into the graph: the lines of the request, and the result.
import * as v from 'valibot';
import * as s from './parts.ts';

/** Greatest number of records in one request. */
export const MAX_RECORD_LINES = 1000;

export const recordLinesSchema = v.pipe(
  v.string(),
  v.title('RecordLines'),
  v.description(
    `JSON Lines in UTF-8: at most ${MAX_RECORD_LINES} lines, each one record as on the page [Importing records](/docs/importing#the-record-format). A line with \`"deleted": true\` removes its record.`,
  ),
);

export const sourceQuery = v.optional(
  s.shortString('Source of records that name none. A record without any source is refused.'),
);

const lineProblem = (about: string) =>
  s.object(
    {
      line: s.integer('Number of the line, counted from 1.', 1),
      pointer: v.optional(
        s.string('JSON Pointer, inside the line, of a field that is no field of a record.'),
      ),
      reason: s.string('What is wrong, without the value.'),
    },
    about,
  );

export const recordsResultSchema = s.namedObject(
  'RecordsTaken',
  {
    put: s.integer('Lines whose record was added or replaced.'),
    deleted: s.integer('Lines whose record was removed, or was not in the graph.'),
    barred: s.integer('Lines whose record is on the suppression list.'),
    refused: s.list(lineProblem('A line that changes nothing.'), 'Lines that cannot be used.'),
    left_out: s.list(lineProblem('A value.'), 'Single values that were ignored, of records that were put.'),
    linked: s.boolean(
      'True if checks see all of the records. If false they are on disk, and checks see them after all records are linked again, which has started.',
    ),
  },
  'Result of feeding records.',
);
