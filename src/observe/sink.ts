// Where log lines go, and what becomes of them where they cannot: a server outlives its log.
import { fstatSync, writeSync } from 'node:fs';

export interface LogHealth {
  /** Whether the last lines could not be written. */
  failing: boolean;
  /** Lines that were not written since the start. */
  lost: number;
}

export interface LogSink {
  /** Takes whole lines. Never throws. */
  write(text: string): void;
  health(): LogHealth;
}

/** What a reader that has stopped reading is kept at most, in bytes; later lines are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

type Output = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'on'> & { fd: number };

/** Standard output, or another stream like it: a pipe whose reader is gone or stands still, and a full disk, cost lines and nothing else. */
export function createOutputSink(output: Output = process.stdout): LogSink {
  let failing = false;
  let lost = 0;
  const done = (text: string, error?: Error | null) => {
    failing = Boolean(error);
    if (error) lost += text.split('\n').length - 1;
  };
  ignoreStreamErrors(output);
  const put = isFile(output.fd) ? toFile : toStream;
  return { write: (text) => put(output, text, done), health: () => ({ failing, lost }) };
}

const HANDLED_OUTPUTS = new WeakSet<Output>();

/** The error reaches the write as well; without a listener it would end the process. One is enough for all logs. */
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

/** A stream never tries again after a full disk; a file does, with the next line. */
const toFile: Put = ({ fd }, text, done) => {
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    done(text);
  } catch (error) {
    done(text, error as Error);
  }
};

/** Terminals and pipes are no files; /dev/full and its like are. */
function isFile(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY);
  } catch {
    return false;
  }
}
