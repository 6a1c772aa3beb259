import { plural, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { type CaseFile, type StaffCase, releaseHold } from '#contract/moderation/cases.ts';
import type { HeldBack } from '#contract/moderation/holds.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { LazyReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { holdWords } from './case-words.ts';

function Texts({ texts }: Pick<HeldBack, 'texts'>) {
  if (texts === null || texts.length === 0) return null;
  return (
    <Stack component="ul" gap="0.5rem" mt="1rem" aria-label={t`Most frequent texts`}>
      {texts.map(({ text, count }) => (
        <li key={text}>
          <UserText>{text}</UserText>
          <Hint>{t`${plural(count, { one: 'Sent once', other: 'Sent # times' })}`}</Hint>
        </li>
      ))}
    </Stack>
  );
}

function ReleaseDialog({ of, onClose }: { of: StaffCase; onClose: () => void }) {
  const release = useCommand(releaseHold, (reason: string) => ({ params: { id: of._id }, body: { reason } }));
  return (
    <LazyReasonDialog
      title={t`Release the hold`}
      description={t`Kept in the timeline and the audit trail.`}
      confirm={t`Deliver now`}
      busyText={t`Releasing...`}
      command={release}
      onConfirm={(reason) => release.mutate(reason, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t`Everything that is held back is delivered. The case stays open.`}
    </LazyReasonDialog>
  );
}

interface CaseHoldProps {
  of: StaffCase;
  hold: NonNullable<StaffCase['hold']>;
  heldBack: CaseFile['heldBack'];
}

/** What is held back, since when and why, with the way to deliver it without a decision. */
export function CaseHold({ of, hold, heldBack }: CaseHoldProps) {
  const [isAsking, setIsAsking] = useState(false);
  const mayRelease = useMay('cases.handle');
  return (
    <Panel
      title={t`Held back`}
      lead={t`Likes, notes and first messages are delivered after your decision, or never if it has a sanction. Neither side knows.`}
    >
      <Facts
        facts={[
          [t`Reason`, t(holdWords[hold.cause])],
          [t`Held since`, <Time key="since" at={hold.since} />],
          [t`Delivered without a decision`, <Time key="ends" at={hold.endsAt} />],
          heldBack && [
            t`Waiting`,
            heldBack.receivers === 0
              ? t`Nothing yet`
              : t`${plural({ likes: heldBack.likes }, { one: '# like', other: '# likes' })} and ${plural({ messages: heldBack.messages }, { one: '# message', other: '# messages' })} to ${plural({ receivers: heldBack.receivers }, { one: '# person', other: '# people' })}`,
          ],
        ]}
      />
      <Texts texts={heldBack?.texts ?? null} />
      {mayRelease && (
        <Button variant="default" mt="1rem" onClick={() => setIsAsking(true)}>
          {t`Release the hold`}
        </Button>
      )}
      {isAsking && <ReleaseDialog of={of} onClose={() => setIsAsking(false)} />}
    </Panel>
  );
}
