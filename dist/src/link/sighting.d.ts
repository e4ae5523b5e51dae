import type { LinkContext } from './evidence.ts';
import { type Sighting } from './noise.ts';
import type { LinkRecord } from './record.ts';
/** How two records at one address compare; null where they have no address in common or lack a name or a birth date. */
export declare function sighting(a: LinkRecord, b: LinkRecord, context: Omit<LinkContext, 'noise'>): Sighting | null;
/** Is each one's name with its birth date on another record too? Then they are two people's: hardly anybody makes one error twice. */
export declare function bothRecur(a: LinkRecord, b: LinkRecord, { bearers }: Pick<LinkContext, 'bearers'>): boolean;
