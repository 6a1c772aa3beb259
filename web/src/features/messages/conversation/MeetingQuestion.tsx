import { t } from '@lingui/core/macro';
import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { MeetingAnswer } from '#contract/messages/messages.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { useAnswerMeeting } from '../queries.ts';

interface MeetingQuestionProps {
  matchId: string;
  name: string;
  /** Whether it is time to ask. */
  isTime: boolean;
}

/** Asks once, above the field, whether the two people have met. */
export function MeetingQuestion({ matchId, name, isTime }: MeetingQuestionProps) {
  const [given, setGiven] = useState<MeetingAnswer | null>(null);
  const [isDone, setDone] = useState(false);
  const { mutate, isPending, error } = useAnswerMeeting(matchId);
  const words = useRef<HTMLParagraphElement>(null);

  // The pressed button has disappeared, so the answer takes the focus.
  useEffect(() => {
    if (given !== null) words.current?.focus();
  }, [given, isDone]);

  if (given === null && !isTime) return null;
  const answer = (met: MeetingAnswer, meetAgain?: boolean) => {
    const isLast = met !== 'yes' || meetAgain !== undefined;
    mutate(
      { met, ...(meetAgain !== undefined && { meetAgain }) },
      {
        onSuccess: () => {
          setGiven(met);
          setDone(isLast);
        },
      },
    );
  };
  if (isDone)
    return (
      <Text
        ref={words}
        tabIndex={-1}
        role="status"
        c="dimmed"
        fz="small"
        flex="none"
        pt={0}
        pb="0.6rem"
        px="clamp(0.75rem, 2vw, 1.5rem)"
      >
        {given === 'skip' ? t`We won't ask about ${name} again.` : t`Thanks. Only you see your answer.`}
      </Text>
    );
  const choices: readonly [text: string, met: MeetingAnswer, meetAgain?: boolean][] =
    given === null
      ? [
          [t`Yes`, 'yes'],
          [t`Not yet`, 'not-yet'],
          [t`Skip`, 'skip'],
        ]
      : [
          [t`Yes`, 'yes', true],
          [t`No`, 'yes', false],
        ];
  const question = given === null ? t`Did you and ${name} meet?` : t`Would you like to meet ${name} again?`;
  return (
    <Paper
      component="section"
      flex="none"
      mb="0.6rem"
      mx="clamp(0.75rem, 2vw, 1.5rem)"
      py="0.75rem"
      px="1rem"
      shadow="none"
      aria-label={t`A question about ${name}`}
    >
      <Group gap="0.6rem 1rem" justify="space-between">
        <Box flex="1 1 14rem">
          <Text ref={words} tabIndex={-1} fw={600}>
            {question}
          </Text>
          <Text c="dimmed" fz="small">
            {t`Only you see your answer. It helps us learn which matches go well.`}
          </Text>
        </Box>
        <Group gap="0.5rem">
          {choices.map(([text, met, meetAgain]) => (
            <Button
              key={text}
              {...(met === 'skip' ? { variant: 'subtle', color: 'gray' } : { variant: 'default' })}
              aria-disabled={isPending || undefined}
              onClick={() => !isPending && answer(met, meetAgain)}
            >
              {text}
            </Button>
          ))}
        </Group>
        <ErrorNotice error={error} text={(error) => t`Your answer wasn't saved: ${error}`} />
      </Group>
    </Paper>
  );
}
