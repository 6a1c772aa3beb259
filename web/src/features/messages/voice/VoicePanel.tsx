import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled, IconSend2, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { messageMaxLength, voiceMaxSeconds } from '#contract/constants.ts';
import fields from '../../../ui/form/Field.module.css';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { stop as stopPlayer } from './player.ts';
import { canRecord, type Recorder, type Recording, startRecorder, toPeaks } from './recorder.ts';
import type { Hold } from './VoiceButton.tsx';
import { clockOf, VoicePlayer } from './VoicePlayer.tsx';
import classes from './voice.module.css';
import { Waveform } from './Waveform.tsx';

/** A press shorter than this starts a recording that goes on without it. */
const tapMs = 400;
/** How far a finger slides to lock or cancel a recording. */
const slidePx = 70;
/** Shorter recordings are presses by mistake. */
const leastMs = 500;
const liveBars = 64;

type Stage = 'asking' | 'recording' | 'preview' | 'refused' | 'failed' | 'short';

/** Records as soon as it is shown, and throws the recording away when it is removed. */
function useRecording(hold: Hold) {
  const [stage, setStage] = useState<Stage>(canRecord() ? 'asking' : 'failed');
  const [attempt, setAttempt] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [ms, setMs] = useState(0);
  const [recording, setRecording] = useState<Recording | null>(null);
  const recorder = useRef<Recorder | null>(null);

  useEffect(() => {
    if (!canRecord()) return undefined;
    let isWanted = true;
    const onLevel = (level: number, at: number) => {
      setLevels((before) => [...before, level]);
      setMs(at);
    };
    const onEnd = (made: Recording | null) => {
      if (!isWanted) return;
      setRecording(made);
      setStage(made === null ? 'failed' : made.durationMs < leastMs ? 'short' : 'preview');
    };
    setLevels([]);
    setMs(0);
    startRecorder({ onLevel, onEnd }).then(
      (started) => {
        if (!isWanted) return started.cancel();
        recorder.current = started;
        setStage('recording');
      },
      (error: unknown) => {
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        if (isWanted) setStage(isRefused ? 'refused' : 'failed');
      },
    );
    return () => {
      isWanted = false;
      recorder.current?.cancel();
    };
  }, [attempt]);

  function again() {
    hold.isDown = false;
    setStage('asking');
    setAttempt(attempt + 1);
  }

  return { stage, levels, ms, recording, again, stop: () => recorder.current?.stop() };
}

/** Follows the finger that holds the button; returns whether it still does. */
function useHold(hold: Hold, { onStop, onCancel }: { onStop: () => void; onCancel: () => void }): boolean {
  const [isHeld, setHeld] = useState(hold.isDown);
  const release = useEffectEvent((heldMs: number) => {
    setHeld(false);
    if (heldMs >= tapMs) onStop();
  });
  const slide = useEffectEvent(({ clientX, clientY }: PointerEvent) => {
    if (hold.y - clientY > slidePx) setHeld(false);
    else if (Math.abs(hold.x - clientX) > slidePx) onCancel();
  });

  useEffect(() => {
    if (!isHeld) return undefined;
    const since = performance.now();
    const onUp = () => release(performance.now() - since);
    // A question of the browser takes the pointer away: the recording goes on without it.
    const onLost = () => setHeld(false);
    const onMove = (event: PointerEvent) => slide(event);
    if (!hold.isDown) onLost();
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onLost);
    window.addEventListener('pointermove', onMove);
    return () => {
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onLost);
      window.removeEventListener('pointermove', onMove);
    };
  }, [isHeld, hold]);
  return isHeld;
}

interface VoicePanelProps {
  hold: Hold;
  onSend: (recording: Recording, caption: string) => void;
  onClose: () => void;
}

/** Records a voice message above the message field, and plays it before it is sent. */
export function VoicePanel({ hold, onSend, onClose }: VoicePanelProps) {
  const { stage, levels, ms, recording, again, stop } = useRecording(hold);
  const isHeld = useHold(hold, { onStop: stop, onCancel: onClose });
  const isPreview = stage === 'preview' && recording !== null;

  function close() {
    stopPlayer();
    onClose();
  }

  function press(event: KeyboardEvent) {
    // A finished recording is discarded by its button only.
    if (event.key !== 'Escape' || isPreview) return;
    event.stopPropagation();
    close();
  }

  return (
    <div role="group" aria-label={t('Voice message')} className={classes.panel} onKeyDown={press}>
      <p role="status" className="visually-hidden">
        {stage === 'recording' && t('Recording')}
        {isPreview && t('Recorded, {length}', { length: clockOf(recording.durationMs) })}
      </p>
      {isPreview ? (
        <Preview
          recording={recording}
          onDiscard={close}
          onSend={(caption) => {
            onSend(recording, caption);
            close();
          }}
        />
      ) : stage === 'recording' ? (
        <Live levels={levels} ms={ms} isHeld={isHeld} onStop={stop} onCancel={close} />
      ) : (
        <Problem stage={stage} onRetry={again} onClose={close} />
      )}
    </div>
  );
}

interface LiveProps {
  levels: readonly number[];
  ms: number;
  isHeld: boolean;
  onStop: () => void;
  onCancel: () => void;
}

function Live({ levels, ms, isHeld, onStop, onCancel }: LiveProps) {
  const stopButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isHeld) stopButton.current?.focus();
  }, [isHeld]);
  return (
    <Stack gap="0.5rem">
      <Group gap="0.6rem" wrap="nowrap">
        <span className={classes.dot} />
        <Text role="timer" component="span" fz="small" className={classes.time}>
          {t('{at} of {length}', { at: clockOf(ms), length: clockOf(voiceMaxSeconds * 1000) })}
        </Text>
        <div className={classes.live}>
          <Waveform peaks={[...Array.from({ length: liveBars }, () => 0), ...levels].slice(-liveBars)} />
        </div>
      </Group>
      {isHeld ? (
        <Text fz="small" c="dimmed">
          {t('Let go to listen to it before you send it. Slide up to keep recording, or to the side to cancel.')}
        </Text>
      ) : (
        <Group justify="flex-end" gap="0.5rem">
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button ref={stopButton} leftSection={<IconPlayerStopFilled size={18} aria-hidden="true" />} onClick={onStop}>
            {t('Stop recording')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface PreviewProps {
  recording: Recording;
  onSend: (caption: string) => void;
  onDiscard: () => void;
}

function Preview({ recording: { file, durationMs, peaks }, onSend, onDiscard }: PreviewProps) {
  const [caption, setCaption] = useState('');
  const sendButton = useRef<HTMLButtonElement>(null);
  const playerId = useId();
  useEffect(() => sendButton.current?.focus(), []);
  return (
    <Stack gap="0.5rem">
      <VoicePlayer
        id={playerId}
        label={t('Your recording')}
        durationMs={durationMs}
        peaks={toPeaks(peaks)}
        load={() => Promise.resolve(file)}
      />
      <Group gap="0.5rem" wrap="nowrap" align="flex-end">
        <ActionIcon variant="subtle" color="gray" size={44} radius="xl" aria-label={t('Discard')} onClick={onDiscard}>
          <IconTrash size={21} stroke={1.75} />
        </ActionIcon>
        <input
          className={fields.control}
          dir="auto"
          aria-label={t('Caption')}
          placeholder={t('Add a caption')}
          maxLength={messageMaxLength}
          value={caption}
          onChange={(event) => setCaption(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onSend(caption.trim());
          }}
        />
        <ActionIcon
          ref={sendButton}
          variant="filled"
          size={44}
          radius="xl"
          aria-label={t('Send voice message')}
          onClick={() => onSend(caption.trim())}
        >
          <IconSend2 size={21} stroke={1.75} />
        </ActionIcon>
      </Group>
    </Stack>
  );
}

const problemTexts: Record<Exclude<Stage, 'recording' | 'preview'>, string> = {
  asking: 'Allow the microphone to record a voice message.',
  refused: "We can't use your microphone. Allow it for this site in your browser's settings, then try again.",
  failed: "We couldn't record. Check that a microphone is connected and no other app uses it, then try again.",
  short: 'That was very short. Hold the button while you speak, or press it once to start.',
};

interface ProblemProps {
  stage: Stage;
  onRetry: () => void;
  onClose: () => void;
}

function Problem({ stage, onRetry, onClose }: ProblemProps) {
  if (stage === 'recording' || stage === 'preview') return null;
  const isAsking = stage === 'asking';
  const text = canRecord() ? problemTexts[stage] : "This browser can't record voice messages.";
  return (
    <Stack gap="0.5rem">
      <Notice kind={isAsking || stage === 'short' ? 'info' : 'error'}>{t(text)}</Notice>
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={onClose}>
          {isAsking ? t('Cancel') : t('Close')}
        </Button>
        {!isAsking && canRecord() && (
          <Button leftSection={<IconMicrophone size={18} stroke={1.75} aria-hidden="true" />} onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
