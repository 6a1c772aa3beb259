import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAddressDialog } from '../../../ui/data/table/use-list-address.ts';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { preloadable, whenIdle } from '../../../ui/loading/preload.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { pendingPicturesQuery } from './pending-pictures.ts';
import classes from './pictures.module.css';

// In its own chunk, because most people open the users list for another reason.
const [Queues, preloadQueues] = preloadable(async () => (await import('./Queues.tsx')).Queues);

/** A button that opens the queues of pictures and selfies to review, with the number of pictures once it is known. */
export function PendingPictures() {
  const dialog = useAddressDialog('pictures');
  const isOpen = dialog.value !== null;
  const [isIdle, setIdle] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { data: waiting } = useQuery({ ...pendingPicturesQuery, enabled: isIdle && !isOpen });
  const hasSome = waiting !== undefined && waiting.total > 0;

  useEffect(() => whenIdle(() => setIdle(true)), []);

  useEffect(() => {
    if (hasSome) preloadQueues();
  }, [hasSome]);

  // If the queue was opened by its address, no button can take the focus back.
  useEffect(() => {
    const opener = button.current;
    if (!isOpen) return;
    return () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
    };
  }, [isOpen]);

  return (
    <>
      <Button
        ref={button}
        variant="default"
        onPointerEnter={preloadQueues}
        onFocus={preloadQueues}
        onClick={() => dialog.open('pending')}
      >
        {t`Pending pictures`}
        {hasSome && !isOpen && (
          <span className={classes.waiting}>
            {formatNumber(waiting.total)}
            {waiting.totalIsExact === false && '+'}
          </span>
        )}
      </Button>
      <LazyBoundary onClose={dialog.close}>
        {isOpen && <Queues open={dialog.value} onTab={dialog.setDetail} onClose={dialog.close} />}
      </LazyBoundary>
    </>
  );
}
