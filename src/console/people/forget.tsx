// Permanent deletion of a person. The server first returns the records to delete; then the user types a confirmation.
import { postJson } from '../app/api.ts';
import { useResource } from '../app/hooks.ts';
import type { ErasurePlanOrResult, ErasureReceipt } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Dialog, FormDialog } from '../components/dialog.tsx';
import { saveJson } from '../components/download.ts';
import { LoadedResource, Note } from '../components/feedback.tsx';
import { Checkbox, TextField, useFormValues } from '../components/form.tsx';
import { formatDateTime, formatNumber, formatCount } from '../components/format.ts';
import { DefinitionList } from '../components/layout.tsx';
import { PersonNames } from './search.tsx';

const PATH = '/admin/v1/graph/forget';

interface ForgetDialogProps {
  identity: number;
  onForgotten(receipt: ErasureReceipt): void;
}

export function ForgetPersonDialog({ identity, onForgotten }: ForgetDialogProps) {
  const body = { identities: [identity] };
  const plan = useResource<ErasurePlanOrResult>(PATH, body);
  const { values, field } = useFormValues({ typed: '', allow_return: false });
  const confirm = plan.data?.records ?? 0;
  const confirmation = `forget ${formatCount(confirm, 'record')}`;
  return (
    <FormDialog
      title={`Forget identity ${identity}?`}
      submitLabel="Forget permanently"
      isDanger
      isReady={confirm > 0 && values.typed.trim() === confirmation}
      submit={() =>
        postJson<ErasurePlanOrResult>(PATH, { ...body, confirm, allow_return: values.allow_return })
      }
      onDone={({ receipt }) => receipt && onForgotten(receipt)}
    >
      <LoadedResource resource={plan} lines={3}>
        {({ records, people }) => (
          <>
            <p>
              Deletes {formatCount(records, 'record')} from every file, and then searches every byte of the
              files for them. This cannot be undone. Earlier backups still contain the records.
            </p>
            {people.map(({ identity: id, names }) => (
              <div class="name" key={id}>
                <PersonNames names={names} />
              </div>
            ))}
            <Checkbox
              label="Allow later imports to add this person again"
              {...field('allow_return')}
              hint="Otherwise imports leave out these records, and records of the same source with the same name and one of the contacts."
            />
            <TextField label={`Type “${confirmation}” to confirm`} {...field('typed')} />
          </>
        )}
      </LoadedResource>
    </FormDialog>
  );
}

export function ErasureReceiptDialog({ receipt }: { receipt: ErasureReceipt }) {
  const { time, records, sources, searched, traces, unsearched = [], beyond, marks } = receipt;
  const remaining = [...traces, ...unsearched];
  return (
    <Dialog
      title="Person forgotten"
      buttons={
        <Button primary onClick={() => saveJson(`erasure-${time.replaceAll(/[:.]/g, '-')}.json`, receipt)}>
          Save receipt
        </Button>
      }
    >
      {remaining.length === 0 && receipt.logs_empty ? (
        <Note tone="good">All files were searched afterwards. Nothing of the person was found.</Note>
      ) : (
        <Note tone="care">
          {remaining.length === 0
            ? 'A database still contains deleted data, in a log or in free space.'
            : `${formatCount(remaining.length, 'file')} may still contain data: ${remaining.join(', ')}.`}{' '}
          Run <code>bonafide doctor</code> on the server to see what to do.
        </Note>
      )}
      {beyond === undefined ? null : (
        <Note tone="care">The database has no row of the person any more; {beyond}.</Note>
      )}
      <DefinitionList
        items={[
          ['Time', formatDateTime(time)],
          ['Deleted records', formatNumber(records)],
          [
            'Sources',
            Object.entries(sources).map(([source, count]) => (
              <div key={source}>
                <bdi>{source}</bdi>: {formatNumber(count)}
              </div>
            )),
          ],
          ['Searched for', `${formatCount(searched, 'byte string')} in every file`],
          ['Suppression list', `${formatCount(marks.length, 'fingerprint')} added`],
        ]}
      />
      <p class="small soft">
        The receipt contains no data of the person. The server stores a copy in its data folder.
      </p>
    </Dialog>
  );
}
