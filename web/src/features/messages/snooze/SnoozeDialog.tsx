import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import { snoozeConversation } from '#contract/messages/messages.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';

/** Snoozes a conversation for some days, or ends that with 0. */
export function useSnooze(matchId: string) {
  return useMutation({
    mutationFn: (body: BodyInput<typeof snoozeConversation>) =>
      call(snoozeConversation, { params: { id: matchId }, body }),
    onSuccess: () => {
      for (const queryKey of [keys.conversations, keys.unreadConversations, keys.conversation(matchId)])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}

interface SnoozeDialogProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  onClose: () => void;
}

/** Asks how long to snooze a conversation. */
export function SnoozeDialog({ matchId, name, onClose }: SnoozeDialogProps) {
  const snooze = useSnooze(matchId);
  const form = useForm({
    initial: { days: '7' },
    schema: snoozeConversation.body,
    toBody: ({ days }) => ({ days: Number(days) }),
    send: (body) => snooze.mutateAsync(body),
    onSent: onClose,
  });
  return (
    <FormDialog title={t`Snooze this conversation?`} size="narrow" form={form} sendText={t`Snooze`} onClose={onClose}>
      <Hint>{t`It moves to your snoozed conversations, and its messages don't notify you. ${name} won't know.`}</Hint>
      <ChoiceGroup
        type="radio"
        name="days"
        legend={t`For how long?`}
        choices={[
          { value: '1', label: t`One day` },
          { value: '7', label: t`One week` },
          { value: '30', label: t`30 days` },
        ]}
        chosen={[form.values.days]}
        onChange={([days = '7']) => form.set('days', days)}
      />
    </FormDialog>
  );
}
