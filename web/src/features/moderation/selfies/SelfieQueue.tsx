import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { selfieReasonMin, type SelfieVerdict } from '#contract/photo-verification.ts';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { KeyHint, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { Desk } from '../queue/Desk.tsx';
import { useShown } from '../queue/use-shown.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber, formatPercent } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import classes from '../pictures/pictures.module.css';
import { usualReasons, useSelfieQueue } from './selfie-data.ts';
import { personWords, SelfieStage } from './SelfieStage.tsx';

/** The keyboard shortcuts of the queue. */
export const selfieQueueKeys: KeyList = [
  ['a', msg`Approve`],
  ['r', msg`Reject`],
  ['g', msg`Ask for new selfies`],
  ['← →', msg`Compare with another picture`],
  ['z', msg`Enlarge the pictures, or make them smaller`],
  ['j', msg`Next person`],
  ['k', msg`Previous person`],
  ['?', msg`Show these keys`],
];

const buttons = [
  { verdict: 'rejected', of: 'r', text: msg`Reject`, look: { variant: 'default' } },
  { verdict: 'again', of: 'g', text: msg`Ask for new selfies`, look: { variant: 'default' } },
  { verdict: 'approved', of: 'a', text: msg`Approve`, look: { color: 'moss' } },
] as const;

const doneWords: Record<SelfieVerdict, MessageDescriptor> = {
  approved: msg({ message: 'Approved: {name}' }),
  again: msg({ message: 'New selfies requested: {name}' }),
  rejected: msg({ message: 'Rejected: {name}' }),
};

const reasonWords = {
  again: {
    title: msg({ message: 'Ask {name} for new selfies?' }),
    confirm: msg`Ask for new selfies`,
    readers: msg`The member can read this.`,
    text: msg`The selfies are deleted, and the member can take new ones.`,
    minLength: 1,
  },
  rejected: {
    title: msg({ message: 'Reject the selfies of {name}?' }),
    confirm: msg`Reject`,
    readers: msg`Colleagues read this in the case, the member does not.`,
    text: msg`This opens a case with a copy of the profile. The selfies are deleted and are not part of it.`,
    minLength: selfieReasonMin,
  },
};

interface ReasonProps {
  verdict: 'again' | 'rejected';
  name: string;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks why. The most common reason is filled in, so that Ctrl+Enter is enough for it. */
function Reason({ verdict, name, ...commands }: ReasonProps) {
  const { title, confirm, readers, text, minLength } = reasonWords[verdict];
  return (
    <ReasonDialog
      title={fill(title, { name })}
      description={t(readers)}
      confirm={t(confirm)}
      minLength={minLength}
      typedBefore={t(usualReasons[verdict][0])}
      suggestions={usualReasons[verdict]}
      {...commands}
    >
      {t(text)}
    </ReasonDialog>
  );
}

/** Selfies that wait for review, one person at a time, each compared with the pictures of the profile, by pointer or keyboard. */
export function SelfieQueue() {
  const place = useRef<HTMLDivElement>(null);
  const { query, selfies, total, last, error, decide } = useSelfieQueue();
  const { index, choose, move } = useShown(selfies.map(({ _id }) => _id));
  const [compared, setCompared] = useState({ id: '', at: 0 });
  const [isZoomed, setZoomed] = useState(false);
  const [asked, setAsked] = useState<{ id: string; verdict: 'again' | 'rejected' } | null>(null);
  const selfie = selfies[index];
  const pictureAt = compared.id === selfie?._id ? compared.at : 0;
  const pictureCount = selfie?.pictures.length ?? 0;

  function settle(verdict: SelfieVerdict, reason = '') {
    setAsked(null);
    // One that was refused is shown again, with the reason.
    if (selfie !== undefined) decide({ selfie, verdict, reason }, { onError: () => choose(selfie._id) });
  }
  const press = (verdict: SelfieVerdict) => {
    if (verdict === 'approved') settle(verdict);
    else if (selfie !== undefined) setAsked({ id: selfie._id, verdict });
  };
  const compare = (to: number) => setCompared({ id: selfie?._id ?? '', at: (to + pictureCount) % pictureCount });
  const zoom = () => setZoomed(!isZoomed);

  useSingleKeys(
    {
      a: ({ repeat }) => void (!repeat && press('approved')),
      r: () => press('rejected'),
      g: () => press('again'),
      ArrowLeft: () => compare(pictureAt - 1),
      ArrowRight: () => compare(pictureAt + 1),
      z: zoom,
      j: () => void move(1),
      k: () => void move(-1),
    },
    { place },
  );

  return (
    <>
      <Desk
        label={t`Selfies`}
        result={error && <ErrorNotice error={error} text={(error) => t`The decision was not saved: ${error}`} />}
        acts={
          selfie !== undefined &&
          buttons.map(({ verdict, of, text, look }) => (
            <Button
              key={verdict}
              {...look}
              aria-keyshortcuts={of}
              className={classes.decision ?? ''}
              onClick={({ detail }) => detail <= 1 && press(verdict)}
            >
              {t(text)}
              <KeyHint of={of} />
            </Button>
          ))
        }
      >
        <div ref={place}>
          <Group gap="0.5rem 1.25rem" mb="0.9rem">
            <Text role="status" fw={600} c="dimmed">
              {total > 0 &&
                t`${plural({ count: total }, { one: '# person is waiting', other: '# people are waiting' })}`}
            </Text>
            <Hint role="status">{last && fill(doneWords[last.verdict], { name: personWords(last.selfie.user) })}</Hint>
          </Group>
          <QueryStates
            query={query}
            loadingText={t`Loading selfies...`}
            skeleton="24rem"
            errorText={(error) => t`Error loading selfies: ${error}`}
          >
            {({ figures: { verified, members } }) => (
              <>
                {selfie === undefined ? (
                  <EmptyState text={t`No selfies are waiting.`} hint={t`New ones appear here automatically.`} />
                ) : (
                  <SelfieStage
                    key={selfie._id}
                    selfie={selfie}
                    compared={pictureAt}
                    onCompare={compare}
                    isZoomed={isZoomed}
                    onZoom={zoom}
                  />
                )}
                <Hint mt="1rem">
                  {t`${{ verified: formatNumber(verified) }} of ${plural({ members }, { one: '# member', other: '# members' })} with a complete profile are photo verified (${{ share: formatPercent((100 * verified) / Math.max(1, members)) }}).`}
                </Hint>
              </>
            )}
          </QueryStates>
        </div>
      </Desk>
      {asked !== null && asked.id === selfie?._id && (
        <Reason
          verdict={asked.verdict}
          name={selfie.user.name ?? t`Unknown`}
          onConfirm={(reason) => settle(asked.verdict, reason)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
