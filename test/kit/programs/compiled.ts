// A folder for as long as the tests run. Programs that they start load in half the time: what Node compiles of the source is kept in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function keepCompiled(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  process.env.TESTS_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
