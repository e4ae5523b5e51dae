/**
 * The folder of the socket, where the address of a PostgreSQL names one in place of a host, `postgres://user@%2Frun%2Fpostgresql/database`:
 * an option of the driver, which takes such a host for a name.
 */
export function socketIn(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname);
  return host.startsWith('/') ? { host } : {};
}
