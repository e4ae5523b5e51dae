// Command `bonafide ready`: readiness of the server of these settings, for health checks of containers.
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { resultOr } from '../../errors.ts';
import type { Config } from '../../config.ts';
import { defineOption } from '../helpers/arguments.ts';
import { defineCommand, loadSettings, printResult } from '../helpers/command.ts';

const TIMEOUT_MS = 4000;

export const readyCommand = defineCommand('Ask the server whether it is ready; exit code 1 if it is not', {
  args: { port: defineOption('Port of the server (BONAFIDE_PORT; default 8787)') },
  examples: ['ready', 'ready --port 80'],
  run: async (args) => {
    const { ready, status } = await requestReadiness(await loadSettings(args, { port: args.port }));
    printResult(args, { ready, status }, status);
    return ready ? 0 : 1;
  },
});

interface Readiness {
  ready: boolean;
  /** Status that the server reports; or a sentence if no server answers, or the answer is not from Bonafide. */
  status: string;
}

function requestReadiness(config: Config): Promise<Readiness> {
  const socketPath = config.listen?.replace(/^unix:/, '');
  const address =
    socketPath === undefined ? { host: toLoopback(config.host), port: config.port } : { socketPath };
  const send = config.tls && socketPath === undefined ? secureRequest : request;
  return new Promise((resolve) => {
    const resolveUnreachable = () =>
      resolve({ ready: false, status: 'no server answers at the address of these settings' });
    // The server is on this machine: the host name in its certificate does not matter.
    const options = { ...address, rejectUnauthorized: false, path: '/readyz', timeout: TIMEOUT_MS };
    const sent = send(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', resolveUnreachable);
      response.on('end', () =>
        resolve({ ready: response.statusCode === 200, status: parseStatus(Buffer.concat(parts)) }),
      );
    });
    sent
      .on('error', resolveUnreachable)
      .on('timeout', () => sent.destroy(new Error('timeout')))
      .end();
  });
}

const parseStatus = (body: Buffer): string =>
  resultOr(
    () => String((JSON.parse(body.toString('utf8')) as { status?: unknown }).status),
    'the server at this address is not Bonafide',
  );

/** Replaces the wildcard addresses 0.0.0.0 and :: by the loopback address. */
const toLoopback = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;
