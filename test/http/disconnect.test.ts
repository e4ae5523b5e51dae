// Clients that disconnect, and servers that share a folder.
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/app.ts';
import { openLog } from '../../src/observe/log.ts';
import { freshApp, JANE, json } from '../kit/app.ts';

it('a call whose client disconnects before the answer is counted', async () => {
  const test = await freshApp();
  const { url } = await test.app.listen();
  const key = test.key();
  const body = JSON.stringify(JANE);
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  });
  await expect.poll(async () => (await json(test.send('/v1/usage', { key }))).calls).toBe(1);
});

it('several servers on one folder count every call', async () => {
  const test = await freshApp();
  const other = await openApp(test.app.config, openLog('silent'));
  onTestFinished(() => other.close());
  const key = test.key();
  const ask = (app: typeof other) =>
    app.http.fetch(
      new Request('http://localhost/v1/validate', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(JANE),
      }),
    );
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i % 2 ? other : test.app)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
  expect(await json(test.send('/v1/usage', { key }))).toMatchObject({ calls: 60 });
});
