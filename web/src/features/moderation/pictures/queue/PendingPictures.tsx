import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../../../ui/loading/lazy-page.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { useQueueAddress } from './use-queue-address.ts';

// In chunks of their own: most who look at the users come for something else.
const queue = lazyPart(() => import('./PictureQueue.tsx').then((module) => module.PictureQueue));
const count = lazyPart(() => import('./PendingCount.tsx').then((module) => module.PendingCount));
const idleWithinMs = 2000;

/** Whether the page has had a moment with nothing to do. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), idleWithinMs);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: idleWithinMs });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}

/** Opens the queue of pictures; says how many wait, once that is known. */
export function PendingPictures() {
  const t = useText();
  const { isOpen, open, close } = useQueueAddress();
  const isIdle = useIdle();
  const button = useRef<HTMLButtonElement>(null);

  // A queue that was opened by its address has no opener to give the focus back to.
  useEffect(() => {
    const opener = button.current;
    if (!isOpen) return;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);

  return (
    <>
      <Button ref={button} variant="default" onPointerEnter={queue.preload} onFocus={queue.preload} onClick={open}>
        {t('Pending pictures')}
        <Suspense>{isIdle && !isOpen && <count.Part onSome={queue.preload} />}</Suspense>
      </Button>
      <Suspense>{isOpen && <queue.Part onClose={close} />}</Suspense>
    </>
  );
}
