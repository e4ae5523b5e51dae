export const SLOTS = [
    'trust_enhancement',
    'fraud_detection',
    'name_matching',
];
/** What explains most of the difference between two names. */
export const VARIATIONS = [
    'exact',
    'nickname',
    'cultural',
    'transliteration',
    'typo',
    'partial',
    'no_match',
];
/** The facts that a feature of each slot may declare. */
export const ALLOWED_FACTS = {
    trust_enhancement: ['intent', 'score', 'matches', 'history'],
    fraud_detection: ['intent', 'score', 'matches', 'history', 'stream'],
    name_matching: ['intent', 'names'],
};
/** The word of the API's message for each band. */
export const VERDICT_WORDS = {
    HIGH: 'VERIFIED',
    MEDIUM: 'LIKELY REAL',
    LOW: 'SUSPICIOUS',
    VERY_LOW: 'HIGH RISK',
};
