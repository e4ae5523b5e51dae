// Converts a Parquet file to lines of JSON, one per row.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { getModuleFile } from '../../platform/assets.ts';
import { toThreadHeapLimit, watchThreadMemory, withDeadline } from '../../platform/threads/calls.ts';
import type { TextLine } from '../input/lines.ts';
import { INPUT_LIMITS } from './limits.ts';
import { readInputIntoMemory } from './compression.ts';
import type { ParquetThreadReply } from './parquet-thread.ts';

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
  const thread = new Worker(getModuleFile('import/formats/parquet-thread'), {
    workerData: buffer,
    transferList: [buffer],
    resourceLimits: { maxOldGenerationSizeMb: toThreadHeapLimit(memoryMb) },
  });
  let bound: string | null = null;
  const ended = new AbortController();
  const endThread = (reason: string) => {
    bound ??= reason;
    ended.abort();
  };
  const watch = watchThreadMemory(thread, memoryMb + fileMb, () =>
    endThread(`takes more than ${memoryMb} MiB of memory`),
  );
  try {
    for (;;) {
      const answer = await nextReply(thread, { ended: ended.signal, endThread }).catch(
        (): ParquetThreadReply => ({
          failed: bound,
        }),
      );
      if ('failed' in answer)
        throw new BonafideError(
          'unreadable_file',
          answer.failed === null
            ? `${name} is damaged, or compressed in an unusual way. ${ADVICE}, then import the new file.`
            : `${name} ${answer.failed}. Save it with smaller row groups, or as CSV, then import the new file.`,
        );
      if ('ended' in answer) return;
      yield answer.lines;
    }
  } finally {
    clearInterval(watch);
    await thread.terminate();
  }
}

/** Waits for the next reply of the Parquet thread. Rejects if the thread fails or takes too long. */
async function nextReply(
  thread: Worker,
  { ended, endThread }: { ended: AbortSignal; endThread(reason: string): void },
): Promise<ParquetThreadReply> {
  const reply = once(thread, 'message', { signal: ended });
  thread.postMessage('next');
  const [answer] = (await withDeadline(reply, parquetSeconds * 1000, () => {
    endThread(`takes more than ${parquetSeconds} seconds for a group of rows`);
    return new Error('the Parquet thread did not reply in time');
  })) as [ParquetThreadReply];
  return answer;
}
