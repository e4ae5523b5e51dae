// Address, API key and TLS files of an upstream graph, from the setting `graph`.
import { createSecureContext } from 'node:tls';
import { BonafideError } from '../../errors.ts';
import { readTextFile } from '../../platform/files.ts';

export interface UpstreamCredentialSettings {
  url?: string | undefined;
  keyFile?: string | undefined;
  keyEnv?: string | undefined;
  header?: string | undefined;
  cert?: string | undefined;
  certKey?: string | undefined;
  ca?: string | undefined;
}
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the HTTP header with the API key for the upstream server; empty if the settings name none. Reads the API key at each call, so that a new
 * one needs no restart. Errors: graph_unavailable if it is missing.
 */
export function readUpstreamApiKeyHeader(
  { keyFile, keyEnv, header }: UpstreamCredentialSettings,
  env: EnvironmentVariables,
): Record<string, string> {
  if (keyFile === undefined && keyEnv === undefined) return {};
  const text = keyFile === undefined ? env[keyEnv ?? ''] : readText(keyFile);
  const key = (text ?? '').split('\n')[0]?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(key))
    return header === undefined ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key };
  const origin =
    keyFile === undefined
      ? `The environment variable ${keyEnv} (graph.keyEnv)`
      : `The file ${keyFile} (graph.keyFile)`;
  throw new BonafideError(
    'graph_unavailable',
    `${origin} contains no API key for the upstream graph. Put the key there.`,
  );
}

/** Throws if the configured API key for the upstream server is missing. Errors: invalid_config. */
export function refuseMissingUpstreamApiKey(
  settings: UpstreamCredentialSettings,
  env: EnvironmentVariables,
): void {
  try {
    readUpstreamApiKeyHeader(settings, env);
  } catch (error) {
    throw error instanceof BonafideError ? new BonafideError('invalid_config', error.message) : error;
  }
}

/** Reads the client certificate, its private key, and the certificates of authorities. Errors: invalid_config if a file cannot be read or used. */
export function readTlsFiles({ cert, certKey, ca }: UpstreamCredentialSettings) {
  if ((cert === undefined) !== (certKey === undefined))
    throw new BonafideError('invalid_config', 'Set both graph.cert and graph.certKey, or neither.');
  const tls = {
    cert: readPem('cert', cert),
    key: readPem('certKey', certKey),
    ca: readPem('ca', ca),
  };
  try {
    createSecureContext(tls);
    return tls;
  } catch {
    throw new BonafideError(
      'invalid_config',
      'A file of graph.cert, graph.certKey or graph.ca is not in PEM format, or the key does not belong to the certificate. Correct the files.',
    );
  }
}

function readPem(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const text = readText(file);
  if (text !== null) return text;
  throw new BonafideError(
    'invalid_config',
    `The file ${file} of graph.${option} cannot be read. Check its path and permissions.`,
  );
}

function readText(file: string): string | null {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    return null;
  }
}

/** True if a header contains a test API key of Bonafide, for which the upstream server answers from invented people. */
export const isTestKeyHeader = (header: Record<string, string>): boolean =>
  Object.values(header).some((value) => /^(?:Bearer )?bf_test_/.test(value));

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns a warning in a list if queries are sent to another machine without encryption; otherwise an empty list. */
export function listUpstreamUrlWarnings(url: string): string[] {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return [];
  return [`Checked values are sent to ${host} without encryption: use an https address in graph.url.`];
}

/** Returns the configured URL of the upstream server. Errors: invalid_config. */
export function requireUpstreamUrl({ url }: UpstreamCredentialSettings): string {
  if (url === undefined)
    throw new BonafideError(
      'invalid_config',
      'graph.engine is upstream, but graph.url is missing: set it to the address of the other server.',
    );
  const { search, hash } = new URL(url);
  if (search + hash === '') return url;
  throw new BonafideError(
    'invalid_config',
    'graph.url must have no query or fragment. Set the API key with graph.keyFile or graph.keyEnv.',
  );
}
