// Why a plugin does not load, in one line.
import { spawnSync } from 'node:child_process';
import { isSea } from 'node:sea';

/** Half a sentence on why a file could not be loaded, with file and line where its syntax is wrong. */
export function troubleOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return firstLine(String(error));
  const text = firstLine(error.message);
  if (isAsync(error))
    return 'it has a top-level await, which a plugin cannot have; `open` of a model may be async';
  if (!(error instanceof SyntaxError)) return text;
  const place = placeIn(error.stack) ?? placeIn(checked(file));
  return place ? `${text} (${place})` : text;
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').trim().replace(/\.$/, '');
}

function isAsync(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE';
}

/** Node begins a stack, or what it prints, with `file:///a/b.ts:3` where a syntax error is. */
function placeIn(text: string | undefined): string | undefined {
  return /^(?:file:\/\/)?(\/[^\n]*|[A-Za-z]:[^\n]*):(\d+)$/m
    .exec(text?.split('\n')[0] ?? '')
    ?.slice(1)
    .join(', line ');
}

/** The error of a required ES module does not say where it is; Node's own check of the file does, where Node is a program of its own. */
function checked(file: string): string {
  if (isSea()) return '';
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr ?? '';
}
