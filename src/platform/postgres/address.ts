// Addresses of PostgreSQL databases, in the form of libpq (postgresql.org/docs/current/libpq-connect.html, "Connection URIs").
import { isIPv6 } from 'node:net';

/** Host and port of a PostgreSQL server. */
export interface PostgresHost {
  /** Name or IP address of the host, or the folder of a socket (begins with a slash). */
  host: string;
  port: number;
}

/** Servers that a connection may use: those that accept writes, primaries, or any. */
export type PostgresTargetServer = 'read-write' | 'primary' | 'any';

export interface PostgresAddress {
  hosts: PostgresHost[];
  target: PostgresTargetServer;
  /** User name; empty if the address has none. */
  user: string;
  password: string;
  /** Database name; empty if the address has none. */
  database: string;
  /** Query parameters for the driver and the server, such as `sslmode=verify-full`. */
  parameters: URLSearchParams;
}

/** Error for an invalid address. Its message contains no part of the address, because any part may be a password. */
class PostgresAddressError extends Error {}

const DEFAULT_HOST = 'localhost';
const DEFAULT_PORT = 5432;
const ESCAPE_HINT = '. Write / ? and @ of a user or password as %2F %3F and %40';
const FORM = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?]*))?(?:\?(.*))?$/s;

/**
 * Parses a postgres:// address with one or more comma-separated hosts. The parameters `host` and `port` replace the hosts before the path.
 * Errors: PostgresAddressError.
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  if (!/^postgres(?:ql)?:\/\//.test(text)) refuse('it must begin with postgres://');
  if (text.includes('#')) refuse('a # must be written as %23');
  const [, login = '', authority = '', path = '', query = ''] = FORM.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const take = (name: string) => {
    const value = parameters.getAll(name).at(-1);
    parameters.delete(name);
    return value;
  };
  if (parameters.has('hostaddr')) refuse('hostaddr is not supported: write the IP address as the host');
  const [hostList, portList, target] = [take('host'), take('port'), take('target_session_attrs')];
  // A slash or a question mark in the password ends the part with the hosts too early.
  if (login === '' && path.includes('@')) refuse(`the part before @ has a /${ESCAPE_HINT}`);
  const hint = query.includes('@') ? ESCAPE_HINT : '';
  const hosts = withHint(hint, () => parseHosts(authority, hostList, portList));
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(login) ?? [];
  return {
    hosts,
    target: parseTarget(target, hosts.length),
    user: decode(user, 'the user'),
    password: decode(password, 'the password'),
    database: decode(path, 'the database'),
    parameters,
  };
}

/** Parses a list of hosts such as `a.internal:5432,[::1]`, or an array of hosts. Errors: PostgresAddressError. */
export const parsePostgresHostList = (list: string | readonly string[]): PostgresHost[] =>
  parseHosts([list].flat().join(',').replaceAll(/\s/g, ''));

function parseHosts(authority: string, hostList?: string, portList?: string): PostgresHost[] {
  const entries = (hostList ?? authority).split(',');
  const ports = portList?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== entries.length)
    refuse(`it has ${ports.length} ports for ${entries.length} ${entries.length === 1 ? 'host' : 'hosts'}`);
  return entries.map((entry, i) => {
    const name = entries.length === 1 ? 'the host' : `host ${i + 1}`;
    // In the parameter `host`, an IPv6 address has no brackets and a port is not possible.
    const [host, ownPort] = hostList === undefined ? splitEntry(entry, name) : [entry, ''];
    if (host === '' && entries.length > 1) refuse(`${name} is empty`);
    return {
      host: checkHost(host, name),
      port: parsePort(ports[i] ?? ports[0] ?? ownPort, name),
    };
  });
}

/** Splits `host:port`; the host may be an IPv6 address in brackets. */
function splitEntry(entry: string, name: string): [host: string, port: string] {
  const [, ip, ipPort = ''] = /^\[([^\]]*)\](?::(.*))?$/s.exec(entry) ?? [];
  if (ip !== undefined) {
    if (isIPv6(decode(ip, name))) return [decode(ip, name), ipPort];
    refuse(`${name} has brackets, but is not an IPv6 address`);
  }
  const [host = '', port = '', ...others] = entry.split(':');
  if (others.length > 0) refuse(`${name} has several colons: write an IPv6 address in brackets`);
  return [decode(host, name), port];
}

function checkHost(host: string, name: string): string {
  if (/[\s\p{Cc}<>[\]\\^|@,?*"'`{}]/u.test(host) && !host.startsWith('/'))
    refuse(`${name} has a character that no host name has`);
  return host || DEFAULT_HOST;
}

function parsePort(text: string, name: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (!/^\d*$/.test(text) || port < 1 || port > 65_535)
    refuse(`the port of ${name} must be a number from 1 to 65535`);
  return port;
}

const TARGETS = ['read-write', 'primary', 'any'] as const;
const STANDBY_TARGETS = ['standby', 'prefer-standby', 'read-only'];

/** Parses the parameter for the servers to use. The default for several hosts is `read-write`, because store and graph cannot use a standby. */
function parseTarget(text: string | undefined, hostCount: number): PostgresTargetServer {
  if (text === undefined) return hostCount > 1 ? 'read-write' : 'any';
  const target = TARGETS.find((known) => known === text);
  if (target) return target;
  return refuse(
    STANDBY_TARGETS.includes(text)
      ? `target_session_attrs=${text} leads to a standby, which cannot be written. Use read-write, primary or any`
      : 'target_session_attrs must be read-write, primary or any',
  );
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`a % in ${name} must be written as %25`);
  }
}

function withHint<T>(hint: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof PostgresAddressError ? new PostgresAddressError(error.message + hint) : error;
  }
}

function refuse(problem: string): never {
  throw new PostgresAddressError(problem);
}

/** Describes a valid address in error messages. */
export const POSTGRES_ADDRESS_DESCRIPTION = 'an address such as postgres://bonafide@db.example/bonafide';

/** Returns the problem of an address as a clause that can follow a colon; null if it is valid. */
export const findPostgresAddressProblem = (text: string): string | null =>
  findProblem(() => parsePostgresAddress(text));

/** Returns the problem of a list of hosts; null if it is valid. */
export const findPostgresHostListProblem = (list: string | readonly string[]): string | null =>
  findProblem(() => parsePostgresHostList(list));

function findProblem(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    return error instanceof PostgresAddressError ? error.message : 'it cannot be read';
  }
}
