import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconPlayerStopFilled, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { voiceMaxSeconds } from '#contract/constants.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { stop as stopPlayer, usePlayer } from './player.ts';
import { canRecord, type Recorder, type Recording, startRecorder, waveBars } from './recorder.ts';
import { SilenceNotice } from './VoicePreview.tsx';
import { clockOf } from './VoicePlayer.tsx';
import classes from './voice.module.css';
import { Waveform } from './Waveform.tsx';

/** Whether a pointer holds the button, has let go, or was never needed: after a slide up, or from the keyboard. */
export type Hold = 'held' | 'released' | 'locked';

/** A press shorter than this starts a recording that continues without it. */
const tapMs = 400;
const silence: readonly number[] = Array.from({ length: waveBars }, () => 0);

const focus = (button: HTMLButtonElement | null) => button?.focus();

const problems = {
  unsupported: msg`This browser can't record voice messages.`,
  refused: msg`We can't use your microphone. Allow it for this site in your browser's settings, then try again.`,
  failed: msg`We couldn't record. Check that a microphone is connected and no other app uses it, then try again.`,
};
type Stage = 'asking' | 'recording' | keyof typeof problems;

/**
 * Starts recording as soon as it is shown, and discards the recording when it is removed. Sound that plays would be recorded as well, so it
 * stops for the recording, and the recording ends when something is played.
 */
function useRecording(onRecorded: (recording: Recording) => void) {
  const [stage, setStage] = useState<Stage>(canRecord() ? 'asking' : 'unsupported');
  const [heard, setHeard] = useState({ levels: silence, ms: 0, isSilent: false });
  const recorder = useRef<Recorder | null>(null);
  const finish = useEffectEvent(onRecorded);

  useEffect(() => {
    if (!canRecord()) return undefined;
    stopPlayer();
    const stopWatching = usePlayer.subscribe(({ id }) => id !== null && recorder.current?.stop());
    let isWanted = true;
    const show = (next: Stage) => isWanted && setStage(next);
    startRecorder({
      onLevel: (level, ms, isSilent) =>
        setHeard(({ levels }) => ({ levels: [...levels, level].slice(-waveBars), ms, isSilent })),
      onEnd: (recording) => (recording === null ? show('failed') : isWanted && finish(recording)),
    }).then(
      (started) => {
        recorder.current = started;
        if (isWanted) show('recording');
        else started.cancel();
      },
      (error: unknown) =>
        show(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'failed'),
    );
    return () => {
      isWanted = false;
      stopWatching();
      recorder.current?.cancel();
    };
  }, []);

  return { stage, ...heard, stop: () => recorder.current?.stop() };
}

interface VoicePanelProps {
  hold: Hold;
  onRecorded: (recording: Recording) => void;
  onClose: () => void;
}

/** Records a voice message, in the place of the message field. */
export function VoicePanel(props: VoicePanelProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <Stack
      role="group"
      aria-label={t`Voice message`}
      gap="0.5rem"
      className={classes.panel ?? ''}
      data-held={props.hold === 'held' || undefined}
    >
      <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
    </Stack>
  );
}

function Attempt({ hold, onRecorded, onClose, onRetry }: VoicePanelProps & { onRetry: () => void }) {
  const { stage, levels, ms, isSilent, stop } = useRecording(onRecorded);
  const [openedAt] = useState(() => performance.now());
  const release = useEffectEvent(() => {
    if (performance.now() - openedAt >= tapMs) stop();
  });
  useEffect(() => {
    if (hold === 'released') release();
  }, [hold]);
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose());

  if (stage !== 'recording')
    return (
      <Notice
        kind={stage === 'asking' ? 'info' : 'error'}
        action={
          <Group gap="0.5rem">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            {(stage === 'refused' || stage === 'failed') && <Button onClick={onRetry}>{t`Try again`}</Button>}
          </Group>
        }
      >
        {stage === 'asking' ? t`Allow the microphone to record a voice message.` : t(problems[stage])}
      </Notice>
    );
  const isHeld = hold === 'held';
  return (
    <>
      {isSilent && <SilenceNotice />}
      <Group gap="0.6rem" wrap="nowrap" mih={44}>
        {!isHeld && (
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={t`Cancel`} onClick={onClose}>
            <IconX size={21} stroke={1.75} />
          </ActionIcon>
        )}
        <span className={classes.dot} />
        <Text role="timer" component="span" flex="none" fz="small">
          {t`${{ at: clockOf(ms) }} of ${{ length: clockOf(voiceMaxSeconds * 1000) }}`}
        </Text>
        <Box flex={1} miw={0}>
          <Waveform peaks={levels} />
        </Box>
        {!isHeld && (
          <ActionIcon ref={focus} variant="filled" size={44} aria-label={t`Stop recording`} onClick={stop}>
            <IconPlayerStopFilled size={20} />
          </ActionIcon>
        )}
      </Group>
      {isHeld && (
        <Text fz="small" c="dimmed">
          {t`Let go to listen to it before you send it. Slide up to keep recording, or to the side to cancel.`}
        </Text>
      )}
    </>
  );
}
