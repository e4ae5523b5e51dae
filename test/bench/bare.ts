// The least that a Node server can do: read the body, answer a text.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const text = process.argv[2]!;
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };

const server = createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => {
    response.writeHead(200, headers);
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
