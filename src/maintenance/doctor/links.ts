// What linking remembers: nothing is lost with it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LINK_FILE_KIND } from '../../graph/link-cache/link-file.ts';
import { DERIVED_FILES } from '../kept-files.ts';
import { checkSlices } from '../sqlite/check-slices.ts';
import { using } from '../sqlite/databases.ts';
import { type Finding, fine, warning } from './finding.ts';

/** Is it whole? No finding where there is none. */
export async function checkLinks(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of DERIVED_FILES) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const isWhole = await using({ file, kind: LINK_FILE_KIND }, (db) =>
      [...checkSlices(db)].every(({ wrong }) => wrong.length === 0),
    ).catch(() => false);
    const says = 'It is damaged. No check needs it.';
    const todo = 'Delete it while nothing imports: the next import makes it again from the records.';
    findings.push(isWhole ? fine(name, 'whole') : warning(name, says, todo));
  }
  return findings;
}
