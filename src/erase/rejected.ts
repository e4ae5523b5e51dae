import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../platform/files.ts';

/** Takes the lines about some records out of the rejects of the last import, and overwrites the file that held them. */
export function dropRejects(dataDir: string, recordIds: Set<string>): void {
  const file = join(dataDir, 'rejects.jsonl');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const left = lines.filter((line) => !recordIds.has(recordIdOf(line)));
  if (left.length === lines.length) return;
  overwrite(file);
  replaceFile(file, left.join('\n'));
}

function recordIdOf(line: string): string {
  try {
    return String((JSON.parse(line) as { record_id?: unknown }).record_id ?? '');
  } catch {
    return '';
  }
}

function overwrite(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(statSync(file).size), 0);
  fsyncSync(opened);
  closeSync(opened);
}
