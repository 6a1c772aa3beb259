import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Loader, Text } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect } from 'react';
import { formatNumber } from '../../../ui/text/format.ts';
import { nextRate, pause, play, seek, usePlayer } from './player.ts';
import { Waveform } from './Waveform.tsx';
import classes from './voice.module.css';

/** A length such as 0:07. */
export function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

interface VoicePlayerProps {
  id: string;
  /** The accessible name, for people who don't see whose message it is. */
  label: string;
  durationMs: number;
  peaks: readonly number[];
  /** Returns the sound. */
  load: () => Promise<Blob>;
  /** A received message that was never played here. */
  isNew?: boolean;
  onPlayed?: () => void;
}

/** Plays a voice message: the button, the waveform, which can also be moved by keyboard, and the speed. */
export function VoicePlayer({ id, label, durationMs, peaks, load, isNew = false, onPlayed }: VoicePlayerProps) {
  const player = usePlayer();
  const isOpen = player.id === id;
  const { state, seconds } = isOpen ? player : { state: 'paused', seconds: 0 };
  const isPlaying = state === 'playing';
  const at = clockOf(seconds * 1000);
  const length = clockOf(durationMs);
  const rate = formatNumber(player.rate);

  useEffect(() => {
    if (isPlaying) onPlayed?.();
  }, [isPlaying, onPlayed]);

  return (
    <Group role="group" aria-label={label} gap="0.5rem" className={classes.player ?? ''}>
      <ActionIcon
        variant="filled"
        size={44}
        radius="xl"
        aria-busy={state === 'loading'}
        aria-label={isPlaying ? t`Pause` : t`Play`}
        onClick={() => (isPlaying ? pause() : void play(id, load))}
      >
        {state === 'loading' ? (
          <Loader size={18} color="currentColor" />
        ) : isPlaying ? (
          <IconPlayerPauseFilled size={20} />
        ) : (
          <IconPlayerPlayFilled size={20} />
        )}
      </ActionIcon>
      <div className={classes.track}>
        <Waveform peaks={peaks} played={(seconds * 1000) / durationMs} />
        <input
          type="range"
          className={classes.position}
          // Sound runs from left to right in every language, like its waveform.
          dir="ltr"
          max={Math.max(1, Math.round(durationMs / 1000))}
          value={Math.round(seconds)}
          aria-label={t`Position`}
          aria-valuetext={t`${at} of ${length}`}
          onChange={({ currentTarget: { value } }) =>
            isOpen ? seek(Number(value)) : void play(id, load, Number(value))
          }
        />
        <Text component="span" fz="small">
          {seconds > 0 ? at : length} {isNew && <strong>{t({ message: 'New', context: 'voice message' })}</strong>}
        </Text>
      </div>
      <Button variant="subtle" color="gray" px={0} w={44} h={44} aria-label={t`Speed: ${rate}×`} onClick={nextRate}>
        {rate}×
      </Button>
      {state === 'failed' && (
        <Text role="alert" fz="small" c="var(--mantine-color-error)">
          {t`Couldn't play this. Check your connection and try again.`}
        </Text>
      )}
    </Group>
  );
}
