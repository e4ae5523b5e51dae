// What an operator asks of a thread that serves is done by the keeper, so that it is done at one place: one desk, one look through the
// graph at a time, one backup that was asked for last.
import type { Evaluations } from '../../admin/evaluations/evaluation.ts';
import type { Office } from '../../admin/machine.ts';
import { failed, valueOf } from '../../admin/outcome.ts';
import type { Outcome } from '../../admin/outcome.ts';

const WORK = {
  ask: ({ ask }: Office, asked: Parameters<Office['ask']>) => ask(...asked),
  look: ({ look }: Office, asked: Parameters<Office['look']>) => look(...asked),
  people: ({ people }: Office, asked: Parameters<Office['people']>) => people(...asked),
  list: ({ backups }: Office, asked: Parameters<Office['backups']['list']>) => backups.list(...asked),
  start: ({ backups }: Office, asked: Parameters<Office['backups']['start']>) => backups.start(...asked),
  take: ({ records }: Office, asked: Parameters<Office['records']['take']>) => records.take(...asked),
  doctor: ({ doctor }: Office, asked: Parameters<Office['doctor']>) => doctor(...asked),
  failures: ({ failures }: Office, asked: Parameters<Office['failures']>) => failures(...asked),
  imports: ({ imports }: Office, asked: Parameters<Office['imports']>) => imports(...asked),
  evaluations: ({ evaluations }: Office, asked: Parameters<Evaluations['ask']>) => evaluations.ask(...asked),
  report: ({ evaluations }: Office, asked: Parameters<Evaluations['report']>) => evaluations.report(...asked),
  sent: ({ sent }: Office) => sent(),
};
type Work = keyof typeof WORK;

/** What a thread asks the keeper for. */
export interface OfficeAsked {
  id: number;
  work: Work;
  asked: unknown;
}
export type OfficeAnswer = { id: number } & Outcome;

/** Does what a thread asks for. Never rejects. */
export async function doneBy(office: Office, { id, work, asked }: OfficeAsked): Promise<OfficeAnswer> {
  try {
    const does = WORK[work] as (office: Office, asked: unknown) => Promise<unknown>;
    return { id, done: await does(office, asked) };
  } catch (error) {
    return { id, ...failed(error) };
  }
}

/** The keeper's office, as a thread has it; `settle` takes what the keeper answers. */
export function officeFrom(tell: (asked: OfficeAsked) => void) {
  const waiting = new Map<number, (answer: Outcome) => void>();
  let last = 0;
  const asks = (work: Work) =>
    ((...asked: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, (outcome) => {
          try {
            resolve(valueOf(outcome));
          } catch (error) {
            reject(error);
          }
        });
        tell({ id, work, asked });
      })) as never;
  const office: Office = {
    ask: asks('ask'),
    look: asks('look'),
    people: asks('people'),
    backups: { list: asks('list'), start: asks('start') },
    records: { take: asks('take') },
    imports: asks('imports'),
    evaluations: { ask: asks('evaluations'), report: asks('report') },
    sent: asks('sent'),
    doctor: asks('doctor'),
    failures: asks('failures'),
  };
  const settle = ({ id, ...outcome }: OfficeAnswer): void => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  };
  return { office, settle };
}
