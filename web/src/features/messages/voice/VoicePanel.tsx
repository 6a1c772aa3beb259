import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconPlayerStopFilled, IconSend2, IconTrash } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { messageMaxLength, voiceMaxSeconds } from '#contract/constants.ts';
import { randomKey } from '../../../api/request.ts';
import fields from '../../../ui/form/Field.module.css';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { post } from '../outbox.ts';
import { keepFile } from '../photos/unsent-files.ts';
import { stop as stopPlayer, usePlayer } from './player.ts';
import { canRecord, type Recorder, type Recording, startRecorder, waveBars } from './recorder.ts';
import { clockOf, VoicePlayer } from './VoicePlayer.tsx';
import classes from './voice.module.css';
import { Waveform } from './Waveform.tsx';

/** Whether a pointer holds the button, has let go, or was never needed: after a slide up, or from the keyboard. */
export type Hold = 'held' | 'released' | 'locked';

/** A press shorter than this starts a recording that goes on without it. */
const tapMs = 400;
const silence: readonly number[] = Array.from({ length: waveBars }, () => 0);

const focus = (button: HTMLButtonElement | null) => button?.focus();

const problems = {
  unsupported: msg`This browser can't record voice messages.`,
  refused: msg`We can't use your microphone. Allow it for this site in your browser's settings, then try again.`,
  failed: msg`We couldn't record. Check that a microphone is connected and no other app uses it, then try again.`,
};
/** Shown while nothing is heard, and for a recording of nothing. */
const SilenceNotice = () => (
  <Notice kind="warning">{t`There's no sound. Check that your microphone isn't muted.`}</Notice>
);
type Stage = 'asking' | 'recording' | keyof typeof problems | Recording;

/**
 * Records as soon as it is shown, and throws away what it has when it is removed. What plays would be recorded as well:
 * it stops for the recording, and the recording ends when something is played.
 */
function useRecording() {
  const [stage, setStage] = useState<Stage>(canRecord() ? 'asking' : 'unsupported');
  const [heard, setHeard] = useState({ levels: silence, ms: 0, isSilent: false });
  const recorder = useRef<Recorder | null>(null);

  useEffect(() => {
    if (!canRecord()) return undefined;
    stopPlayer();
    const stopWatching = usePlayer.subscribe(({ id }) => id !== null && recorder.current?.stop());
    let isWanted = true;
    const show = (next: Stage) => isWanted && setStage(next);
    startRecorder({
      onLevel: (level, ms, isSilent) =>
        setHeard(({ levels }) => ({ levels: [...levels, level].slice(-waveBars), ms, isSilent })),
      onEnd: (recording) => show(recording ?? 'failed'),
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
  matchId: string;
  hold: Hold;
  onClose: () => void;
}

/** Records a voice message above the message field, and plays it before it is sent. */
export function VoicePanel(props: VoicePanelProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <div role="group" aria-label={t`Voice message`} className={classes.panel}>
      <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

function Attempt({ matchId, hold, onClose, onRetry }: VoicePanelProps & { onRetry: () => void }) {
  const { stage, levels, ms, isSilent, stop } = useRecording();
  const [openedAt] = useState(() => performance.now());
  const release = useEffectEvent(() => {
    if (performance.now() - openedAt >= tapMs) stop();
  });
  useEffect(() => {
    if (hold === 'released') release();
  }, [hold]);
  // A finished recording is discarded by its button only.
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && typeof stage === 'string' && onClose());

  if (typeof stage === 'object') return <Preview matchId={matchId} recording={stage} onClose={onClose} />;
  const isRecording = stage === 'recording';
  const isHeld = isRecording && hold === 'held';
  return (
    <Stack gap="0.5rem">
      {isRecording ? (
        <Group gap="0.6rem" wrap="nowrap">
          <span className={classes.dot} />
          <Text role="timer" component="span" flex="none" fz="small">
            {t`${{ at: clockOf(ms) }} of ${{ length: clockOf(voiceMaxSeconds * 1000) }}`}
          </Text>
          <Box flex={1} miw={0}>
            <Waveform peaks={levels} />
          </Box>
        </Group>
      ) : (
        <Notice kind={stage === 'asking' ? 'info' : 'error'}>
          {stage === 'asking' ? t`Allow the microphone to record a voice message.` : t(problems[stage])}
        </Notice>
      )}
      {isRecording && isSilent && <SilenceNotice />}
      {isHeld ? (
        <Text fz="small" c="dimmed">
          {t`Let go to listen to it before you send it. Slide up to keep recording, or to the side to cancel.`}
        </Text>
      ) : (
        <Group justify="flex-end" gap="0.5rem">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          {isRecording && (
            <Button ref={focus} leftSection={<IconPlayerStopFilled size={18} aria-hidden="true" />} onClick={stop}>
              {t`Stop recording`}
            </Button>
          )}
          {(stage === 'refused' || stage === 'failed') && <Button onClick={onRetry}>{t`Try again`}</Button>}
        </Group>
      )}
    </Stack>
  );
}

type PreviewProps = Omit<VoicePanelProps, 'hold'> & { recording: Recording };

function Preview({ matchId, recording, onClose }: PreviewProps) {
  const [caption, setCaption] = useState('');
  const playerId = useId();
  // Its sound is only here.
  useEffect(() => stopPlayer, []);

  function send() {
    const { file, durationMs, peaks } = recording;
    const name = randomKey();
    keepFile(name, file);
    post(matchId, caption.trim(), { voice: { name, durationMs, peaks } });
    onClose();
  }

  return (
    <Stack gap="0.5rem">
      {recording.isSilent && <SilenceNotice />}
      <VoicePlayer
        {...recording}
        id={playerId}
        label={t`Your recording`}
        load={() => Promise.resolve(recording.file)}
      />
      <Group gap="0.5rem" wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" size={44} radius="xl" aria-label={t`Discard`} onClick={onClose}>
          <IconTrash size={21} stroke={1.75} />
        </ActionIcon>
        <input
          className={fields.control}
          dir="auto"
          aria-label={t`Caption`}
          placeholder={t`Add a caption`}
          maxLength={messageMaxLength}
          value={caption}
          onChange={(event) => setCaption(event.currentTarget.value)}
          // The panel is part of the form of the message field.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <ActionIcon ref={focus} size={44} radius="xl" aria-label={t`Send voice message`} onClick={send}>
          <IconSend2 className="mirrored" size={21} stroke={1.75} />
        </ActionIcon>
      </Group>
    </Stack>
  );
}
