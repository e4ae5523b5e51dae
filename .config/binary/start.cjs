// The first script of the single executable. It unpacks the files from two assets into a private cache folder once, checks their hashes at each
// start, and runs them from there: a native addon cannot be loaded from an asset, and a thread needs a file.
'use strict';
const { createHash, hash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { zstdDecompressSync } = require('node:zlib');

const INDEX = getAsset('index.json', 'utf8');
/** Name of the folder of this build: a hash of name, size and SHA-256 of every file. */
const NAME = `bonafide-${hash('sha256', INDEX).slice(0, 24)}`;
const FILES = JSON.parse(INDEX);
/** One small buffer for reading all files, because the process would never give back the memory of larger ones. */
const PIECE = Buffer.allocUnsafeSlow(65_536);

const folder = layOut();
enableCompileCache(join(folder, '.compiled'));
createRequire(join(folder, 'inside.cjs'))('./inside.cjs');

/** Returns the folder of this build's files: an intact one, or a new one in the first place that can be written to. */
function layOut() {
  for (const place of places()) {
    const found = join(place, NAME);
    if (isPrivate(found) && isWhole(found)) return found;
    try {
      return make(place, found);
    } catch {
      // This place cannot be written to, or is full: tries the next one.
    }
  }
  process.stderr.write(
    'error: Bonafide has nowhere to unpack its files, 25 MB. Set XDG_CACHE_HOME to a folder that it may write to.\n',
  );
  process.exit(1);
}

function places() {
  const { env } = process;
  const given = [env.CACHE_DIRECTORY, env.XDG_CACHE_HOME, home(), env.STATE_DIRECTORY, env.BONAFIDE_DATA_DIR];
  return [...given, tmpdir()].filter((place) => place && isAbsolute(place));
}

function home() {
  try {
    return join(homedir(), '.cache');
  } catch {
    return undefined;
  }
}

/** Returns true if only this user can write to the folder: other writers could change the program. */
function isPrivate(path) {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return false;
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
}

function isWhole(path) {
  return FILES.every(({ name, size, sha256 }) => {
    try {
      return size === fs.statSync(join(path, name)).size && sumOf(join(path, name)) === sha256;
    } catch {
      return false;
    }
  });
}

function sumOf(file) {
  const sum = createHash('sha256');
  const opened = fs.openSync(file);
  try {
    for (let read = 1; read > 0;) {
      read = fs.readSync(opened, PIECE);
      sum.update(PIECE.subarray(0, read));
    }
  } finally {
    fs.closeSync(opened);
  }
  return sum.digest('hex');
}

/** Unpacks under a temporary name first, so that an interrupted start, or two at once, leave no incomplete folder under the real name. */
function make(place, found) {
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  const made = fs.mkdtempSync(join(place, '.bonafide-'));
  try {
    const bytes = zstdDecompressSync(Buffer.from(getRawAsset('files.zst')));
    let at = 0;
    for (const { name, size } of FILES) {
      fs.mkdirSync(dirname(join(made, name)), { recursive: true });
      fs.writeFileSync(join(made, name), bytes.subarray(at, (at += size)), { mode: 0o600 });
    }
    replace(made, found);
    return found;
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

function replace(made, found) {
  if (fs.existsSync(found) && !isWhole(found)) fs.renameSync(found, join(made, '.broken'));
  try {
    fs.renameSync(made, found);
  } catch (error) {
    // Another start was faster, with the same files.
    if (!isPrivate(found) || !isWhole(found)) throw error;
  }
}
