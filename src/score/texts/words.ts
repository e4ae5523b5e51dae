import type { Kind } from '../../model.ts';

export const LABEL: Record<Kind, [one: string, many: string]> = {
  email: ['e-mail', 'e-mails'],
  phone: ['phone', 'phones'],
  address: ['address', 'addresses'],
};

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
