// The bill of materials of an executable, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the same build, the same bytes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPackages } from '../../src/platform/shipped/licences.ts';

const ROOT = join(import.meta.dirname, '../..');

/** @param hash SHA-256 of the executable in hex */
export function billOf({ target, version: node, hash }) {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = shippedPackages().map(({ name: of, version: at, licence }) => library(of, at, licence));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        hashes: [{ alg: 'SHA-256', content: hash }],
        properties: [{ name: 'platform', value: target }],
      },
    },
    components: [
      { ...library('node', node, 'MIT'), type: 'platform', purl: `pkg:generic/node@${node}` },
      ...packages,
    ],
  };
}

function library(name, version, licence) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }] };
}
