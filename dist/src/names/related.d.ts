export type Relation = 'equal' | 'initial' | 'nickname' | 'cultural' | 'spelling' | 'script' | 'gendered' | 'slip' | 'part' | 'joined' | 'different';
/** How likely two words are one person's name word, 0-1, given that the rest of the name agrees. */
export interface Related {
    quality: number;
    relation: Relation;
}
export declare const related: (relation: Relation, quality: number) => Related;
export declare const different: Related;
