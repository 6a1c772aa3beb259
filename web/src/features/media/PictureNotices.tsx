import { Button } from '@mantine/core';
import { FloatingNotice } from '../../ui/feedback/FloatingNotice.tsx';
import { useText } from '../../ui/text/text.ts';
import type { useArranging } from './use-arranging.ts';
import type { useDeleting } from './use-deleting.ts';

/** How long Undo is offered. */
const undoMs = 5000;

interface PictureNoticesProps {
  deleting: ReturnType<typeof useDeleting>;
  arranging: ReturnType<typeof useArranging>;
}

/** What came of deleting and moving, at the foot of the window: Undo, or what failed. */
export function PictureNotices({ deleting, arranging }: PictureNoticesProps) {
  const t = useText();
  if (deleting.offered !== null) {
    return (
      <FloatingNotice
        key={deleting.offered}
        kind="success"
        staysMs={undoMs}
        onClose={deleting.commit}
        action={
          <Button size="xs" variant="default" onClick={deleting.undo}>
            {t('Undo')}
          </Button>
        }
      >
        {t('The picture is deleted.')}
      </FloatingNotice>
    );
  }
  if (deleting.hasFailed) {
    return (
      <FloatingNotice kind="error" onClose={deleting.dismiss}>
        {t('Failed to delete profile image')}
      </FloatingNotice>
    );
  }
  if (arranging.error === null) return null;
  return (
    <FloatingNotice kind="error" onClose={arranging.dismiss}>
      {t(arranging.error)}
    </FloatingNotice>
  );
}
