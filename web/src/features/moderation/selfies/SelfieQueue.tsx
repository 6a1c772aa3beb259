import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { type QueuedSelfie, selfieReasonMin, type SelfieVerdict } from '#contract/photo-verification.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { type KeyList, KeysDialog } from '../../../ui/feedback/KeysDialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber, formatPercent } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../pictures/pictures.module.css';
import { againReasons, rejectReasons, useSelfieQueue } from './selfie-data.ts';
import { personWords, SelfieStage } from './SelfieStage.tsx';

const keyList: KeyList = [
  ['a', 'Approve'],
  ['r', 'Reject'],
  ['g', 'Ask for new selfies'],
  ['← →', 'Compare with another picture'],
  ['z', 'Enlarge the pictures, or make them smaller'],
  ['j', 'Next person'],
  ['k', 'Previous person'],
  ['?', 'Show these keys'],
];

interface ReasonProps {
  verdict: 'again' | 'rejected';
  name: string;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks why. The most common reason is filled in, so that Ctrl+Enter is enough for it. */
function Reason({ verdict, name, onConfirm, onClose }: ReasonProps) {
  const isAgain = verdict === 'again';
  const suggestions = isAgain ? againReasons : rejectReasons;
  return (
    <ReasonDialog
      title={isAgain ? t('Ask {name} for new selfies?', { name }) : t('Reject the selfies of {name}?', { name })}
      description={isAgain ? t('The member can read this.') : t('Colleagues read this in the case, the member does not.')}
      confirm={isAgain ? t('Ask for new selfies') : t('Reject')}
      minLength={isAgain ? 1 : selfieReasonMin}
      typedBefore={t(suggestions[0] ?? '')}
      suggestions={suggestions}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isAgain
        ? t('The selfies are deleted, and the member can take new ones.')
        : t('This opens a case with a copy of the profile. The selfies are deleted and are not part of it.')}
    </ReasonDialog>
  );
}

interface SelfieQueueProps {
  /** The choice between pictures and selfies. */
  tabs: ReactNode;
  onClose: () => void;
}

/** Selfies that wait for review, one person at a time, each compared with the pictures of the profile, by pointer or keyboard. */
export function SelfieQueue({ tabs, onClose }: SelfieQueueProps) {
  const place = useRef<HTMLDivElement>(null);
  const { query, selfies, total, last, error, decide } = useSelfieQueue();
  const [chosen, setChosen] = useState(0);
  const [compared, setCompared] = useState<{ id: string; at: number }>({ id: '', at: 0 });
  const [isZoomed, setZoomed] = useState(false);
  const [asking, setAsking] = useState<'again' | 'rejected' | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const at = Math.max(0, Math.min(chosen, selfies.length - 1));
  const selfie = selfies[at];
  const pictureAt = compared.id === selfie?._id ? compared.at : 0;

  function settle(verdict: SelfieVerdict, reason?: string) {
    if (selfie === undefined) return;
    setAsking(null);
    decide({ selfie, verdict, ...(reason !== undefined && { reason }) });
  }
  function compare(by: number) {
    if (selfie === undefined) return;
    const count = Math.max(1, selfie.pictures.length);
    setCompared({ id: selfie._id, at: (pictureAt + by + count) % count });
  }
  const zoom = () => setZoomed(!isZoomed);

  useSingleKeys(
    {
      a: ({ repeat }) => {
        if (!repeat) settle('approved');
      },
      r: () => setAsking('rejected'),
      g: () => setAsking('again'),
      ArrowLeft: () => compare(-1),
      ArrowRight: () => compare(1),
      z: zoom,
      j: () => setChosen(Math.min(at + 1, selfies.length - 1)),
      k: () => setChosen(Math.max(0, at - 1)),
      '?': () => setHelpOpen(true),
    },
    { place },
  );

  return (
    <>
      <Dialog
        title={t('Selfies')}
        size="full"
        onClose={onClose}
        problem={<ErrorNotice error={error} text="The decision was not saved: {error}" />}
        actions={
          selfie === undefined ? (
            <Button variant="default" onClick={onClose}>
              {t('Close')}
            </Button>
          ) : (
            <Decisions onVerdict={(verdict) => (verdict === 'approved' ? settle(verdict) : setAsking(verdict))} />
          )
        }
      >
        <div ref={place}>
          <Group gap="0.5rem 1.25rem" mb="0.9rem">
            {tabs}
            <Text role="status" fw={600} c="dimmed">
              {total > 0 &&
                t('{count, plural, one {# person is waiting} other {# people are waiting}}', { count: total })}
            </Text>
            {last !== null && <Hint role="status">{lastWords(last.selfie, last.verdict)}</Hint>}
            <Button className={classes.keys ?? ''} variant="subtle" size="compact-sm" onClick={() => setHelpOpen(true)}>
              {t('Keyboard shortcuts')}
            </Button>
          </Group>
          <QueryStates
            query={query}
            loadingText={t('Loading selfies...')}
            skeleton="24rem"
            errorText="Error loading selfies: {error}"
          >
            {({ figures }) => (
              <>
                {selfie === undefined ? (
                  <EmptyState text={t('No selfies are waiting.')} hint={t('New ones appear here automatically.')} />
                ) : (
                  <SelfieStage
                    key={selfie._id}
                    selfie={selfie}
                    compared={pictureAt}
                    onCompare={(to) => setCompared({ id: selfie._id, at: to })}
                    isZoomed={isZoomed}
                    onZoom={zoom}
                  />
                )}
                <Hint mt="1rem">
                  {t('{verified} of {members} members with a complete profile are photo verified ({share}).', {
                    verified: formatNumber(figures.verified),
                    members: formatNumber(figures.members),
                    share: formatPercent(figures.members === 0 ? 0 : (100 * figures.verified) / figures.members),
                  })}
                </Hint>
              </>
            )}
          </QueryStates>
        </div>
      </Dialog>
      {asking !== null && selfie !== undefined && (
        <Reason
          verdict={asking}
          name={selfie.user.name ?? t('Unknown')}
          onConfirm={(reason) => settle(asking, reason)}
          onClose={() => setAsking(null)}
        />
      )}
      {isHelpOpen && <KeysDialog keys={keyList} onClose={() => setHelpOpen(false)} />}
    </>
  );
}

const verdictWords: Record<SelfieVerdict, string> = {
  approved: 'Approved: {name}',
  again: 'New selfies asked for: {name}',
  rejected: 'Rejected: {name}',
};

const lastWords = ({ user }: QueuedSelfie, verdict: SelfieVerdict) => t(verdictWords[verdict], { name: personWords(user) });

function Decisions({ onVerdict }: { onVerdict: (verdict: SelfieVerdict) => void }) {
  return (
    <>
      <Button
        className={classes.decision ?? ''}
        variant="default"
        leftSection={<IconX size={18} stroke={2} aria-hidden="true" />}
        onClick={() => onVerdict('rejected')}
      >
        {t('Reject')}
      </Button>
      <Button
        className={classes.decision ?? ''}
        variant="default"
        leftSection={<IconRefresh size={18} stroke={2} aria-hidden="true" />}
        onClick={() => onVerdict('again')}
      >
        {t('Ask for new selfies')}
      </Button>
      <Button
        className={classes.decision ?? ''}
        color="moss"
        leftSection={<IconCheck size={18} stroke={2} aria-hidden="true" />}
        onClick={({ detail }) => {
          if (detail <= 1) onVerdict('approved');
        }}
      >
        {t('Approve')}
      </Button>
    </>
  );
}
