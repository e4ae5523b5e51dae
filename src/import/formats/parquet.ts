// A Parquet file as lines of JSON, one a row.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { codeFile } from '../../platform/assets.ts';
import type { Line } from '../input/lines.ts';
import { readWholeInput } from './zip.ts';
import type { ParquetReply } from './parquet-thread.ts';

const WAY = 'Write it as CSV or JSON Lines';
/** Longer for some rows, or more memory beside the file's own bytes, and it is no list of people. */
const LONGEST_MS = 30_000;
const MOST_MEMORY_MB = 1024;

/** Errors: `unreadable_file` for a damaged file, and one that unpacks to too much. */
export async function* readParquet(
  bytes: AsyncIterable<Uint8Array>,
  { name }: { name: string },
): AsyncGenerator<Line[]> {
  const all = new Uint8Array(await readWholeInput(bytes, { name, way: WAY })).buffer;
  const thread = new Worker(codeFile('import/formats/parquet-thread'), {
    workerData: all,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  try {
    for (;;) {
      const answer = await nextOf(thread).catch((): ParquetReply => ({ failed: true }));
      if ('failed' in answer)
        throw new BonafideError(
          'unreadable_file',
          `${name} is damaged, or packed as few are. ${WAY} and import that.`,
        );
      if ('ended' in answer) return;
      yield answer.lines;
    }
  } finally {
    await thread.terminate();
  }
}

/** Rejects where the thread fails, or takes too long. */
async function nextOf(thread: Worker): Promise<ParquetReply> {
  const answered = once(thread, 'message', { signal: AbortSignal.timeout(LONGEST_MS) });
  thread.postMessage('next');
  const [answer] = (await answered) as [ParquetReply];
  return answer;
}
