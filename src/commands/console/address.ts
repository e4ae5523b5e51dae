// Where the server of a data folder is reached: noted while it runs, for a command that points there.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Serving {
  pid: number;
  url: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'serving.json');

/** Notes where a server listens. Answers what takes the note back, where no other server has written its own since. */
export function noteAddress(dataDir: string, url: string): () => void {
  const file = fileIn(dataDir);
  try {
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, url } satisfies Serving)}\n`, { mode: 0o600 });
  } catch {
    // Whoever serves from a folder that cannot be written to is asked for --url.
  }
  return () => {
    if (noted(dataDir)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Where the server of a data folder is reached; null where none runs. */
export function addressOf(dataDir: string): string | null {
  const found = noted(dataDir);
  return found && isRunning(found.pid) ? found.url : null;
}

function noted(dataDir: string): Serving | null {
  try {
    const { pid, url } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Serving;
    return Number.isInteger(pid) && pid > 0 && URL.canParse(url) ? { pid, url } : null;
  } catch {
    return null;
  }
}

/** A signal 0 asks only whether the process is there; somebody else's may not be asked, and is. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** An address that stands for all of a machine's own, as a browser on it can ask for it. */
export const forBrowsers = (url: string): string =>
  url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//localhost');
