/** Every intent, as the interface specification lists them. */
export const INTENTS = [
    'online-dating',
    'buying-or-selling',
    'sending-money',
    'suspected-scam',
    'reconnecting',
    'general',
];
