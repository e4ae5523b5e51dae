// Converts a Parquet file to lines of JSON, one per row.
import { BonafideError } from '../../errors.ts';
import { createLazyWorkerThread, withDeadline } from '../../platform/threads/calls.ts';
import type { TextLine } from '../input/lines.ts';
import { readInputIntoMemory } from './compression.ts';
import type { ParquetThreadOperations } from './parquet-thread.ts';
import { INPUT_LIMITS, createExceededLimitError } from './limits.ts';

const ADVICE = 'Write it as CSV or JSON Lines';
const MIB = 2 ** 20;
const [LEAST_MEMORY_MB, MEMORY_PER_FILE_MB] = [300, 10];
const { parquetMemory, parquetSeconds } = INPUT_LIMITS;

/** Reads the rows of a Parquet file in a separate thread. Errors: `unreadable_file` if the file is damaged or exceeds a limit. */
export async function* readParquet(
  bytes: AsyncIterable<Uint8Array>,
  { name }: { name: string },
): AsyncGenerator<TextLine[]> {
  const { buffer } = new Uint8Array(await readInputIntoMemory(bytes, { name, advice: ADVICE }));
  const fileMb = Math.ceil(buffer.byteLength / MIB);
  // The reader stores equal values once, so different values need memory in proportion to the file.
  const memoryMb = Math.min(parquetMemory / MIB, LEAST_MEMORY_MB + MEMORY_PER_FILE_MB * fileMb);
  const thread = createLazyWorkerThread<ParquetThreadOperations>({
    file: 'import/formats/parquet-thread',
    workerData: buffer,
    transferList: [buffer],
    memoryMb: memoryMb + fileMb,
    toEndedError: (isOutOfMemory) =>
      isOutOfMemory
        ? createExceededLimitError(`takes more than ${memoryMb} MiB of memory`)
        : new Error('the Parquet thread ended'),
  });
  const toDeadlineError = () =>
    createExceededLimitError(`takes more than ${parquetSeconds} seconds for a group of rows`);
  try {
    for (;;) {
      const lines = await withDeadline(thread.call('next', null), parquetSeconds * 1000, toDeadlineError);
      if (lines === null) return;
      yield lines;
    }
  } catch (error) {
    throw new BonafideError(
      'unreadable_file',
      error instanceof BonafideError
        ? `${name} ${error.message}. Save it with smaller row groups, or as CSV, then import the new file.`
        : `${name} is damaged, or compressed in an unusual way. ${ADVICE}, then import the new file.`,
    );
  } finally {
    await thread.close();
  }
}
