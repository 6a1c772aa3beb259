import { plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { type ConversationView, goodbyes } from '#contract/messages/messages.ts';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { lastLineOf } from '../line-of.ts';
import { sayGoodbye, snooze, type Waiting } from './waiting.ts';

const laterDays = 7;
const [goodbye] = goodbyes;

interface TurnProps {
  conversation: ConversationView;
  /** Called with the action taken. */
  onDone: (text: string) => void;
}

/** One person waiting for an answer. */
function Turn({ conversation, onDone }: TurnProps) {
  const { _id, user } = conversation;
  const isHidden = useHiddenWordFinder();
  const name = memberName(user);
  const end = useMutation({
    mutationFn: () => sayGoodbye(_id, goodbye),
    onSuccess: () => onDone(t`You said goodbye to ${name}.`),
  });
  const later = useMutation({
    mutationFn: () => snooze(_id, laterDays),
    onSuccess: () => onDone(t`${name} is back in your list in a week.`),
  });
  const isBusy = end.isPending || later.isPending;
  return (
    <Box component="li" py="0.75rem">
      <Group gap="0.75rem" wrap="nowrap">
        <Avatar id={user._id} name={name} picture={user.profilePicture} size={44} />
        <Box miw={0} flex={1}>
          <Text component="bdi" display="block" fw={600} truncate>
            {name}
          </Text>
          <Text dir="auto" fz="note" c="dimmed" lineClamp={2}>
            {lastLineOf(conversation, isHidden)}
          </Text>
        </Box>
      </Group>
      <Group gap="0.35rem" mt="0.5rem">
        <Button component={Link} to={`/app/messages/${_id}`} mih={44} aria-label={t`Answer ${name}`}>
          {t`Answer`}
        </Button>
        <Button
          variant="default"
          mih={44}
          aria-disabled={isBusy || undefined}
          aria-label={t`End kindly with ${name}`}
          onClick={() => !isBusy && end.mutate()}
        >
          {t`End kindly`}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          mih={44}
          aria-disabled={isBusy || undefined}
          aria-label={t`Answer ${name} later`}
          onClick={() => !isBusy && later.mutate()}
        >
          {t`Later`}
        </Button>
      </Group>
      <ErrorNotice error={end.error} text={(error) => t`You are still a match: ${error}`} />
      <ErrorNotice error={later.error} text={(error) => t`Nothing has changed: ${error}`} />
    </Box>
  );
}

/** Offers to answer, end or postpone conversations that wait for the member. Closing it changes nothing. */
export function TurnsDialog({ waiting: { count, conversations }, onClose }: { waiting: Waiting; onClose: () => void }) {
  const [done, setDone] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const left = conversations.filter(({ _id }) => !done.includes(_id));
  return (
    <Dialog
      title={t`${plural(count, { one: '# person is', other: '# people are' })} waiting for your answer`}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {left.length === 0 ? t`Done` : t`Not now`}
        </Button>
      }
    >
      <Hint>
        {t`Answer, come back in a week, or end it kindly: we send “${goodbye}” and end the match for both of you.`}
      </Hint>
      <Text ref={status} role="status" tabIndex={-1} mt="0.5rem" fz="note">
        {said}
      </Text>
      <Stack component="ul" gap={0}>
        {left.map((conversation) => (
          <Turn
            key={conversation._id}
            conversation={conversation}
            onDone={(text) => {
              setDone((before) => [...before, conversation._id]);
              setSaid(text);
              // The pressed button disappears, so the message takes the focus.
              status.current?.focus();
            }}
          />
        ))}
      </Stack>
    </Dialog>
  );
}
