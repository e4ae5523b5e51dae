// What `serve --demo` adds: a sample graph, a key that is kept, a line to paste.
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.js';
import { importRecords } from '../import/run.js';
import { loadSecret } from '../graph/secret.js';
import { graphFile } from '../graph/sqlite/open.js';
import { openOperator } from '../graph/sqlite/operate.js';
import { openVault } from '../graph/vault.js';
import { SAMPLE } from '../platform/assets.js';
import { createKey, keyFinder } from '../store/sqlite/keys.js';
const SAMPLE_GRAPH = join(SAMPLE, 'graph.jsonl');
/** Where the demo works when nobody names a folder: apart from the folder of one's own records. */
export const DEMO_FOLDER = 'data/demo';
/**
 * Imports the sample records into a folder that has no records yet; a folder that has them is left as it is.
 * Errors: mixed_records where the folder holds records of its own.
 */
export async function fillDemoGraph(config) {
    const { dataDir, secret, region } = config;
    const held = heldIn(config);
    if (held === 'own')
        throw new BonafideError('mixed_records', `${dataDir} holds records of your own, and invented people are not mixed with them. Leave out --demo, or name another folder: --data-dir FOLDER.`);
    if (held === 'sample')
        return;
    await importRecords({
        file: graphFile(dataDir),
        vault: openVault(loadSecret(dataDir, secret)),
        inputs: [
            { name: SAMPLE_GRAPH, stream: createReadStream(SAMPLE_GRAPH), bytes: statSync(SAMPLE_GRAPH).size },
        ],
        region,
    });
}
/** Keeps records of one's own out of a folder that the demo filled. Errors: mixed_records. */
export function refuseDemoFolder(config) {
    if (!existsSync(keyFile(config)) || heldIn(config) !== 'sample')
        return;
    throw new BonafideError('mixed_records', `${config.dataDir} holds the invented people of the demo. Import into another folder (--data-dir FOLDER), or delete this one first: the demo makes itself a folder again, ${DEMO_FOLDER}.`);
}
/** Whose records a folder holds. The demo fills empty graphs only, so the first record tells. */
function heldIn({ dataDir, secret }) {
    const file = graphFile(dataDir);
    if (!existsSync(file))
        return 'nothing';
    const graph = openOperator({ file, vault: openVault(loadSecret(dataDir, secret)) });
    try {
        for (const { source, record_id } of graph.identities())
            return sampleRecords().has(`${source}:${record_id}`) ? 'sample' : 'own';
        return 'nothing';
    }
    finally {
        graph.close();
    }
}
function sampleRecords() {
    const lines = readFileSync(SAMPLE_GRAPH, 'utf8').trimEnd().split('\n');
    return new Set(lines.map((line) => {
        const { source, record_id } = JSON.parse(line);
        return `${source}:${record_id}`;
    }));
}
const keyFile = ({ dataDir }) => join(dataDir, 'demo-key');
/**
 * The demo key of this data folder, with every scope. Its text is kept in the file `demo-key` (mode 0600), the one
 * place where a key is ever kept, so that starting again prints the same line.
 */
export function demoKey({ config, store }) {
    const file = keyFile(config);
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (keyFinder(store)(kept, Date.now()))
        return kept;
    const { key } = createKey(store, { name: 'demo', scopes: ['validate', 'raw', 'admin'], test: true }, Date.now());
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
}
/** A curl line for a POSIX shell. */
export function curlLine(url, key) {
    const request = JSON.stringify(JSON.parse(readFileSync(join(SAMPLE, 'demo-request.json'), 'utf8')));
    return `curl -s ${url}/v1/validate -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${request.replaceAll("'", String.raw `'\''`)}'`;
}
