import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { discard, nextOf, type Outgoing, tryAgain, useOutgoing } from '../outbox.ts';
import { Bubble } from './Bubble.tsx';
import { UnsentVoice } from '../voice/VoiceNote.tsx';

import { UnsentPhotos } from '../photos/UnsentPhotos.tsx';

const stateTexts: Record<Outgoing['state'], MessageDescriptor> = {
  waiting: msg`Sending…`,
  sending: msg`Sending…`,
  delayed: msg`No connection. We'll send it as soon as you're back online.`,
  failed: msg`Not sent`,
};

/** Why a message was refused, by error code; otherwise the server's text. */
const problemTexts: Record<string, MessageDescriptor> = {
  NOT_FOUND: msg`This match is over, so this was not sent.`,
};

interface OutgoingMessageProps {
  matchId: string;
  outgoing: Outgoing;
  /** An earlier message has to be sent first. */
  isHeldUp: boolean;
  /** The message that it answers. */
  quote?: ReactNode;
}

/** A message that has not been sent yet or was refused, with buttons to try again or discard it. One that is being sent has none. */
export function OutgoingMessage({ matchId, outgoing, isHeldUp, quote }: OutgoingMessageProps) {
  const { clientId, text, parts, state, problem, isUnstored } = outgoing;
  const known = problemTexts[problem?.code ?? ''];
  const isWaiting = state === 'delayed' || (isHeldUp && state === 'waiting');
  return (
    <Bubble
      isOwn
      by={t`You`}
      text={text}
      media={
        parts && (
          <>
            {parts.pictures && <UnsentPhotos photos={parts.pictures} isSending={state === 'sending'} />}
            {parts.voice && <UnsentVoice voice={parts.voice} />}
          </>
        )
      }
      quote={quote}
      meta={isHeldUp && state === 'waiting' ? t`Waiting for the message before it.` : t(stateTexts[state])}
    >
      {isUnstored === true && state !== 'sending' && (
        <Text role="status" maw="min(36rem, 88%)" mt="0.3rem" fz="note">
          {t`Your browser couldn't save this message. Keep this page open until it's sent.`}
        </Text>
      )}
      {problem !== null && (
        <Text role="alert" maw="min(36rem, 88%)" mt="0.3rem" c="var(--mantine-color-error)" fz="note">
          {known ? t(known) : problem.text}
        </Text>
      )}
      {(problem !== null || isWaiting) && (
        <Group ref={passingFocus} gap="0.35rem" justify="flex-end" mt="0.25rem">
          {problem?.code === 'AGE_ASSURANCE_REQUIRED' && (
            <Button size="sm" component={Link} to="/app/verify-age">
              {t`Confirm my age`}
            </Button>
          )}
          {problem !== null && !['NOT_FOUND', 'FILES_GONE', 'PART_OFF'].includes(problem.code ?? '') && (
            <Button size="sm" variant="default" onClick={() => tryAgain(matchId, clientId)}>
              {t`Try again`}
            </Button>
          )}
          <Button size="sm" variant="default" onClick={() => discard(matchId, clientId)}>
            {t`Discard`}
          </Button>
        </Group>
      )}
    </Bubble>
  );
}

/** The unsent messages of a match, shown when its conversation could not be loaded. */
export function UnsentMessages({ matchId }: { matchId: string }) {
  const outgoing = useOutgoing(matchId);
  if (outgoing.length === 0) return null;
  return (
    <Box component="section" py="1rem" px="clamp(0.75rem, 2vw, 1.5rem)" aria-label={t`Unsent messages`}>
      {outgoing.every(({ isUnstored }) => isUnstored !== true) && (
        <Hint mb="0.75rem" ta="center">
          {t`Unsent messages are saved on this device.`}
        </Hint>
      )}
      <Stack component="ol" gap="0.75rem">
        {outgoing.map((one) => (
          <li key={one.clientId}>
            <OutgoingMessage matchId={matchId} outgoing={one} isHeldUp={one !== nextOf(outgoing)} />
          </li>
        ))}
      </Stack>
    </Box>
  );
}
