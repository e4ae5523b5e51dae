#!/usr/bin/env node
// Starts Bonafide on a Node that can run it, from the source of a clone or from what a build made of it. better-sqlite3
// crashes on Node 20, so an older Node only gets as far as this file: it hands over to the Node 24 that was installed
// beside the packages (an optional dependency), with the same arguments, terminal and signals.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';

const WANTED = 24;

const running = Number(process.versions.node.split('.')[0]);
if (running >= WANTED) await import(start());
else handOver(ownNode());

/** A clone runs as it is: Node strips its types, but not below node_modules, where a build has to be. */
function start() {
  const found = ['./cli.ts', '../dist/src/cli.js'].find((file) =>
    existsSync(join(import.meta.dirname, file)),
  );
  return found ?? fail('This copy of Bonafide has neither its source nor a build. Install it again.');
}

/** The Node 24 of this installation, wherever the packages were put: below Bonafide's own folder or beside it. */
function ownNode() {
  const { platform, arch } = process;
  const names = [`node-${platform === 'win32' ? 'win' : platform}-${arch}`, `node-bin-${platform}-${arch}`];
  const file = join('bin', platform === 'win32' ? 'node.exe' : 'node');
  const folders = createRequire(import.meta.url).resolve.paths('node') ?? [];
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name, file)))
    .find((path) => existsSync(path));
  return (
    found ??
    fail(
      `Bonafide needs Node ${WANTED} or newer and this is ${process.version}. Install Node ${WANTED}, or install Bonafide again with optional dependencies.`,
    )
  );
}

function handOver(node) {
  const child = spawn(node, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(text) {
  process.stderr.write(`error: ${text}\n`);
  process.exit(1);
}
