import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type BulkProgress as Act, bulkFailuresShown, cancelBulk, startBulk } from '#contract/moderation/bulk.ts';
import { call } from '../../../../api/call.ts';
import { useCommand } from '../../../../api/endpoint-query.ts';
import { queryClient } from '../../../../api/query-client.ts';
import { Dialog } from '../../../../ui/feedback/Dialog.tsx';
import { RichText } from '../../../../ui/data/RichText.tsx';
import { ErrorNotice, Notice } from '../../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { formatNumber, formatTime } from '../../../../ui/text/format.ts';
import { fill } from '../../../../ui/text/i18n.ts';
import { bulkWords } from './bulk-words.ts';
import { progressQuery } from './queries.ts';

const endTexts = {
  done: msg({ message: 'Done with {done} of {total}.' }),
  canceled: msg({ message: 'Canceled after {done} of {total}.' }),
};

/** The people it failed for, each with the reason. */
function Failures({ act: { failed, failures } }: { act: Act }) {
  if (failed === 0) return null;
  return (
    <section>
      <Text fw={600}>
        {t`${plural({ count: failed }, { one: 'Failed with # person', other: 'Failed with # people' })}`}
      </Text>
      <Stack component="ul" gap="0.3rem">
        {failures.map(({ _id, name, problem }) => (
          <li key={_id}>
            <Link to={`/users/${_id}`} dir="auto">
              {name ?? t`Unknown`}
            </Link>
            {': '}
            {problem}
          </li>
        ))}
      </Stack>
      {failed > bulkFailuresShown && <Text c="dimmed">{t`The first ${{ count: bulkFailuresShown }} are shown.`}</Text>}
    </section>
  );
}

/** The act that undoes another one, for exactly the people it changed, or withdraws an unread message; null if there is none. */
function undoOf({ _id, kind, state, done, tagId }: Act) {
  if (state === 'running' || done === 0) return null;
  const undone = { selection: { changedBy: _id }, reason: t`Undone` };
  if (kind === 'notice') return { ...undone, act: { kind: 'takeBack' as const }, text: t`Take back where unread` };
  if (tagId === undefined) return null;
  return { ...undone, act: { kind: kind === 'tag' ? ('untag' as const) : ('tag' as const), tagId }, text: t`Undo` };
}

/** Whether an act is still waiting for its start, until which it can be canceled. */
const isWaiting = ({ state, startsAt, done, failed }: Act) =>
  state === 'running' && startsAt !== undefined && done + failed === 0;

/** The progress of an act, with a button to cancel the rest; then its result, with a button to undo it if possible. */
export function BulkProgress({ act: first, onClose }: { act: Act; onClose: () => void }) {
  const [started, setStarted] = useState(first);
  const { data: act = started, error } = useQuery(progressQuery(started._id));
  const cancel = useCommand(cancelBulk, () => ({ params: { id: started._id } }), {
    onSuccess: (data) => queryClient.setQueryData(progressQuery(started._id).queryKey, data),
  });
  const undoing = undoOf(act);
  // The data that it changes is loaded again when it has ended.
  const undo = useMutation({
    mutationFn: ({ text: _, ...body }: NonNullable<typeof undoing>) => call(startBulk, { body }),
    onSuccess: ({ data }) => setStarted(data.act),
  });
  const isRunning = act.state === 'running';
  const numbers = { done: formatNumber(act.done), total: formatNumber(act.total) };
  return (
    <Dialog
      title={t(bulkWords[act.kind])}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          {isRunning && (
            <BusyButton
              variant="default"
              isBusy={cancel.isPending}
              busyText={t`Canceling...`}
              onClick={() => cancel.mutate()}
            >
              {isWaiting(act) ? t`Cancel the message` : t`Cancel the rest`}
            </BusyButton>
          )}
          {undoing !== null && (
            <BusyButton
              variant="default"
              isBusy={undo.isPending}
              busyText={t`Starting...`}
              onClick={() => undo.mutate(undoing)}
            >
              {undoing.text}
            </BusyButton>
          )}
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      <Stack>
        <ErrorNotice error={cancel.error ?? undo.error ?? error} />
        <Box
          component="progress"
          style={{ accentColor: 'var(--hw-accent)' }}
          w="100%"
          aria-label={t`Progress`}
          max={act.total}
          value={act.done + act.failed}
        />
        {isWaiting(act) ? (
          <Text role="status">
            <RichText
              text={({ time }) => t`It starts at ${{ time }}. You can cancel it until then, also on the Team page.`}
              parts={{ time: <strong>{formatTime(act.startsAt ?? '')}</strong> }}
            />
          </Text>
        ) : act.state === 'running' ? (
          <Text role="status">
            {t`${{ done: formatNumber(act.done + act.failed) }} of ${{ total: numbers.total }}. It continues if you close this.`}
          </Text>
        ) : (
          <Notice kind={act.failed > 0 || act.state === 'canceled' ? 'info' : 'success'}>
            {fill(endTexts[act.state], numbers)}
          </Notice>
        )}
        <Failures act={act} />
      </Stack>
    </Dialog>
  );
}
