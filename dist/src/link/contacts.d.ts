import type { StoredContact } from '../graph/sqlite/records.ts';
import { type LinkContext, type LinkEvidence } from './evidence.ts';
import type { LinkRecord } from './record.ts';
/** What two records' contacts of one kind say: the values in common, or that both have some and none in common. */
export declare function contactEvidence(kind: StoredContact['kind'], a: LinkRecord, b: LinkRecord, context: LinkContext): LinkEvidence[];
