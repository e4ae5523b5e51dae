// What an operator has done over HTTP.
import { openDesk } from '../../admin/desk.ts';
import type { Desk } from '../../admin/desk.ts';
import { BonafideError } from '../../errors.ts';
import type { Opened } from '../closing.ts';
import type { Parts } from '../parts.ts';

/** The desk of a server. Errors, of `ask`: store_unavailable too, where its file is away. */
export function administration({ store, watch }: Parts, opened: Opened): Pick<Desk, 'ask'> {
  const desk = opened(openDesk({ file: store.file }), (desk) => desk.close());
  return {
    ask: async (...asked) => {
      if (watch.missing() === 'keys') throw new BonafideError('store_unavailable', 'The store is away.');
      return desk.ask(...asked);
    },
  };
}
