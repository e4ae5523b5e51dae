/** A text of a file without what a terminal takes for an order: control characters and invisible ones. One line, trimmed. */
export const plain = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim();
