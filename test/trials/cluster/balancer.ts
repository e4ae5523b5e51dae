// A TCP load balancer: each connection goes to the next server that accepts it.
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Balancer {
  port: number;
  close(): void;
}

export async function startBalancer(ports: number[]): Promise<Balancer> {
  let next = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => undefined);
    const first = next++;
    const attempt = (tries: number) => {
      const port = ports[(first + tries) % ports.length];
      if (port === undefined || tries === ports.length) return void client.destroy();
      const behind = connect(port, '127.0.0.1');
      behind.once('connect', () => join(client, behind));
      behind.once('error', () => (behind.pending ? attempt(tries + 1) : client.destroy()));
    };
    attempt(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const client of open) client.destroy();
    },
  };
}

function join(client: Socket, behind: Socket): void {
  for (const [from, to] of [
    [client, behind],
    [behind, client],
  ] as const) {
    from.setNoDelay(true);
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
