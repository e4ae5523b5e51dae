// What the single executable runs first. Its files are carried as two assets; they are laid out once in a private cache folder, checked by hash
// at each start, and run from there: a native addon cannot be loaded from within, and a thread needs a file.
'use strict';
const { createHash, hash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { zstdDecompressSync } = require('node:zlib');

const INDEX = getAsset('index.json', 'utf8');
/** One build, one folder: `name size sha256` of every file decide its name. */
const NAME = `bonafide-${hash('sha256', INDEX).slice(0, 24)}`;
const FILES = JSON.parse(INDEX);
/** One small piece of memory for reading all files: the process keeps what it once took. */
const PIECE = Buffer.allocUnsafeSlow(65_536);

const folder = layOut();
enableCompileCache(join(folder, '.compiled'));
createRequire(join(folder, 'inside.cjs'))('./inside.cjs');

/** The folder of this build's files: an intact one that is there, or one made anew, in the first place that may be written to. */
function layOut() {
  for (const place of places()) {
    const found = join(place, NAME);
    if (isPrivate(found) && isWhole(found)) return found;
    try {
      return make(place, found);
    } catch {
      // A place that cannot be written to, or is full: the next one.
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

/** Whoever could write there could change what runs here. */
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

/** Under a name of its own first: a start that is cut short, or two at once, leave no half folder behind the real name. */
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
    // Another start was quicker, with the same files.
    if (!isPrivate(found) || !isWhole(found)) throw error;
  }
}
