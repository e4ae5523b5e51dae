// The minimum work of a Node server: reads the body, and answers given bytes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [text, pairs] = process.argv.slice(2) as [string, string];
const headers: string[] = JSON.parse(pairs);

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
