import { useState } from 'preact/hooks';
import { useRoute } from '../app/route.ts';
import { Find, lookAt } from './find.tsx';
import { ReceiptDialog } from './forget.tsx';
import { IdentityView } from './identity.tsx';
import type { Receipt } from './types.ts';

/** Finds somebody, and shows who is named in the address. */
export function People() {
  const { query } = useRoute();
  const number = Number(query.get('identity') ?? 0);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  // What was found may name somebody who is gone.
  const [gone, setGone] = useState(0);
  const [judged, setJudged] = useState(0);
  const forgotten = (is: Receipt) => {
    setReceipt(is);
    setGone(gone + 1);
    lookAt(null);
  };
  return (
    <div class="stack loose">
      <Find key={gone} changes={judged} />
      {Number.isSafeInteger(number) && number > 0 ? (
        <IdentityView
          number={number}
          onForgotten={forgotten}
          onJudged={() => setJudged((before) => before + 1)}
        />
      ) : null}
      {receipt ? <ReceiptDialog receipt={receipt} close={() => setReceipt(null)} /> : null}
    </div>
  );
}
