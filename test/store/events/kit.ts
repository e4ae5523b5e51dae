import type { Store } from '../../../src/store/store.ts';

/** Adds an endpoint with a secret that nothing is signed with. */
export const addEndpointRow = (
  { raw }: Store,
  id: string,
  account: string,
  url = 'http://127.0.0.1:1/',
): void =>
  void raw
    .prepare('INSERT INTO endpoints (id, account, url, secret, created) VALUES (?, ?, ?, ?, 0)')
    .run(id, account, url, Buffer.from('sealed'));
