#!/usr/bin/env node
// Starts Bonafide on a Node that can run it. The code is TypeScript that Node 24 strips by itself, and better-sqlite3
// crashes on Node 20, so an older Node only gets as far as this file: it hands over to the Node 24 that was installed
// beside the packages (an optional dependency), with the same arguments, terminal and signals.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const wanted = 24;
const running = Number(process.versions.node.split('.')[0]);

if (running >= wanted) {
  await import('./cli.ts');
} else {
  const bin = process.platform === 'win32' ? join('bin', 'node.exe') : join('bin', 'node');
  const own = [
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`,
  ]
    .map((name) => join(import.meta.dirname, '..', 'node_modules', name, bin))
    .find((file) => existsSync(file));
  if (!own) {
    process.stderr.write(
      `error: Bonafide needs Node ${wanted} or newer and this is ${process.version}. Install Node ${wanted}, or run npm ci again with optional dependencies.\n`,
    );
    process.exit(1);
  }
  const child = spawn(own, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
