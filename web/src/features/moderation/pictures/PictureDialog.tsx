import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Picture } from '#contract/media/picture.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { LargePicture } from './LargePicture.tsx';
import classes from './PictureDialog.module.css';
import { arrowSteps } from './queue/use-current-picture.ts';

interface StepProps {
  to: Picture | undefined;
  onStep: (publicId: string) => void;
  children: string;
}

/** To the picture beside; at the end it keeps the focus, and does nothing. */
function Step({ to, onStep, children }: StepProps) {
  const isEnd = to === undefined;
  return (
    <Button
      variant="default"
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd}
      onClick={() => to && onStep(to.publicId)}
    >
      {children}
    </Button>
  );
}

interface PictureDialogProps {
  title: string;
  pictures: readonly Picture[];
  /** Which one it begins with. */
  first: string;
  onClose: () => void;
}

/** Some pictures, one at a time and large. */
export function PictureDialog({ title, pictures, first, onClose }: PictureDialogProps) {
  const t = useText();
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const [shownId, setShownId] = useState(first);
  const index = Math.max(
    0,
    pictures.findIndex(({ publicId }) => publicId === shownId),
  );
  const picture = pictures[index];
  const [before, after] = [pictures[index - 1], pictures[index + 1]];

  function moveByArrow({ key }: KeyboardEvent) {
    const target = pictures[index + (arrowSteps(null)[key] ?? 0)];
    if (target !== undefined) setShownId(target.publicId);
  }
  useSingleKeys({ ArrowLeft: moveByArrow, ArrowRight: moveByArrow }, place);

  const words = { place: formatNumber(index + 1, locale), count: formatNumber(pictures.length, locale) };
  return (
    <Dialog
      title={title}
      size="full"
      onClose={onClose}
      actions={
        <>
          {pictures.length > 1 && (
            <>
              <Step to={before} onStep={setShownId}>
                {t('Previous')}
              </Step>
              <Step to={after} onStep={setShownId}>
                {t('Next')}
              </Step>
            </>
          )}
          <Button variant="default" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      <div ref={place} className={classes.picture}>
        {picture && <LargePicture picture={picture} alt={t('Picture {place} of {count}', words)} />}
      </div>
    </Dialog>
  );
}
