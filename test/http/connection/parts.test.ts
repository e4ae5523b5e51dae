// Bodies that arrive in many parts.
import { connect } from 'node:net';
import { H3Event } from 'h3';
import { expect, it } from 'vitest';
import { RECORDS_FILE_BODY_FORMAT, writeBodyToFile } from '../../../src/http/body.ts';
import { toProblem } from '../../../src/http/problems.ts';
import { freshApp, JANE } from '../../kit/app.ts';

/** Sends a body of 60,000 bytes in chunks of one size, and returns the answer. */
function sendInChunks(url: string, headers: string, { json, bytes }: { json: string; bytes: number }) {
  const body = json.padEnd(60_000);
  const chunks = Array.from({ length: Math.ceil(body.length / bytes) }, (_, i) => {
    const chunk = body.slice(i * bytes, (i + 1) * bytes);
    return `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  });
  const { hostname, port, pathname } = new URL(url);
  return new Promise<string>((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: x\r\n${headers}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
          `${chunks.join('')}0\r\n\r\n`,
      ),
    );
    socket.on('data', (data) => (answer += data)).on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

it.each([
  ['/v1/validate', 'application/json', 200],
  ['/admin/v1/records', 'application/x-ndjson', 422],
  ['/admin/v1/graph/imports', 'application/octet-stream', 201],
])('%s refuses a body in tiny chunks, and takes it in larger ones', async (path, type, status) => {
  const { app, key } = await freshApp();
  const { url } = await app.listen();
  const headers = `X-API-Key: ${key(['admin', 'validate'])}\r\nContent-Type: ${type}`;
  const json = JSON.stringify(JANE);
  const refused = await sendInChunks(`${url}${path}`, headers, { json, bytes: 1 });
  expect(refused).toMatch(/^HTTP\/1.1 413 /);
  expect(refused).toContain('too many small parts');
  expect(await sendInChunks(`${url}${path}`, headers, { json, bytes: 64 })).toMatch(`HTTP/1.1 ${status} `);
});

it('an upload that cannot be written is answered as an unavailable store', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: 'name\n',
    headers: { 'content-type': 'application/octet-stream' },
  });
  const writing = writeBodyToFile(new H3Event(request), '/missing/upload', RECORDS_FILE_BODY_FORMAT);
  expect(toProblem(await writing.catch((error: unknown) => error)).code).toBe('store_unavailable');
});
