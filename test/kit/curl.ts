// Runs the curl lines of documents and the demo.
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

/** Splits a curl line with a real shell, and sends its request with fetch, because the machine may lack curl. */
export async function paste(line: string) {
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
    encoding: 'utf8',
  }).split('\0');
  const [silent, url = '', , key = '', , type = '', , body = ''] = words;
  expect([silent, words.length]).toEqual(['-s', 9]);
  const headers = Object.fromEntries([key, type].map((header) => header.split(': ') as [string, string]));
  const response = await fetch(url, { method: 'POST', headers, body });
  return JSON.parse(await response.text());
}
