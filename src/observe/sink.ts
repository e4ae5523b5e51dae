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

/** Maximum number of bytes that wait for a slow reader. Further lines are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

type Output = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'on'> & { fd: number };

/**
 * Creates a sink that writes to standard output or a similar stream. A blocked or closed pipe, or a full disk, loses lines but never stops the
 * server.
 */
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

/** Adds an error listener to a stream, because an error without a listener would end the process. */
function ignoreStreamErrors(output: Output): void {
  if (HANDLED_OUTPUTS.has(output)) return;
  HANDLED_OUTPUTS.add(output);
  output.on('error', () => undefined);
}

type Put = (output: Output, text: string, done: (text: string, error?: Error | null) => void) => void;

const toStream: Put = (output, text, done) => {
  if (output.writableLength > MAX_BUFFERED_BYTES) done(text, new Error('The reader does not read.'));
  else output.write(text, (error) => done(text, error));
};

/** Writes to a file without a stream, which would never try again after a full disk. */
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
