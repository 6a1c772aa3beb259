import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useEffect, useId } from 'react';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { stop } from './player.ts';
import type { Recording } from './recorder.ts';
import classes from './voice.module.css';
import { VoicePlayer } from './VoicePlayer.tsx';

/** Shown while nothing is heard, and for a silent recording. */
export const SilenceNotice = () => (
  <Notice kind="warning">{t`There's no sound. Check that your microphone isn't muted.`}</Notice>
);

/** Plays a recording before it is sent, above the field for its caption. */
export function VoicePreview({ recording }: { recording: Recording }) {
  const id = useId();
  // Its sound exists only here.
  useEffect(() => stop, []);
  return (
    <Stack gap="0.5rem" mb="0.5rem" className={classes.preview ?? ''}>
      {recording.isSilent && <SilenceNotice />}
      <VoicePlayer {...recording} id={id} label={t`Your recording`} load={() => Promise.resolve(recording.file)} />
    </Stack>
  );
}
