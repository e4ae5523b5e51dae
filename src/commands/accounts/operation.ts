import {
  type StoreInput,
  type StoreResult,
  STORE_OPERATIONS,
  type StoreOperation,
} from '../../admin/store-operations.ts';
import type { Store } from '../../store/store.ts';
import type { CommonArgs } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';

/**
 * Runs an operation of the admin API in the store of the data folder, and returns its result. `missing` decides what happens in a folder
 * without a store; see `withStore`. Errors: those of the operation and of `withStore`.
 */
export const runOperation = <D extends StoreOperation>(
  args: CommonArgs,
  name: D,
  request: StoreInput<D>,
  missing?: 'create' | 'empty',
): Promise<StoreResult<D>> =>
  withStore(
    args,
    (store) =>
      (STORE_OPERATIONS[name] as (store: Store, request: StoreInput<D>, now: number) => StoreResult<D>)(
        store,
        request,
        Date.now(),
      ),
    missing,
  );
