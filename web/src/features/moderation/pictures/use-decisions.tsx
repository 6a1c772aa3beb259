import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Picture as PictureData } from '#contract/media.ts';
import { decidePicture, type QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { ApiError, errorTexts } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import {
  type Decision,
  decisionKey,
  isTooLate,
  ownerName,
  putPicture,
  readyReasons,
  reloadAfterDecision,
  takeFromQueue,
} from './picture-data.ts';
import { Group, Text } from '@mantine/core';
import { Picture } from '../../../ui/data/Picture.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import classes from './pictures.module.css';

/** A decision that failed. */
export interface Failed {
  decision: Decision;
  kind: 'decided' | 'gone' | 'failed';
  /** The reason, as a sentence. */
  error: string;
}

function failureOf(error: unknown, decision: Decision): Failed {
  const kind = !isTooLate(error) ? 'failed' : error.code === 'CONFLICT' ? 'decided' : 'gone';
  return { decision, kind, error: error instanceof ApiError ? error.message : errorTexts.unknown() };
}

const withoutThat = (failed: readonly Failed[], { publicId }: Decision) =>
  failed.filter(({ decision }) => decision.publicId !== publicId);

/** Approves and rejects pictures, any number at the same time; `failed` lists failed decisions, the newest last. */
export function useDecisions() {
  const [failed, setFailed] = useState<readonly Failed[]>([]);

  const { mutate } = useMutation({
    mutationKey: decisionKey,
    mutationFn: ({ publicId, verdict, reason, fromEveryone = false }: Decision) =>
      call(decidePicture, {
        params: { publicId },
        body: { verdict, ...(reason !== undefined && { reason }), ...(fromEveryone && { fromEveryone }) },
      }),
    onSuccess: ({ data }) => putPicture(data.picture),
    onError: (error: unknown, decision) => {
      if (isTooLate(error)) takeFromQueue(decision.publicId);
      setFailed((before) => [...withoutThat(before, decision), failureOf(error, decision)]);
    },
    onSettled: (_data, _error, { userId }) => reloadAfterDecision(userId),
  });

  function decide(decision: Decision) {
    setFailed((before) => withoutThat(before, decision));
    mutate(decision);
  }

  return { decide, failed, forget: () => setFailed([]) };
}

const words: Record<Failed['kind'], MessageDescriptor> = {
  decided: msg({ message: 'A colleague has already reviewed the picture of {name}.' }),
  gone: msg({ message: 'The picture of {name} no longer exists: its owner deleted it.' }),
  failed: msg({ message: 'The decision on the picture of {name} was not saved: {error}' }),
};

/** A message about failed decisions: the newest one as text, and the number of others. */
export function PictureFailures({ failed, onDismiss }: { failed: readonly Failed[]; onDismiss: () => void }) {
  const newest = failed.at(-1);
  if (newest === undefined) return null;
  const { kind, decision, error } = newest;
  return (
    <FloatingNotice kind="error" onClose={onDismiss}>
      {fill(words[kind], { name: decision.name, error })}
      {failed.length > 1 &&
        ` ${t`${plural({ count: failed.length - 1 }, { one: '# earlier decision was', other: '# earlier decisions were' })} not saved either.`}`}
    </FloatingNotice>
  );
}

/** Why a picture is rejected, and whether everyone else is kept from uploading it too. */
export type Rejection = Pick<Decision, 'reason' | 'fromEveryone'>;

interface PictureReasonDialogProps {
  picture: PictureData;
  /** The name of the picture's owner. */
  name: string;
  onReject: (rejection: Rejection) => void;
  onClose: () => void;
}

/** Asks why a picture is rejected. The member will be able to read the reason. Roles that may ban can block the picture for everyone. */
export function PictureReasonDialog({ picture, name, onReject, onClose }: PictureReasonDialogProps) {
  const [fromEveryone, setFromEveryone] = useState(false);
  const mayRefuse = useMay('sanctions.long');
  return (
    <ReasonDialog
      title={t`Reject the picture of ${name}?`}
      description={t`The member can read this.`}
      confirm={t`Reject`}
      suggestions={readyReasons}
      onConfirm={(reason) => onReject({ reason, fromEveryone })}
      onClose={onClose}
    >
      <Group gap="1rem" wrap="nowrap">
        <div className={classes.rejected}>
          <Picture picture={picture} alt="" isEager />
        </div>
        <Text c="dimmed">
          {t`It will be removed from the profile and can't be uploaded again. This can't be undone.`}
        </Text>
      </Group>
      {mayRefuse && (
        <CheckField
          label={t`Block this photo for everyone`}
          description={t`For photos that no one may upload, such as those of abuse.`}
          checked={fromEveryone}
          onChange={(event) => setFromEveryone(event.currentTarget.checked)}
        />
      )}
    </ReasonDialog>
  );
}

/** Approves pictures at once, and rejects them after `dialog` has asked for a reason. */
export function useVerdicts() {
  const [rejecting, setRejecting] = useState<QueuedPicture | null>(null);
  const [last, setLast] = useState<QueuedPicture | null>(null);
  const { decide, failed, forget } = useDecisions();

  function settle(picture: QueuedPicture, verdict: Decision['verdict'], rejection: Rejection = {}) {
    const { publicId, user } = picture;
    setLast({ ...picture, state: verdict });
    decide({ publicId, userId: user._id, name: ownerName(user), verdict, ...rejection });
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
        onReject={(rejection) => {
          setRejecting(null);
          settle(rejecting, 'rejected', rejection);
        }}
        onClose={() => setRejecting(null)}
      />
    ),
  };
}
