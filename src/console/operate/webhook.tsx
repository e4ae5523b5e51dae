// Messages to the operator's webhook: delivered, pending, and failed for good.
import { postJson } from '../app/api.ts';
import { reloadAllResources, useAction, usePagedList } from '../app/hooks.ts';
import type { WebhookMessage } from '../app/types.ts';
import { Button, RefreshButton } from '../components/button.tsx';
import { Dialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote, showToast } from '../components/feedback.tsx';
import {
  capitalize,
  codeToWords,
  formatCount,
  formatDateTime,
  type StatusTone,
} from '../components/format.ts';
import { Badge, Card, CodeBlock, DefinitionList, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable } from '../components/table.tsx';

const STATES: Record<WebhookMessage['state'], [tone: StatusTone, label: string]> = {
  delivered: ['good', 'Delivered'],
  pending: ['care', 'Pending'],
  failed: ['bad', 'Given up'],
};

export default function WebhookPage() {
  const list = usePagedList<WebhookMessage>('/admin/v1/webhooks');
  const { dialog, open } = useDialog();
  const action = useAction();
  const queue = async (path: string) => {
    if (!(await action.run(() => postJson(path)))) return;
    showToast('Queued. The server sends it within five seconds.');
    reloadAllResources();
  };
  const show = (message: WebhookMessage) => {
    const sendAgain = () => {
      open(null);
      void queue(`/admin/v1/webhooks/${encodeURIComponent(message.id)}/send`);
    };
    open(<MessageDetails message={message} sendAgain={sendAgain} />);
  };
  return (
    <>
      <PageHeader
        title="Webhook"
        about="Messages to the address of the setting webhook (quotas, keys that end soon, failed backups, suspected harvesting), and events to addresses of accounts."
      >
        <Button disabled={action.isRunning} onClick={() => queue('/admin/v1/webhooks/test')}>
          Send test message
        </Button>
      </PageHeader>
      <ErrorNote problem={action.problem} />
      <Card flush title="Messages" end={<RefreshButton onClick={list.reload} />}>
        <PagedTable
          label="Messages"
          list={list}
          keyOf={({ id }) => id}
          empty={['No messages', 'No event has happened yet. Without the setting webhook none is recorded.']}
          details={{ nameOf: ({ type, id }) => `${type}, ${id}`, open: show }}
          columns={[
            { head: 'Time', cell: ({ created }) => <RelativeTime at={created} /> },
            { head: 'Event', cell: ({ type }) => <code class="anywhere">{type}</code> },
            { head: 'State', cell: (message) => <WebhookMessageStateBadge message={message} /> },
            { head: 'Attempts', wide: true, end: true, cell: ({ attempts }) => attempts },
            { head: 'Last failure', wide: true, cell: ({ failure }) => failure },
            {
              head: 'Next attempt',
              wide: true,
              cell: ({ next_attempt: at }) => (at === null ? null : formatDateTime(at)),
            },
          ]}
        />
      </Card>
      {dialog}
    </>
  );
}

export function WebhookMessageStateBadge({ message: { state } }: { message: WebhookMessage }) {
  const [tone, label] = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

interface MessageDetailsProps {
  message: WebhookMessage;
  sendAgain(): void;
}

const MessageDetails = ({ message, sendAgain }: MessageDetailsProps) => (
  <Dialog
    title={message.type}
    buttons={
      <Button primary onClick={sendAgain}>
        Send again
      </Button>
    }
  >
    <DefinitionList
      items={[
        ['Message ID', <code class="anywhere">{message.id}</code>],
        ['State', <WebhookMessageStateBadge message={message} />],
        ['Created', formatDateTime(message.created)],
        ['Attempts', formatCount(message.attempts, 'attempt')],
        ...(['last_attempt', 'next_attempt', 'delivered'] as const).flatMap((name): [string, string][] =>
          message[name] === null ? [] : [[capitalize(codeToWords(name)), formatDateTime(message[name])]],
        ),
        ['Last failure', message.failure ?? 'none'],
      ]}
    />
    <CodeBlock label="Data of the message" text={JSON.stringify(message.data, null, 2)} />
  </Dialog>
);
