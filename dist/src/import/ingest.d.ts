import type { StoredRecord } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import type { ImportRecord } from './record.ts';
/** A record as the graph keeps it: names as written (sealed later), contacts as fingerprints only. */
export declare function toStored(record: ImportRecord, vault: Vault, region: string): StoredRecord;
