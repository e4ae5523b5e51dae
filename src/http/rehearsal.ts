import { openLog } from '../observe/log.ts';
import { warmUp } from '../platform/warm-up.ts';
import { createHttp } from './server.ts';
import type { ServerDeps } from './server.ts';

const KEY = 'warm-up';

/**
 * Sends made-up people through the server as it is, but for key and log, for at most `mostMs`. `deps.validate` should write no call log:
 * nothing is kept.
 */
export async function rehearse(deps: ServerDeps, mostMs: number): Promise<void> {
  const app = createHttp({
    ...deps,
    findKey: () => ({ keyId: KEY, account: null, scopes: ['validate'], test: false, plan: null }),
    limiter: {
      enter: () => ({ policies: [], refused: null, standing: null, leave: () => undefined }),
      look: () => [],
    },
    log: openLog('silent'),
  });
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  await warmUp(async (path, body) => {
    await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
  }, mostMs);
}
