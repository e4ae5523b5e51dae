import type { GraphMoving } from '../../capabilities.ts';
import { binaryRows } from '../copy.ts';
import type { PostgresSession } from '../session.ts';
import type { Steps } from '../index/steps.ts';
import { copiedOf, markUnfinished } from '../unfinished.ts';
import type { SuppressionList } from '../../sql/suppression-list.ts';

export function movingOn(session: PostgresSession, suppression: SuppressionList, steps: Steps): GraphMoving {
  return {
    copiedRevision: () => copiedOf(session),
    beginCopy: (revision) => session.runAtomically(() => markUnfinished(session, revision)),
    listRedirects: () => session.query('SELECT number, heir FROM bonafide.merged ORDER BY number'),
    listPreviousNumbers: () => session.query('SELECT record, number FROM bonafide.bore'),
    async putNumbers({ identities, redirects, previousNumbers: bore }) {
      await steps.clear();
      await session.query('DELETE FROM bonafide.member');
      await session.copy('bonafide.member (record, identity)', binaryRows(identities));
      await session.query('DELETE FROM bonafide.merged');
      await session.copy('bonafide.merged (number, heir)', binaryRows(redirects));
      await session.query('DELETE FROM bonafide.bore');
      await session.copy('bonafide.bore (record, number)', binaryRows(bore));
    },
    listSuppressed: suppression.list,
    addSuppressed: suppression.add,
  };
}
