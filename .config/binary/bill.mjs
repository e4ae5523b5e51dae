// The bill of materials of an executable, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). The same build gives the same bytes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listShippedPackages } from '../../src/platform/shipped-packages.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the bill of materials. @param hash SHA-256 of the executable in hex */
export function billOf({ target, version: node, hash }) {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = listShippedPackages().map(({ name: of, version: at, licence }) =>
    component(of, at, licence),
  );
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
    components: [nodeItself(node), ...packages],
  };
}

/** Returns the component of Node. It is not a package of the registry but the platform of all others. */
function nodeItself(version) {
  const purl = `pkg:generic/node@${version}`;
  return { ...component('node', version, 'MIT'), type: 'platform', 'bom-ref': purl, purl };
}

function component(name, version, licence) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }] };
}
