import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../pictures/pictures.module.css';
import { waitingSelfiesQuery } from './selfie-data.ts';

const SelfieQueue = lazy(async () => ({ default: (await import('./SelfieQueue.tsx')).SelfieQueue }));

interface SelfiesProps {
  /** The open queue, if any. */
  open: string | null;
  onOpen: (queue: string) => void;
  onTab: (queue: string) => void;
  onClose: () => void;
}

/** A button that opens the queue of selfies, with their number; nothing while none are waiting. Or the queue, if it is open. */
export function Selfies({ open, onOpen, onTab, onClose }: SelfiesProps) {
  const { data: waiting = 0 } = useQuery({ ...waitingSelfiesQuery, enabled: open === null });
  if (open === 'selfies')
    return (
      <LazyBoundary onClose={onClose}>
        <SelfieQueue onTab={onTab} onClose={onClose} />
      </LazyBoundary>
    );
  if (waiting === 0 || open !== null) return null;
  return (
    <Button variant="default" onClick={() => onOpen('selfies')}>
      {t('Selfies')}
      <span className={classes.waiting}>{formatNumber(waiting)}</span>
    </Button>
  );
}
