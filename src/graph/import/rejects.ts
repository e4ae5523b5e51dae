import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** One thing that an import could not use: never a value, only where it stands and why. */
export interface Reject {
  input: string;
  line: number;
  recordId: string | null;
  reason: string;
  /** The whole record, or one value of a record that was used otherwise. */
  whole: boolean;
}

export interface Rejects {
  add(reject: Reject): void;
  used(): boolean;
  /** The first few, for a summary. */
  first(): Reject[];
  end(): Promise<void>;
}

const FIRST = 5;

/** Writes rejects as JSON Lines; the file (mode 0600) is made with the first one. Without a file they are only counted. */
export function rejectsWriter(file: string | undefined): Rejects {
  let stream: WriteStream | null = null;
  const first: Reject[] = [];
  return {
    first: () => first,
    add(reject) {
      if (first.length < FIRST) first.push(reject);
      if (file === undefined) return;
      const { recordId, ...rest } = reject;
      stream ??= createWriteStream(file, { mode: 0o600 });
      stream.write(
        `${JSON.stringify({ input: rest.input, line: rest.line, record_id: recordId, whole: rest.whole, reason: rest.reason })}\n`,
      );
    },
    used: () => stream !== null,
    async end() {
      if (!stream || stream.writableEnded) return;
      stream.end();
      await finished(stream);
    },
  };
}
