import type { Ask } from './define.ts';
export interface Message {
    role: 'user' | 'assistant';
    content: string;
}
/** The system text: the feature's task, then the rules that hold for every feature. */
export declare function systemText(ask: Ask): string;
/** The conversation: the facts as JSON, and on a second try the first answer with what was wrong with it. */
export declare function messagesOf(ask: Ask, options: {
    withSchema: boolean;
}): Message[];
