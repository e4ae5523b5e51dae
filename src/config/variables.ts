// The variables of the environment that are ours, and those that only look so.
import { readFileSync, statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { nearest } from '../normalise/nearest.ts';
import { ENVIRONMENT } from './settings.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables that Kubernetes sets for a service whose name begins with `bonafide`: `BONAFIDE_SERVICE_HOST`, `BONAFIDE_PORT_80_TCP_ADDR` …
 * `BONAFIDE_PORT` is one of them where its value is an address. See kubernetes.io, "Accessing the Service", environment variables.
 */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const isServiceLink = (name: string, value = '') =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):/i.test(value));

export function ownValue(name: string, env: Variables): string | undefined {
  return isServiceLink(name, env[name]) ? undefined : env[name];
}

/** What commands and clients that ask another server go by; no settings of this one. */
const OF_CLIENTS = ['BONAFIDE_KEY', 'BONAFIDE_URL'];

/** A variable that nobody reads is a setting that was meant and is not in force. Errors: invalid_config. */
export function refuseUnknown(env: Variables, featureSettings: string): void {
  const known = Object.values(ENVIRONMENT);
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('BONAFIDE_') &&
      ![...known, ...OF_CLIENTS].includes(name) &&
      !isServiceLink(name, env[name]),
  );
  if (unknown.length === 0) return;
  // The features' keys are in variables of the operator's choice, which their settings name, or a command that sets them.
  const named = [...keyVariables(featureSettings), ...process.argv.join(' ').matchAll(/key_env=(\w+)/g)].map(
    ([, name]) => name,
  );
  const wrong = unknown.find((name) => !named.includes(name));
  if (wrong === undefined) return;
  const meant = nearest(wrong, known);
  throw new BonafideError(
    'invalid_config',
    `There is no setting ${wrong}. ${meant ? `Did you mean ${meant}?` : `Known are ${known.join(', ')}.`}`,
  );
}

function keyVariables(file: string): RegExpMatchArray[] {
  return statSync(file, { throwIfNoEntry: false })?.isFile()
    ? [...readFileSync(file, 'utf8').matchAll(/"key_env"\s*:\s*"(\w+)"/g)]
    : [];
}
