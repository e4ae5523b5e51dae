import { type LinkContext, type LinkEvidence } from './evidence.ts';
import type { LinkRecord } from './record.ts';
/** Birth dates for and against; nothing where one of the two is missing. Of partial dates only what both say is compared. */
export declare function birthEvidence(one: LinkRecord, two: LinkRecord, { noise, records, dateCount }: Pick<LinkContext, 'noise' | 'records' | 'dateCount'>): LinkEvidence[];
