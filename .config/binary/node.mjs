// The Node that becomes the executable: from the package that the lock file pins, so that it is the same on every machine.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Copies the Node of a platform such as `linux-arm64` into a folder, without debug symbols.
 * @returns its file, its version, and its licence with those of the libraries in it
 */
export function takeNode(target, folder) {
  const name = `node-${target.replace('win32', 'win')}`;
  const binary = target.startsWith('win32') ? 'bin/node.exe' : 'bin/node';
  const installed = join(ROOT, 'node_modules', name);
  const from = existsSync(installed) ? installed : fetched(name, folder);
  const file = join(folder, 'node');
  copyFileSync(join(from, binary), file);
  if (target.startsWith('linux')) strip(file);
  return { file, version: locked(name).version, text: readFileSync(join(from, 'LICENSE'), 'utf8').trim() };
}

function locked(name) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return packages[`node_modules/${name}`] ?? fail(`package-lock.json pins no ${name}.`);
}

/** Downloads the Node of another platform from the registry, and compares it with the hash in the lock file. */
function fetched(name, folder) {
  const { version, integrity } = locked(name);
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' };
  const tarball = join(
    folder,
    execFileSync('npm', ['pack', `${name}@${version}`], options)
      .trim()
      .split('\n')
      .at(-1),
  );
  const [algorithm, wanted] = integrity.split('-');
  if (hash(algorithm, readFileSync(tarball), 'base64') !== wanted)
    fail(`What the registry gave as ${name} ${version} is not what package-lock.json pins.`);
  execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  return join(folder, 'package');
}

/** Strips debug symbols. Without such a tool, the executable is some 15 MB bigger. */
function strip(file) {
  for (const tool of ['llvm-strip', 'strip'])
    try {
      execFileSync(tool, ['--strip-all', file], { stdio: 'ignore' });
      return;
    } catch {
      // Tries the next tool.
    }
}

function fail(text) {
  throw new Error(text);
}
