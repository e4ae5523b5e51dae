import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { curlLine } from '../../src/commands/demo.ts';
import { freshFolder } from '../kit/folder.ts';
import { startServer } from '../kit/server.ts';

/** Lets a real shell take the line apart, and sends what curl would; a bare machine need not have curl. */
async function paste(line: string) {
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
    encoding: 'utf8',
  }).split('\0');
  const [silent, url, , key, , type, , body] = words;
  expect([silent, words.length]).toEqual(['-s', 9]);
  const headers = Object.fromEntries([key!, type!].map((header) => header.split(': ') as [string, string]));
  const response = await fetch(url!, { method: 'POST', headers, body: body! });
  return JSON.parse(await response.text());
}

it('the demo loads a sample, prints a line that works as it is, and starts again with the same key', async () => {
  const folder = freshFolder();
  const first = await startServer(folder, '--demo');
  const line = curlLine(first.url, first.demoKey!);
  const answer = await paste(line);
  first.process.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect(answer).toMatchObject({ success: true, dominant_identity: expect.any(Number) });
  const statuses = Object.values<{ inputs?: { match_status: string }[] }>(answer.input_validation).flatMap(
    ({ inputs }) => inputs?.map(({ match_status: status }) => status.replace(/ \(.*/, '')) ?? [],
  );
  expect(new Set(statuses).size).toBeGreaterThanOrEqual(3);

  const again = await startServer(folder, '--demo');
  expect(again.demoKey).toBe(first.demoKey);
  const usage = await fetch(`${again.url}/v1/usage`, { headers: { 'x-api-key': again.demoKey! } });
  expect(await usage.json()).toMatchObject({ calls: 1 });
  expect(statSync(`${folder}/demo-key`).mode & 0o777).toBe(0o600);
});
