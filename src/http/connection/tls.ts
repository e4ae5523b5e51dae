import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { BonafideError } from '../../errors.ts';

export interface TlsFiles {
  cert: string;
  key: string;
}

/** How often the files are looked at. A renewed certificate replaces a link as often as a file, which a watch on it would miss. */
const LOOK_EVERY_MS = 1000;

/** Certificate and key as a server takes them. Errors: unreadable_file. */
export function readCertificate({ cert, key }: TlsFiles) {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return { ...pair, minVersion: 'TLSv1.2' as const };
  } catch {
    const missing = Object.entries({ cert, key }).filter(([, file]) => !existsSync(file));
    const sentences = missing.map(([name, file]) => `tls.${name} names ${file}, and there is no such file.`);
    const unfit = `The certificate ${cert} and the key ${key} cannot be used: check that both are in PEM and belong together.`;
    throw new BonafideError('unreadable_file', sentences.join(' ') || unfit);
  }
}

/** Takes a renewed certificate on while serving; one that cannot be used is told, and the earlier one stays. Returns how to stop. */
export function watchCertificate(
  server: Server,
  files: TlsFiles,
  log: { info(text: string): void; warn(text: string): void },
) {
  const renew = () => {
    try {
      server.setSecureContext(readCertificate(files));
      log.info('the certificate was read again');
    } catch (error) {
      log.warn(`${(error as Error).message} The earlier one stays in use.`);
    }
  };
  const watched = [files.cert, files.key];
  for (const file of watched) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, renew);
  return () => {
    for (const file of watched) unwatchFile(file, renew);
  };
}
