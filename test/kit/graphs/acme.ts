// A vendor of identity data with a protocol of its own, other than the example vendor of the page on plugins.
import { answering, standIn, type StandIn } from './stand-in.ts';

interface Person {
  ref: string;
  display: string;
  aka?: string[];
  since?: string;
  until?: string;
  /** Contacts of the person, main ones first. */
  points: string[];
}

export const ACME_PEOPLE: Person[] = [
  {
    ref: 'P-77',
    display: 'Jane Quimby',
    aka: ['Janie Quimby-Rowe'],
    since: '2016-04-01',
    until: '2025-01-15',
    points: [
      'mail:jane.quimby@example.com',
      'tel:+14155550134',
      'post:12 Larch Street, Springfield, IL, 62701',
    ],
  },
  { ref: 'P-78', display: 'Marta Oyelaran', points: ['mail:marta@oyelaran.example'] },
];

/** Serves `ACME_PEOPLE` on a free port until `behave` sets another behaviour. */
export async function acme(): Promise<StandIn> {
  const server = await standIn();
  server.behave((response, request, body) => {
    const { contact_points: points } = JSON.parse(body) as { contact_points: { t: string; v: string }[] };
    const matches = ACME_PEOPLE.flatMap(({ points: own, ...person }) => {
      const found = points.flatMap(({ t, v }, n) => {
        const at = own.indexOf(`${t}:${v}`);
        return at < 0 ? [] : [{ n, main: true }];
      });
      return found.length > 0 ? [{ ...person, points: found }] : [];
    });
    answering({ population: 52_000_000, matches })(response, request, body);
  });
  return server;
}
