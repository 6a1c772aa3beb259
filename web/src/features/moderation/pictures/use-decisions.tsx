import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decidePicture } from '#contract/media.ts';
import { ApiError, errorTexts } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import {
  type Decision,
  decisionKey,
  isTooLate,
  putPicture,
  reloadAfterDecision,
  takeFromQueue,
} from './picture-data.ts';

/** A decision that failed. */
export interface Failed {
  decision: Decision;
  kind: 'decided' | 'gone' | 'failed';
  /** The reason, as a sentence. */
  error: string;
}

function failureOf(error: unknown, decision: Decision): Failed {
  const kind = !isTooLate(error) ? 'failed' : error.code === 'CONFLICT' ? 'decided' : 'gone';
  return { decision, kind, error: error instanceof ApiError ? error.message : errorTexts.unknown };
}

const withoutThat = (failed: readonly Failed[], { publicId }: Decision) =>
  failed.filter(({ decision }) => decision.publicId !== publicId);

/** Approves and rejects pictures, any number at the same time; `failed` lists failed decisions, the newest last. */
export function useDecisions() {
  const client = useQueryClient();
  const [failed, setFailed] = useState<readonly Failed[]>([]);

  const { mutate } = useMutation({
    mutationKey: decisionKey,
    mutationFn: ({ publicId, verdict, reason }: Decision) =>
      call(decidePicture, { params: { publicId }, body: reason === undefined ? { verdict } : { verdict, reason } }),
    onSuccess: ({ data }) => putPicture(client, data.picture),
    onError: (error: unknown, decision) => {
      if (isTooLate(error)) takeFromQueue(client, decision.publicId);
      setFailed((before) => [...withoutThat(before, decision), failureOf(error, decision)]);
    },
    onSettled: (_data, _error, { userId }) => reloadAfterDecision(client, userId),
  });

  function decide(decision: Decision) {
    setFailed((before) => withoutThat(before, decision));
    mutate(decision);
  }

  return { decide, failed, forget: () => setFailed([]) };
}

const words: Record<Failed['kind'], string> = {
  decided: 'A colleague has already reviewed the picture of {name}.',
  gone: 'The picture of {name} no longer exists: its owner deleted it.',
  failed: 'The decision on the picture of {name} was not saved: {error}',
};

/** A message about failed decisions: the newest one as text, and the number of others. */
export function PictureFailures({ failed, onDismiss }: { failed: readonly Failed[]; onDismiss: () => void }) {
  const newest = failed.at(-1);
  if (newest === undefined) return null;
  const { kind, decision, error } = newest;
  return (
    <FloatingNotice kind="error" onClose={onDismiss}>
      {t(words[kind], { name: decision.name, error: t(error) })}
      {failed.length > 1 &&
        ` ${t('{count, plural, one {# earlier decision was} other {# earlier decisions were}} not saved either.', {
          count: failed.length - 1,
        })}`}
    </FloatingNotice>
  );
}
