import type { Db } from '../../../platform/sqlite.ts';
import type { LabelTable } from '../../sql/manual-links.ts';

/** Labels of the manual links in force, by the key of the record: an import looks each of its records up here. */
export function createLabelTable(db: Db): LabelTable {
  const any = db.prepare('SELECT 1 FROM judged LIMIT 1');
  const label = db.prepare<[Buffer], string>('SELECT label FROM judged WHERE key = ?').pluck();
  const put = db.prepare('INSERT INTO judged VALUES (?, ?)');
  return {
    isEmpty: () => any.get() === undefined,
    lookUp: (key) => label.get(key),
    replace(labels) {
      db.exec('DELETE FROM judged');
      for (const [key, text] of labels) put.run(Buffer.from(key, 'hex'), text);
    },
  };
}
