import type { GraphRecords } from '../../graph/records.ts';
import { recordSealing } from '../../graph/encryption/sealed-records.ts';
import { sealingOf } from '../../graph/encryption/sealing.ts';
import { ownNameTables } from '../../names/index.ts';
import { codeFile } from '../../platform/assets.ts';
import type { Helpers, Pool } from '../../platform/threads/helpers.ts';
import { type LinkingBoot, type LinkingWorks, linkingWorks } from './works.ts';

/** Whoever links very many records, and who helps. */
export interface Helping {
  own: LinkingWorks;
  helpers: Helpers<LinkingWorks>;
}

/** @param pool threads that may be there; of an engine that keeps nothing sealed they know nothing */
export function helpingWith(
  { fingerprints, sealed }: Pick<GraphRecords, 'fingerprints' | 'sealed'>,
  pool: Pool,
): Helping {
  if (!sealed) {
    const own = linkingWorks({ fingerprints, sealing: NO_SEALING });
    return { own, helpers: pool.use('', null, own) };
  }
  const own = linkingWorks({ fingerprints, sealing: recordSealing(fingerprints, sealingOf(sealed.secret)) });
  const boot: LinkingBoot = { secret: sealed.secret, nameTables: ownNameTables() };
  return { own, helpers: pool.use(codeFile('import/bulk/works'), boot, own) };
}

const noRecord = (): never => {
  throw new Error('nothing is kept sealed here');
};
const NO_SEALING = { open: noRecord, seal: noRecord, keyOf: noRecord };
