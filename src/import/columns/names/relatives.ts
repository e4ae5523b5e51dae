// Records of relatives and of numbered people in a row, such as the parents of a pupil and the second tenant.
import { removeRelation } from '../../../names/index.ts';
import { RELATION_REASON } from '../persons.ts';
import { isColumnOfRelative, type RawRecord, type TableColumns, toRawRecord } from '../raw.ts';
import { isColumnGroupOfNumberedPerson } from '../words.ts';

/**
 * Returns records of the relatives in a row, such as the parents of a pupil. A relative without a name, or without an e-mail or phone, gets no
 * record. Adds a reason to `blanks` for each name that is only a relation. `others` is true if a numbered person (`tenant2`) gets no record.
 */
export function createRecordsOfRelatives(
  cells: readonly string[],
  table: TableColumns,
  blanks: string[],
): { relatives: { group: string; raw: RawRecord }[]; others: boolean } {
  const { columns } = table;
  const groups = new Set(
    columns.flatMap((column) => (column && isColumnOfRelative(column) ? [column.group] : [])),
  );
  let others = false;
  const relatives = [...groups].flatMap((group) => {
    const own = columns.map((column) => (column?.group === group ? { ...column, group: '' } : null));
    const { raw } = toRawRecord(cells, { ...table, columns: own, isRecordOfRelative: true });
    const lists = [raw.emails, raw.phones] as string[][];
    const names = raw.names as string[];
    const isNamed = raw.name !== undefined || names.some((name) => removeRelation(name) !== '');
    if (!isNamed) blanks.push(...names.map(() => `names ${RELATION_REASON}`));
    const isReachable = lists.some((list) => list.length > 0);
    if (isNamed && isReachable) return [{ group, raw }];
    others ||= (isNamed || isReachable) && isColumnGroupOfNumberedPerson(group);
    return [];
  });
  return { relatives, others };
}
