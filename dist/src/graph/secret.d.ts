/**
 * The one secret under which fingerprints are keyed and names are encrypted: 32 bytes as 64 hex characters.
 *
 * It comes from `given` (the environment) or from the file `secret` in the data folder. The file is made at first use, mode
 * 0600, but never beside a graph that already exists: a new secret would make that graph unreadable for good.
 *
 * Errors: `secret_missing`, `wrong_secret` (not of the right form), `read_only` (the folder or the file cannot be used).
 */
export declare function loadSecret(dataDir: string, given?: string): string;
