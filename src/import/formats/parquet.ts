// A Parquet file as lines of JSON, one per row.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { getModuleFile } from '../../platform/assets.ts';
import type { Line } from '../input/lines.ts';
import { readWholeInput } from './compression.ts';
import type { ParquetReply } from './parquet-thread.ts';

const ADVICE = 'Write it as CSV or JSON Lines';
/** Most time for one batch of rows, and most memory besides the file itself: no list of people needs more. */
const LONGEST_MS = 30_000;
const MOST_MEMORY_MB = 1024;

/** Reads the rows of a Parquet file in a thread. Errors: `unreadable_file` for a file that is damaged, or that expands too much. */
export async function* readParquet(
  bytes: AsyncIterable<Uint8Array>,
  { name }: { name: string },
): AsyncGenerator<Line[]> {
  const all = new Uint8Array(await readWholeInput(bytes, { name, advice: ADVICE })).buffer;
  const thread = new Worker(getModuleFile('import/formats/parquet-thread'), {
    workerData: all,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  try {
    for (;;) {
      const answer = await nextReply(thread).catch((): ParquetReply => ({ failed: true }));
      if ('failed' in answer)
        throw new BonafideError(
          'unreadable_file',
          `${name} is damaged, or compressed in an unusual way. ${ADVICE} and import that.`,
        );
      if ('ended' in answer) return;
      yield answer.lines;
    }
  } finally {
    await thread.terminate();
  }
}

/** Returns the next reply of the thread. Rejects if the thread fails or takes too long. */
async function nextReply(thread: Worker): Promise<ParquetReply> {
  const reply = once(thread, 'message', { signal: AbortSignal.timeout(LONGEST_MS) });
  thread.postMessage('next');
  const [answer] = (await reply) as [ParquetReply];
  return answer;
}
