// Builds the single executable: Node, with a bundle of Bonafide and all files that it reads as assets. The bundle has the layout of a
// clone, so that files are found by the same rule (src/platform/assets.ts). The same input gives the same bytes.
//
//   npm run build:binary -- [--target linux-arm64] [--out FOLDER]
//
// Without a target for this machine, as dist/bonafide. Beside it: its SHA-256 in the format of sha256sum, and its bill of materials.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { billOf } from './bill.mjs';
import { filesBelow } from './files.mjs';
import { makeHome } from './home.mjs';
import { takeNode } from './node.mjs';

const HERE = `${process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: {
    target: { type: 'string', default: HERE },
    out: { type: 'string', default: join(import.meta.dirname, '../../dist') },
  },
});
const { target, out } = values;
const name = `bonafide${target === HERE ? '' : `-${target}`}${target.startsWith('win32') ? '.exe' : ''}`;

const scratch = mkdtempSync(join(tmpdir(), 'bonafide-binary-'));
try {
  await build();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function build() {
  const node = takeNode(target, scratch);
  await makeHome(join(scratch, 'home'), { target, node });
  const file = join(scratch, name);
  writeExecutable(node.file, file);
  const sum = hash('sha256', readFileSync(file));
  mkdirSync(out, { recursive: true });
  const made = join(out, name);
  // Removes the old file first instead of writing over it: a copy of it may be running.
  rmSync(made, { force: true });
  copyFileSync(file, made);
  writeFileSync(`${made}.sha256`, `${sum}  ${basename(made)}\n`);
  writeFileSync(
    `${made}.cdx.json`,
    `${JSON.stringify(billOf({ target, version: node.version, hash: sum }), null, 2)}\n`,
  );
  const size = `${Math.round(statSync(made).size / 1e6)} MB`;
  process.stdout.write(
    `Built ${made}: the whole program with Node ${node.version}, ${size}; its checksum and its bill of materials are beside it.\n`,
  );
}

/** Writes the Node of a target with the assets and the first script. Paths become part of the executable, so they are the same for every build folder. */
function writeExecutable(executable, output) {
  const files = filesBelow(join(scratch, 'home'));
  const bytes = Buffer.concat(files.map((file) => readFileSync(join(scratch, 'home', file.name))));
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 12 } };
  writeFileSync(join(scratch, 'index.json'), JSON.stringify(files));
  writeFileSync(join(scratch, 'files.zst'), zstdCompressSync(bytes, level));
  copyFileSync(join(import.meta.dirname, 'start.cjs'), join(scratch, 'start.cjs'));
  const assets = { 'index.json': 'index.json', 'files.zst': 'files.zst' };
  const configuration = {
    main: 'start.cjs',
    executable,
    output,
    disableExperimentalSEAWarning: true,
    assets,
  };
  writeFileSync(join(scratch, 'sea.json'), JSON.stringify(configuration));
  execFileSync(process.execPath, ['--build-sea', 'sea.json'], {
    cwd: scratch,
    stdio: 'ignore',
  });
}
