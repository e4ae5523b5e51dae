// Moves a store from where the settings have it to another engine, and back.
import { BonafideError } from '../../errors.ts';
import { openStoreAt } from '../open.ts';
import type { Place } from '../store.ts';
import { copyStore, isWhole } from './copy.ts';
import type { Copied } from './copy.ts';
import { openTarget } from './target.ts';

/**
 * Copies a store whole, compares both, and only then makes the copy a store; what was interrupted goes on when it is asked for again. The
 * source stays as it is. `onTable` is told of each table and its rows.
 *
 * Errors: already_there, damaged_database where the copy is not as what was copied, and those of both engines.
 */
export function moveStore(from: Place, to: Place, onTable?: (name: string, rows: number) => void): Copied {
  const source = openStoreAt(from);
  try {
    const target = openTarget(to);
    try {
      const copied = copyStore({ from: source, to: target.store, ...(onTable && { onTable }) });
      if (!isWhole(copied))
        throw new BonafideError(
          'damaged_database',
          'The copy is not as what was copied: nothing goes by it.',
          {
            ...copied,
          },
        );
      target.finish();
      return copied;
    } catch (error) {
      throw target.store.trouble(error);
    } finally {
      target.close();
    }
  } catch (error) {
    throw source.trouble(error);
  } finally {
    source.close();
  }
}
