// Why an identity holds together: each two of its records are weighed, one request after the other.
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { Card, Note, Trouble } from '../parts/parts.tsx';
import { count, plural } from '../parts/text.ts';
import { Drawing, LinkTable } from './drawing.tsx';
import { markLinks, MOST_NODES, pairsOf } from './links.ts';
import type { Link } from './links.ts';
import { referenceOf } from './types.ts';
import type { RecordName, Why } from './types.ts';

/** Of all records, the first few, numbered as in the list beside. */
export function Weigh({ records }: { records: RecordName[] }) {
  const shown = records.slice(0, MOST_NODES);
  const pairs = pairsOf(shown.length);
  const [links, setLinks] = useState<Link[]>([]);
  const stop = useRef(false);
  const act = useAct();
  useEffect(() => () => void (stop.current = true), []);
  const weigh = async () => {
    stop.current = false;
    setLinks([]);
    for (const [a, b] of pairs) {
      if (stop.current) return;
      const [one, two] = [shown[a], shown[b]];
      if (!one || !two) return;
      const why = await post<Why>('/admin/v1/graph/why', { a: referenceOf(one), b: referenceOf(two) });
      if (!stop.current) setLinks((before) => [...before, { a, b, why }]);
    }
  };
  const marked = markLinks(links);
  const all = links.length === pairs.length;
  return (
    <Card
      title="What holds it together"
      about="What speaks for each two of its records being one person, and against: 3 bits are odds of 8 to 1. Each two take a look through every record of the graph."
      end={
        act.busy ? (
          <button type="button" class="button small" onClick={() => (stop.current = true)}>
            Stop
          </button>
        ) : pairs.length === 0 ? null : (
          <button type="button" class="button small" onClick={() => void act.run(weigh)}>
            Weigh {plural(pairs.length, 'link')}
          </button>
        )
      }
    >
      {records.length > shown.length ? (
        <Note>
          Its first {MOST_NODES} records of {count(records.length)}; any other two:{' '}
          <code>bonafide graph why</code>, on the machine.
        </Note>
      ) : null}
      {pairs.length === 0 ? <p class="soft">One record: there is nothing to hold together.</p> : null}
      <Trouble problem={act.problem} />
      {act.busy ? (
        <div class="row">
          <progress class="grow" max={pairs.length} value={links.length} aria-label="Links weighed" />
          <span class="small number">
            {links.length} of {pairs.length}
          </span>
        </div>
      ) : null}
      {all && links.length > 0 ? <Drawing records={shown} links={marked} /> : null}
      {links.length > 0 ? <LinkTable records={shown} links={marked} /> : null}
    </Card>
  );
}
