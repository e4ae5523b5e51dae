/** Every intent, as the interface specification lists them. */
export declare const INTENTS: readonly ["online-dating", "buying-or-selling", "sending-money", "suspected-scam", "reconnecting", "general"];
