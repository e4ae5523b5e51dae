// Reads the text of a file for tests of rows with several people.
import { Readable } from 'node:stream';
import type { ImportRecordOrProblem } from '../../../../src/import/items.ts';
import { type ReadRecordsOptions, readRecords } from '../../../../src/import/read.ts';

export async function read(
  text: string,
  more: Partial<ReadRecordsOptions> = {},
): Promise<ImportRecordOrProblem[]> {
  const items: ImportRecordOrProblem[] = [];
  const options = { name: 'people.csv', makeId: () => 'row', ...more };
  for await (const item of readRecords(Readable.from([Buffer.from(text)]), options)) items.push(item);
  return items;
}

/** Returns the names and contacts of each record, and true if other people of its row were left out. */
export const summarise = (items: ImportRecordOrProblem[]) =>
  items.map(({ record, others }) => [
    record?.names,
    record?.contacts.map(({ input }) => input),
    others ?? false,
  ]);
