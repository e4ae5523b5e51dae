import { basename } from 'node:path';
import { CsvReader } from './csv.js';
import { readLines } from './lines.js';
import { readRecord } from './record.js';
import { openSource } from './source.js';
/**
 * Reads records from JSON Lines or CSV, plain or gzip, in bounded memory and in the order of the input. Blank lines are passed over;
 * everything else comes out, as a record or as a problem.
 *
 * Errors: `unreadable_file` (damaged gzip, UTF-16, one JSON array), `invalid_arguments` (a column map that does not fit, no
 * column for the record id).
 */
export async function* readRecords(source, options) {
    const { bytes, format } = await openSource(source, options.name);
    const settings = { source: options.source ?? defaultSource(options.name), region: options.region ?? 'US' };
    if (format === 'jsonl') {
        for await (const lines of readLines(bytes)) {
            for (const line of lines)
                if (line.problem !== undefined || line.text.trim() !== '')
                    yield fromJson(line, settings);
        }
        return;
    }
    const reader = new CsvReader(options, (headers, columns) => options.onColumns?.(headers, columns.map((column) => column?.field ?? null)));
    for await (const lines of readLines(bytes)) {
        for (const row of reader.push(lines))
            yield fromRow(row, settings);
    }
    for (const row of reader.end())
        yield fromRow(row, settings);
}
function fromJson({ line, text, problem }, settings) {
    if (problem !== undefined)
        return { line, problem, recordId: null, dropped: [] };
    let raw;
    try {
        raw = JSON.parse(text);
    }
    catch {
        return { line, problem: 'the line is not valid JSON', recordId: null, dropped: [] };
    }
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
        return { line, problem: 'the line is not a JSON object', recordId: null, dropped: [] };
    }
    return { line, ...readRecord(raw, settings) };
}
function fromRow({ line, raw, problem }, settings) {
    if (raw === undefined)
        return { line, problem, recordId: null, dropped: [] };
    return { line, ...readRecord(raw, settings) };
}
/** `-` → `stdin`, `/data/crm.csv.gz` → `crm`. */
function defaultSource(name) {
    return name === '-'
        ? 'stdin'
        : basename(name).replace(/(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt))?(?:\.gz)?$/i, '') ||
            'import';
}
