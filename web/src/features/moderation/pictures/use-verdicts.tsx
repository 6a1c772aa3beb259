import { useState } from 'react';
import type { QueuedPicture } from '#contract/media.ts';
import { PictureReasonDialog } from './PictureReasonDialog.tsx';
import type { Decision } from './picture-data.ts';
import { ownerName } from './picture-words.ts';
import { PictureFailures, useDecisions } from './use-decisions.tsx';

/** Approves pictures at once, and rejects them after `dialog` has asked for a reason. */
export function useVerdicts() {
  const [rejecting, setRejecting] = useState<QueuedPicture | null>(null);
  const [last, setLast] = useState<QueuedPicture | null>(null);
  const { decide, failed, forget } = useDecisions();

  function settle(picture: QueuedPicture, verdict: Decision['verdict'], reason?: string) {
    const { publicId, user } = picture;
    setLast({ ...picture, state: verdict });
    decide({ publicId, userId: user._id, name: ownerName(user), verdict, reason });
  }

  return {
    onApprove: (picture: QueuedPicture) => settle(picture, 'approved'),
    onReject: (picture: QueuedPicture) => setRejecting(picture),
    /** The last decision, unless it failed. */
    last: failed.some(({ decision }) => decision.publicId === last?.publicId) ? null : last,
    hasFailures: failed.length > 0,
    failures: <PictureFailures failed={failed} onDismiss={forget} />,
    dialog: rejecting !== null && (
      <PictureReasonDialog
        picture={rejecting}
        name={ownerName(rejecting.user)}
        onReject={(reason) => {
          setRejecting(null);
          settle(rejecting, 'rejected', reason);
        }}
        onClose={() => setRejecting(null)}
      />
    ),
  };
}
