// The package `bonafide`: the app of `bonafide serve` inside another program.
//     const bonafide = await openApp(await loadConfig({ flags: { dataDir: './identities' } }));
//     const answer = await bonafide.fetch(new Request('http://host/v1/validate', { method: 'POST', … }));
import { openApp as open } from './app.ts';
import type { Config } from './config.ts';

export { loadConfig } from './config.ts';
export type { Config, ConfigSources as Sources } from './config.ts';
export { BonafideError } from './errors.ts';
export type { ErrorCode } from './errors.ts';

export interface Bonafide {
  /** Answers one HTTP request without a port. Routes and API keys are those of the server. */
  fetch(request: Request): Promise<Response>;
  /** Listens on the configured port and warms up. Resolves to the server's address. */
  listen(): Promise<{ url: string }>;
  /** Waits until running requests are answered, then closes everything. A repeated `close` has no effect. */
  close(): Promise<void>;
}

/**
 * Opens the graph, the store and the AI features of a data folder.
 * Errors: wrong_secret, secret_missing, foreign_database, damaged_database, newer_database, read_only, disk_full,
 * database_busy, unreadable_file, invalid_config, file_not_found.
 */
export async function openApp(config: Config): Promise<Bonafide> {
  const app = await open(config);
  return {
    fetch: async (request) => app.http.fetch(request),
    listen: async () => ({ url: (await app.listen()).url }),
    close: () => app.close(),
  };
}
