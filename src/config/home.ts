// Where data lies for which nobody named a folder.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from './variables.ts';

/** The folder of one's own records, and that of the demo's invented people. */
export interface Home {
  own: string;
  demo: string;
}

const IN_A_CLONE: Home = { own: 'data/local', demo: 'data/demo' };

/**
 * A clone keeps its data to itself. What is installed works in the same folder wherever it is started: the one that systemd gives a
 * service (STATE_DIRECTORY), else the one of the XDG base directories, see https://specifications.freedesktop.org/basedir-spec.
 */
export function homeOf(installed: boolean, env: Variables): Home {
  if (!installed) return IN_A_CLONE;
  const [state] = (env.STATE_DIRECTORY ?? '').split(':');
  if (state) return { own: state, demo: join(state, 'demo') };
  const data = env.XDG_DATA_HOME || join(homedir(), '.local/share');
  return { own: join(data, 'bonafide'), demo: join(data, 'bonafide-demo') };
}
