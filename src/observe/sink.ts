// Output of log lines. If lines cannot be written they are lost and counted, and the server continues.
import { fstatSync, writeSync } from 'node:fs';

export interface LogHealth {
  failing: boolean;
  lost: number;
}

export interface LogSink {
  /** Writes complete lines. Never throws. */
  write(text: string): void;
  health(): LogHealth;
}

/** Maximum number of bytes buffered for a reader that does not read; later lines are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

type Output = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'on'> & { fd: number };

/** Returns a sink for standard output or a similar stream. A closed or blocked pipe and a full disk lose lines, but never stop the server. */
export function createOutputSink(output: Output = process.stdout): LogSink {
  let failing = false;
  let lost = 0;
  const onWritten = (text: string, error?: Error | null) => {
    failing = Boolean(error);
    if (error) lost += text.split('\n').length - 1;
  };
  ignoreStreamErrors(output);
  const put = isFile(output.fd) ? toFile : toStream;
  return { write: (text) => put(output, text, onWritten), health: () => ({ failing, lost }) };
}

const HANDLED_OUTPUTS = new WeakSet<Output>();

/**
 * Adds an error listener, because a stream error without a listener ends the process. The callback of `write` receives the error too. One
 * listener per stream is enough.
 */
function ignoreStreamErrors(output: Output): void {
  if (HANDLED_OUTPUTS.has(output)) return;
  HANDLED_OUTPUTS.add(output);
  output.on('error', () => undefined);
}

type Put = (output: Output, text: string, done: (text: string, error?: Error | null) => void) => void;

const toStream: Put = (output, text, done) => {
  if (output.writableLength > MAX_BUFFERED_BYTES) done(text, new Error('The reader stands still.'));
  else output.write(text, (error) => done(text, error));
};

/** Writes to a file directly. After a full disk, a stream never tries again, but a direct write does with the next line. */
const toFile: Put = ({ fd }, text, done) => {
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    done(text);
  } catch (error) {
    done(text, error as Error);
  }
};

/** True for files and for devices such as /dev/full; false for terminals and pipes. */
function isFile(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY);
  } catch {
    return false;
  }
}
