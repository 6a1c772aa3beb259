import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { openersFor, type Shown } from './sentences.ts';

interface OpenersProps {
  own: Shown;
  /** The other person. */
  user: Shown;
  /** Puts the suggestion into the field; nothing is sent. */
  onChoose: (text: string) => void;
}

/** Up to three suggestions for a first message, from what both people show on their profiles. */
export function Openers({ own, user, onChoose }: OpenersProps) {
  const labelId = useId();
  const openers = openersFor(own, user);
  if (openers.length === 0) return null;
  return (
    <Stack
      component="section"
      gap="0.35rem"
      mb="0.6rem"
      mah="40dvh"
      aria-labelledby={labelId}
      style={{ overflowY: 'auto' }}
    >
      <Text id={labelId} fz="small" c="dimmed">
        {t`Ideas for a first message. You can change them before you send.`}
      </Text>
      {openers.map((text) => (
        <Button
          key={text}
          variant="default"
          h="auto"
          mih={44}
          py="0.4rem"
          justify="flex-start"
          fw={400}
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          onClick={() => onChoose(text)}
        >
          {text}
        </Button>
      ))}
    </Stack>
  );
}
