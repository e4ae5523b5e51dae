#!/usr/bin/env node
// Starts Bonafide from the source of a clone or from a build. better-sqlite3 crashes on Node 20, so this file runs on an older
// Node too: it then starts the Node 26 that is installed with the packages (an optional dependency), with the same arguments,
// terminal and signals.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';

/** Oldest major version of Node that can run Bonafide. */
const MIN_NODE = 24;

/** Environment variable of a process that an older Node started. */
const LAUNCHED = 'BONAFIDE_LAUNCHED';

const nodeVersion = Number(process.versions.node.split('.')[0]);
if (nodeVersion >= MIN_NODE) {
  endWithLauncher();
  await import(findEntry());
} else runOn(findInstalledNode());

/** Makes this process end when the older Node that started it has ended, however it ended: the channel between them then closes. */
function endWithLauncher() {
  if (process.env[LAUNCHED] === undefined) return;
  delete process.env[LAUNCHED];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Returns the module to import: the source in a clone, or a build. Node does not strip types below node_modules, so a package needs a build. */
function findEntry() {
  const entry = ['./cli.ts', '../dist/src/cli.js'].find((file) =>
    existsSync(join(import.meta.dirname, file)),
  );
  return entry ?? fail('This copy of Bonafide has neither source nor build. Install Bonafide again.');
}

/** Returns the path of the Node that is installed with the packages, below Bonafide's own folder or beside it. */
function findInstalledNode() {
  const { platform, arch } = process;
  const names = [`node-${platform === 'win32' ? 'win' : platform}-${arch}`, `node-bin-${platform}-${arch}`];
  const file = join('bin', platform === 'win32' ? 'node.exe' : 'node');
  const folders = createRequire(import.meta.url).resolve.paths('node') ?? [];
  const node = folders
    .flatMap((folder) => names.map((name) => join(folder, name, file)))
    .find((path) => existsSync(path));
  return (
    node ??
    fail(
      `Bonafide needs Node ${MIN_NODE} or newer, and this is Node ${process.version}. Install Node ${MIN_NODE}, or install Bonafide again with optional dependencies.`,
    )
  );
}

function runOn(node) {
  const child = spawn(node, [import.meta.filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [LAUNCHED]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(text) {
  process.stderr.write(`error: ${text}\n`);
  process.exit(1);
}
