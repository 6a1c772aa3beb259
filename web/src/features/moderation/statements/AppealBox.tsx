import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { type AppealRight, appealReviewDays, type AppealState, isOpenAppeal } from '#contract/moderation/decisions.ts';
import { appealByLink } from '#contract/moderation/appeals.ts';
import { Tag, type TagTone } from '../../../ui/data/Tag.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint, Quote } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';

const stateWords: Record<AppealState, [word: MessageDescriptor, tone: TagTone]> = {
  submitted: [msg`Waiting for a review`, 'info'],
  under_review: [msg`Being reviewed`, 'info'],
  upheld: [msg`The decision stays`, 'quiet'],
  overturned: [msg`Decision taken back`, 'positive'],
  partly_overturned: [msg`Partly taken back`, 'positive'],
  inadmissible: [msg`Could not be reviewed`, 'quiet'],
  withdrawn: [msg`Withdrawn`, 'quiet'],
};

interface AppealBoxProps {
  right: AppealRight;
  /** Explains what can be appealed, before there is an appeal. */
  lead: string;
  send: (text: string) => Promise<unknown>;
  /** Absent if the viewer isn't signed in. */
  withdraw?: (id: string) => Promise<unknown>;
}

function AppealForm({ right, send, onClose }: Pick<AppealBoxProps, 'right' | 'send'> & { onClose: () => void }) {
  const formId = useId();
  const form = useForm({
    initial: { text: '' },
    draft: `appeal:${right.decisionId}`,
    schema: appealByLink.body,
    // Both endpoints take the same text; the server checks the token.
    toBody: ({ text }) => ({ text, token: '-' }),
    check: ({ text }) => (text.trim() === '' ? [{ field: 'text', msg: t`Say why you disagree` }] : []),
    send: ({ text }) => send(text),
    onSent: onClose,
  });
  // The form replaces the button that had the focus.
  useEffect(() => form.form.current?.querySelector('textarea')?.focus(), [form.form]);
  return (
    <Form id={formId} ref={form.form} w="100%" onSubmit={form.submit}>
      {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
      <TextArea
        label={t`Why do you disagree?`}
        rows={4}
        required
        {...form.bind('text')}
        description={t`Someone who did not make the decision reads this and decides within ${{ days: appealReviewDays }} days.`}
      />
      <Buttons>
        <BusyButton type="submit" isBusy={form.isPending} busyText={t`Sending...`}>
          {t`Send appeal`}
        </BusyButton>
        <Button variant="default" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </Buttons>
    </Form>
  );
}

/** The right to appeal a decision: a button that opens the form, or the state of the appeal. */
export function AppealBox({ right, lead, send, withdraw }: AppealBoxProps) {
  const [isOpen, setOpen] = useState(false);
  const { appeal, mayAppeal, until } = right;
  const withdrawal = useMutation({ mutationFn: (id: string) => withdraw?.(id) ?? Promise.resolve() });
  return (
    <Stack align="flex-start" gap="0.5rem" mt="1.25rem">
      {appeal !== null && (
        <>
          <Group component="p" gap="0.3rem 0.75rem">
            <strong>{t`Your appeal`}</strong>
            <Tag tone={stateWords[appeal.state][1]}>{t(stateWords[appeal.state][0])}</Tag>
          </Group>
          <Quote dir="auto">{appeal.text}</Quote>
          {isOpenAppeal(appeal.state) && (
            <Hint my="0.75rem">
              {t`Sent ${{ date: formatDate(appeal.at) }}. We answer by ${{ due: formatDate(appeal.dueAt) }}.`}
            </Hint>
          )}
          {appeal.answer !== null && (
            <>
              <Text component="h3" mb="0.3rem" ff="text" fz="note" fw={600}>
                {t`Our answer`}
              </Text>
              <Text mb="1rem" style={{ whiteSpace: 'pre-wrap' }} dir="auto">
                {appeal.answer}
              </Text>
            </>
          )}
          <ErrorNotice error={withdrawal.error} />
          {withdraw && isOpenAppeal(appeal.state) && (
            <BusyButton
              variant="default"
              size="sm"
              isBusy={withdrawal.isPending}
              busyText={t`Withdrawing...`}
              onClick={() => withdrawal.mutate(appeal._id)}
            >
              {t`Withdraw appeal`}
            </BusyButton>
          )}
        </>
      )}
      {mayAppeal && isOpen && <AppealForm right={right} send={send} onClose={() => setOpen(false)} />}
      {mayAppeal && !isOpen && (
        <>
          <Hint my="0.75rem">
            {lead} {t`You can appeal until ${{ date: formatDate(until) }}.`}
          </Hint>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t`Appeal this decision`}
          </Button>
        </>
      )}
    </Stack>
  );
}
