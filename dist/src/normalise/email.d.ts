import type { Normal } from '../model.ts';
/**
 * Reads one e-mail address.
 *
 * `standardized` is the lowercased address. Forms: `email`, the same with an international domain in
 * punycode; `mailbox`, without the tag and the signs that its provider ignores, so that `Ann.Lee+shop@googlemail.com`
 * and `annlee@gmail.com` meet. Both are always there, the mailbox equal to the address where nothing is to be taken off.
 *
 * @returns null where the text is no usable address: longer than 254 characters, a quoted local part, no dotted
 *   domain, an IP address, or anything before or after the address.
 */
export declare function normaliseEmail(text: string): Normal<string> | null;
