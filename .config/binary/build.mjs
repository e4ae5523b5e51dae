// Builds the single executable: Node itself, with a bundle of Bonafide and all that it reads as assets. What lies beside the code in a
// clone lies beside it in the bundle, so that it is found by the same rule (src/platform/assets.ts).
//
//   node .config/binary/build.mjs                 for this machine: dist/bonafide
//   node .config/binary/build.mjs linux-arm64     for another one: dist/bonafide-linux-arm64
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, constants } from 'node:zlib';
import { inject } from 'postject';
import { filesBelow } from './files.mjs';
import { makeHome } from './home.mjs';
import { nodeFor } from './node.mjs';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
/** Node looks for its blob behind this mark. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const here = `${process.platform}-${process.arch}`;
const target = process.argv[2] ?? here;
const made = join(DIST, target === here ? 'bonafide' : `bonafide-${target}`);
const scratch = mkdtempSync(join(tmpdir(), 'bonafide-binary-'));
try {
  const home = join(scratch, 'home');
  await makeHome(home, target);
  const files = filesBelow(home);
  writeFileSync(join(scratch, 'index.json'), JSON.stringify(files));
  writeFileSync(join(scratch, 'files.zst'), compressed(files.map(({ name }) => readFileSync(join(home, name)))));
  writeFileSync(join(scratch, 'sea.json'), JSON.stringify(configuration()));
  execFileSync(process.execPath, ['--experimental-sea-config', join(scratch, 'sea.json')], { stdio: 'ignore' });
  mkdirSync(DIST, { recursive: true });
  rmSync(made, { force: true });
  copyFileSync(nodeFor(target), join(scratch, 'bonafide'));
  await inject(join(scratch, 'bonafide'), 'NODE_SEA_BLOB', readFileSync(join(scratch, 'blob')), { sentinelFuse: FUSE });
  chmodSync(join(scratch, 'bonafide'), 0o755);
  copyFileSync(join(scratch, 'bonafide'), made);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function configuration() {
  return {
    main: join(import.meta.dirname, 'start.cjs'),
    output: join(scratch, 'blob'),
    disableExperimentalSEAWarning: true,
    assets: { 'index.json': join(scratch, 'index.json'), 'files.zst': join(scratch, 'files.zst') },
  };
}

function compressed(parts) {
  return zstdCompressSync(Buffer.concat(parts), { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
}
