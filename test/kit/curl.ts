// A curl line as documents and the demo print it.
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

/** Lets a real shell take the line apart, and sends what curl would; a bare machine need not have curl. */
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
