import { rejectsWriter } from './rejects.js';
import { openDatabase, translated } from '../graph/sqlite/database.js';
import { linkAll } from '../graph/sqlite/relink.js';
import { recordTable } from '../graph/sqlite/records.js';
import { toStored } from './ingest.js';
import { readRecords } from './read.js';
const BATCH = 500;
/**
 * Imports records, links all records of the graph anew and publishes the identities. An import that is interrupted leaves the
 * published graph as it was; running it again carries on, because a record with the same source and record id is replaced.
 *
 * Errors: those of `openDatabase`, `unreadable_file`, `invalid_arguments` (a column map that does not fit).
 */
export async function importRecords(options) {
    const { file, vault } = options;
    const started = performance.now();
    const rejects = rejectsWriter(options.rejects);
    const graph = vault && { db: openDatabase({ file, vault, create: true }), vault };
    try {
        const counts = { read: 0, added: 0, replaced: 0, rejected: 0, dropped: 0, columns: [] };
        for (const input of options.inputs)
            await readInput({ input, options, graph, counts, rejects });
        await rejects.end();
        const read = performance.now();
        const result = graph
            ? translated(file, () => linkAll({ ...graph, onProgress: options.onProgress }))
            : { identities: 0, records: 0 };
        const seconds = { reading: (read - started) / 1000, linking: (performance.now() - read) / 1000 };
        return { ...counts, ...result, ...told(rejects, options), seconds };
    }
    finally {
        await rejects.end();
        graph?.db.close();
    }
}
function told(rejects, { rejects: file }) {
    return { rejectsFile: rejects.used() ? file : null, firstRejects: rejects.first() };
}
async function readInput(from) {
    const { input, options, graph, counts, rejects } = from;
    const table = graph && translated(options.file, () => recordTable(graph.db, graph.vault));
    let batch = [];
    const flush = () => {
        if (!table || batch.length === 0)
            return;
        const { added, replaced } = translated(options.file, () => table.put(batch));
        counts.added += added;
        counts.replaced += replaced;
        batch = [];
    };
    let bytes = 0;
    input.stream.on('data', (chunk) => void (bytes += chunk.length));
    for await (const item of readRecords(input.stream, {
        name: input.name,
        map: options.map,
        region: options.region,
        onColumns: (headers, fields) => counts.columns.push({
            input: input.name,
            columns: headers.map((header, i) => ({ header, field: fields[i] })),
        }),
    })) {
        count(item, input.name, { counts, rejects });
        if (item.record) {
            counts.read++;
            if (graph)
                batch.push(toStored(item.record, graph.vault, options.region));
        }
        if (batch.length >= BATCH)
            flush();
        if (counts.read % BATCH === 0)
            options.onProgress?.({
                phase: 'reading',
                records: counts.read,
                done: input.bytes ? bytes / input.bytes : null,
            });
    }
    flush();
}
function count(item, input, { counts, rejects }) {
    const { line, recordId, problem, dropped } = item;
    if (problem !== undefined) {
        counts.rejected++;
        rejects.add({ input, line, recordId, reason: problem, whole: true });
    }
    counts.dropped += dropped.length;
    for (const reason of dropped)
        rejects.add({ input, line, recordId, reason, whole: false });
}
