// bonafide ready: whether the server of these settings takes calls, for what has no other way to ask, such as a container's health check.
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Config } from '../../config.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print } from '../shared/command.ts';

const PATIENCE_MS = 4000;

export default defineCommand({
  meta: {
    name: 'ready',
    description: 'Ask the server of these settings whether it takes calls; 1 where not',
  },
  args: {
    ...COMMON_OPTIONS,
    port: { type: 'string', description: 'Port that it listens on (BONAFIDE_PORT; default 8787)' },
  },
  examples: ['ready', 'ready --port 80'],
  async run({ args }) {
    const { ready, text } = await askReady(await loadSettings(args, { port: args.port }));
    print(args, { ready, status: text }, text);
    return ready ? 0 : 1;
  },
});

interface Answer {
  ready: boolean;
  /** What the server says of itself, or that none answers. */
  text: string;
}

function askReady(config: Config): Promise<Answer> {
  const socket = config.listen?.replace(/^unix:/, '');
  const to =
    socket === undefined ? { host: loopback(config.host), port: config.port } : { socketPath: socket };
  // Asked on the machine itself: what its certificate says of names does not matter here.
  const secure = { rejectUnauthorized: false };
  const ask = config.tls && socket === undefined ? secureRequest : request;
  return new Promise((resolve) => {
    const gone = () =>
      resolve({ ready: false, text: 'no server answers where these settings have it listen' });
    const asked = ask({ ...to, ...secure, path: '/readyz', timeout: PATIENCE_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', gone);
      response.on('end', () =>
        resolve({ ready: response.statusCode === 200, text: statusIn(Buffer.concat(parts)) }),
      );
    });
    asked.on('error', gone).on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.end();
  });
}

function statusIn(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString('utf8')) as { status?: unknown }).status);
  } catch {
    return 'what answers there is no Bonafide';
  }
}

/** An address that stands for all of a machine's own is asked by the one that every machine has. */
const loopback = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;
