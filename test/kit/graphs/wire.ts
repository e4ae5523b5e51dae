// A proxy between the driver and a PostgreSQL that counts statements.
import { createServer, connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freshFolder } from '../folder.ts';

export interface Wire {
  /** Address of the database through the proxy. */
  url: string;
  /** Returns the number of statements that were executed since the last call. */
  executed(): number;
}

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Opens a socket in front of the socket of a database. */
export async function wireTo(url: string): Promise<Wire> {
  const behind = new URL(url);
  const folder = freshFolder();
  let executed = 0;
  const server = createServer((client) => {
    const database = connect(join(decodeURIComponent(behind.hostname), '.s.PGSQL.5432'));
    const count = messages((type) => void (executed += Number(type === EXECUTE || type === QUERY)));
    client.on('data', count);
    joined(client, database);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  onTestFinished(() => void server.close());
  return {
    url: url.replace(behind.hostname, encodeURIComponent(folder)),
    executed() {
      const before = executed;
      executed = 0;
      return before;
    },
  };
}

function joined(client: Socket, database: Socket): void {
  for (const [from, to] of [
    [client, database],
    [database, client],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

/** Returns a consumer of a client's bytes, which calls `told` with the type of each message. The first message, which begins the session, has no type. */
function messages(told: (type: number) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let begun = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = begun ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      if (begun) told(rest[0] ?? 0);
      begun = true;
      rest = rest.subarray(length);
    }
  };
}
