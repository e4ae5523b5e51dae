// What is shown to the server of an upstream graph.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { BonafideError } from '../../errors.ts';

export interface CredentialSettings {
  url?: string | undefined;
  keyFile?: string | undefined;
  keyEnv?: string | undefined;
  header?: string | undefined;
  cert?: string | undefined;
  certKey?: string | undefined;
  ca?: string | undefined;
}
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The header that lets us in, read anew at each call, so that a rotated key needs no restart; none where the settings name no key.
 *
 * Errors: graph_unavailable where the key is not there.
 */
export function readKeyHeader(settings: CredentialSettings, env: Variables): Record<string, string> {
  const { keyFile, keyEnv, header } = settings;
  if (keyFile === undefined && keyEnv === undefined) return {};
  const [text = ''] = (keyFile === undefined ? (env[keyEnv ?? ''] ?? '') : keyText(keyFile)).split('\n');
  const key = text.trim();
  const from =
    keyFile === undefined ? `The variable that graph.keyEnv names` : `The file ${keyFile} of graph.keyFile`;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new BonafideError('graph_unavailable', `${from} holds no key.`);
  return header === undefined ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key };
}

/** Errors: invalid_config where the key is not there. */
export function requireGraphKey(settings: CredentialSettings, env: Variables): void {
  try {
    readKeyHeader(settings, env);
  } catch (error) {
    throw error instanceof BonafideError ? new BonafideError('invalid_config', error.message) : error;
  }
}

/** What TLS shows and believes. Errors: invalid_config where a file cannot be read, or they do not fit. */
export function readTlsFiles({ cert, certKey, ca }: CredentialSettings) {
  if ((cert === undefined) !== (certKey === undefined))
    throw new BonafideError('invalid_config', 'graph.cert and graph.certKey go together.');
  const read = (part: string, file: string | undefined) =>
    file === undefined ? undefined : textOf(part, file);
  const tls = { cert: read('cert', cert), key: read('certKey', certKey), ca: read('ca', ca) };
  try {
    createSecureContext(tls);
  } catch {
    throw new BonafideError(
      'invalid_config',
      'The certificates and the key of graph are no PEM, or do not fit.',
    );
  }
  return tls;
}

/** Whether it is one of a Bonafide's test keys, which are answered from a sample. */
export const isTestKey = (header: Record<string, string>): boolean =>
  Object.values(header).some((value) => /^(?:Bearer )?bf_test_/.test(value));

const OWN = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What an operator is told of an address. */
export function urlWarnings(url: string): string[] {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || OWN.test(hostname)) return [];
  return [`What is checked travels to ${host} in the clear: make graph.url an https address.`];
}

/** Empty where it cannot be read. */
function keyText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function textOf(part: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new BonafideError('invalid_config', `graph.${part} names ${file}, which cannot be read.`);
  }
}

/** The address of the other server. Errors: invalid_config. */
export function requireUrl({ url }: CredentialSettings): string {
  if (url === undefined)
    throw new BonafideError('invalid_config', 'graph.engine is upstream: graph.url must say where that is.');
  const { username, password, search, hash } = new URL(url);
  if (username + password + search + hash === '') return url;
  throw new BonafideError(
    'invalid_config',
    'graph.url is an address without user, query and fragment: name a key by graph.keyFile or graph.keyEnv.',
  );
}
