import type { Counts } from '../../maintenance/sqlite/facts.ts';

/** What databases hold, a line each: `graph.db: 12 record, 9 identity`. */
export function countsText(databases: Record<string, Counts>): string[] {
  const filled = ({ tables }: Counts) =>
    Object.entries(tables)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${count} ${table}`);
  return Object.entries(databases).map(
    ([name, counts]) => `${name}: ${filled(counts).join(', ') || 'nothing'}`,
  );
}
