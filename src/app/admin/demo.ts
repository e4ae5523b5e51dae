import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { demoKeyFile } from '../../platform/held.ts';

/** Refuses to put records among the invented people of a demo. Errors: `forbidden`. */
export function refuseDemo(dataDir: string): void {
  if (existsSync(demoKeyFile(dataDir)))
    throw new BonafideError(
      'forbidden',
      'This folder holds the invented people of the demo, and takes no others.',
    );
}
