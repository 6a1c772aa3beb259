import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { reportUndoShownSeconds } from '#contract/constants.ts';
import type { ReportStatus } from '#contract/moderation/report.ts';
import { FloatingNotice } from '../../../../ui/feedback/FloatingNotice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { shortReportId, statusWords } from '../report-words.ts';

interface StepToastProps {
  id: string;
  status: ReportStatus;
  /** The step was taken by a button that can no longer hold the focus. */
  takesFocus: boolean;
  onUndo: () => void;
  onClose: () => void;
  /** Where the focus goes when the toast leaves with it. */
  focusBack: () => void;
}

/** A key held down on the button that opened the toast is not meant for the one in it. */
function ignoreHeldKey(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

/** What a step did, for five seconds with the way back. */
export function StepToast({ id, status, takesFocus, onUndo, onClose, focusBack }: StepToastProps) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  const handFocusBack = useEffectEvent(() =>
    setTimeout(() => {
      if (document.activeElement === document.body) focusBack();
    }),
  );

  useLayoutEffect(() => {
    const undo = button.current;
    if (takesFocus) undo?.focus({ preventScroll: true });
    return () => {
      if (undo !== null && document.activeElement === undo) handFocusBack();
    };
  }, [takesFocus]);

  const words = { id: shortReportId(id), status: t(statusWords[status]) };
  return (
    <FloatingNotice
      kind="success"
      staysMs={reportUndoShownSeconds * 1000}
      onClose={onClose}
      action={
        <Button ref={button} size="xs" variant="default" onKeyDown={ignoreHeldKey} onClick={onUndo}>
          {t('Undo')}
        </Button>
      }
    >
      {status === 'resolved' ? t('Report #{id} is resolved.', words) : t('Report #{id} is now: {status}.', words)}
    </FloatingNotice>
  );
}
