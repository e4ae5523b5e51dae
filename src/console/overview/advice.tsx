// What wants a hand: parts of the server that are not well, what weakens the graph, and keys that look like harvesting.
import { useLoad } from '../api/use.ts';
import { Note } from '../parts/parts.tsx';

interface Ready {
  status: string;
  [part: string]: string | number;
}

export function Advice() {
  const ready = useLoad<Ready>('/readyz');
  const graph = useLoad<{ warnings: string[]; records: number }>('/admin/v1/graph');
  const probes = useLoad<{ items: { key: string; suspicion: string; why: string[] }[] }>('/admin/v1/probes');
  const parts = Object.entries(ready.data ?? {}).filter(([, state]) => state === 'failed');
  const loud = (probes.data?.items ?? []).filter(({ suspicion }) => suspicion !== 'quiet');
  return (
    <>
      {ready.problem ? <Note tone="bad">The server is not ready: {ready.problem.message}</Note> : null}
      {parts.map(([part]) => (
        <Note key={part} tone="bad">
          {part.replaceAll('_', ' ')} does not work. On the machine, <code>bonafide doctor</code> says what to
          do.
        </Note>
      ))}
      {graph.data?.records === 0 ? (
        <Note tone="care">
          The graph is empty: every check finds no record. Import some:{' '}
          <code>bonafide graph import FILE</code>.
        </Note>
      ) : null}
      {(graph.data?.warnings ?? []).map((text) => (
        <Note key={text} tone="care">
          {text}
        </Note>
      ))}
      {loud.map(({ key, suspicion, why }) => (
        <Note key={key} tone={suspicion === 'harvesting' ? 'bad' : 'care'}>
          <code>{key}</code> asks as if to learn who is on record: {why.join('; ')}.
        </Note>
      ))}
    </>
  );
}
