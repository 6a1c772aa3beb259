import { ActionIcon } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { lazy, useRef, useState } from 'react';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { t } from '../../../ui/text/text.ts';
import type { Recording } from './recorder.ts';
import classes from './voice.module.css';

const VoicePanel = lazy(async () => ({ default: (await import('./VoicePanel.tsx')).VoicePanel }));

/** A finger or pointer that holds the button: where it went down, and whether it still does. */
export interface Hold {
  x: number;
  y: number;
  isDown: boolean;
}

interface VoiceButtonProps {
  /** Adds a voice message to the outbox. */
  onSend: (recording: Recording, caption: string) => void;
}

/** Records a voice message: as long as it is held, or from one press to the next. */
export function VoiceButton({ onSend }: VoiceButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [hold, setHold] = useState<Hold | null>(null);
  const isOpen = hold !== null;

  function open(x: number, y: number, isDown: boolean) {
    if (isOpen) return;
    const next = { x, y, isDown };
    const release = () => {
      next.isDown = false;
    };
    window.addEventListener('pointerup', release, { once: true });
    window.addEventListener('pointercancel', release, { once: true });
    setHold(next);
  }

  function close() {
    setHold(null);
    button.current?.focus();
  }

  return (
    <>
      <ActionIcon
        ref={button}
        className={classes.microphone ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        radius="xl"
        aria-label={t('Record a voice message')}
        aria-expanded={isOpen}
        onPointerDown={({ button: pressed, clientX, clientY }) => pressed === 0 && open(clientX, clientY, true)}
        onClick={() => open(0, 0, false)}
        onContextMenu={(event) => event.preventDefault()}
      >
        <IconMicrophone size={22} stroke={1.75} />
      </ActionIcon>
      {hold !== null && (
        <LazyBoundary onClose={close}>
          <VoicePanel hold={hold} onSend={onSend} onClose={close} />
        </LazyBoundary>
      )}
    </>
  );
}
