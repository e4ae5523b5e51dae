// Reads the TLS certificate and key of the server, and reads them again after a renewal.
import { existsSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { BonafideError } from '../../errors.ts';
import { readTextFile } from '../../platform/files.ts';

export interface TlsFiles {
  cert: string;
  key: string;
}

/** Interval (ms) at which the certificate and key files are checked for changes. A file watcher would miss a renewal by symbolic link. */
const POLL_MS = 1000;

/** Reads certificate and private key, and returns them as options of a TLS server. Errors: unreadable_file. */
export function readCertificateAndKey({ cert, key }: TlsFiles) {
  try {
    const pair = { cert: readTextFile(cert), key: readTextFile(key) };
    createSecureContext(pair);
    return { ...pair, minVersion: 'TLSv1.2' as const };
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    const missing = Object.entries({ cert, key }).filter(([, file]) => !existsSync(file));
    const sentences = missing.map(([name, file]) => `tls.${name} names ${file}, which does not exist.`);
    const unusable = `The certificate ${cert} and the key ${key} cannot be used. Check that both are PEM files and belong together.`;
    throw new BonafideError('unreadable_file', sentences.join(' ') || unusable);
  }
}

/**
 * Watches the certificate files, and uses a renewed certificate without a restart. An invalid one is logged and not used. Returns a function
 * that stops watching.
 */
export function watchCertificate(
  server: Server,
  files: TlsFiles,
  log: { info(text: string): void; warn(text: string): void },
) {
  const renew = () => {
    try {
      server.setSecureContext(readCertificateAndKey(files));
      log.info('the renewed certificate is in use');
    } catch (error) {
      log.warn(`${(error as Error).message} The earlier certificate stays in use.`);
    }
  };
  const watched = [files.cert, files.key];
  for (const file of watched) watchFile(file, { interval: POLL_MS, persistent: false }, renew);
  return () => {
    for (const file of watched) unwatchFile(file, renew);
  };
}
