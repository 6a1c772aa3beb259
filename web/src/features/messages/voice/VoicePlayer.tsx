import { ActionIcon, Button, Loader, Text } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect } from 'react';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
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
  /** Names it for people who don't see whose it is. */
  label: string;
  durationMs: number;
  peaks: readonly number[];
  /** Returns the sound. */
  load: () => Promise<Blob>;
  /** A received message that was never played here. */
  isNew?: boolean;
  onPlayed?: () => void;
}

/** Plays a voice message: the button, the waveform, in which one can move by keyboard as well, and the speed. */
export function VoicePlayer({ id, label, durationMs, peaks, load, isNew = false, onPlayed }: VoicePlayerProps) {
  const player = usePlayer();
  const isOpen = player.id === id;
  const state = isOpen ? player.state : 'paused';
  const seconds = isOpen ? player.seconds : 0;
  const isPlaying = state === 'playing';

  useEffect(() => {
    if (isPlaying) onPlayed?.();
  }, [isPlaying, onPlayed]);

  function move(to: number) {
    if (isOpen) seek(to);
    else void play(id, load, to);
  }

  return (
    <div role="group" aria-label={label} className={classes.player}>
      <ActionIcon
        variant="filled"
        size={44}
        radius="xl"
        aria-label={isPlaying ? t('Pause') : t('Play')}
        onClick={() => (isPlaying ? pause() : void play(id, load))}
      >
        {state === 'loading' ? (
          <Loader size={18} color="currentColor" aria-label={t('Loading...')} />
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
          min={0}
          max={Math.max(1, Math.round(durationMs / 1000))}
          step={1}
          value={Math.round(seconds)}
          aria-label={t('Position')}
          aria-valuetext={t('{at} of {length}', { at: clockOf(seconds * 1000), length: clockOf(durationMs) })}
          onChange={(event) => move(Number(event.currentTarget.value))}
        />
        <Text component="span" className={classes.time} fz="small">
          {clockOf(isOpen && seconds > 0 ? seconds * 1000 : durationMs)}
          {isNew && (
            <span className={classes.unheard}>
              <span className="visually-hidden">{t('Not played yet')}</span>
            </span>
          )}
        </Text>
      </div>
      <Button
        variant="subtle"
        color="gray"
        px="0.35rem"
        miw={44}
        mih={44}
        aria-label={t('Speed: {rate}×', { rate: formatNumber(player.rate) })}
        onClick={nextRate}
      >
        {formatNumber(player.rate)}×
      </Button>
      {state === 'failed' && (
        <Text role="alert" className={classes.failed} fz="small">
          {t("Couldn't play this. Check your connection and try again.")}
        </Text>
      )}
    </div>
  );
}
