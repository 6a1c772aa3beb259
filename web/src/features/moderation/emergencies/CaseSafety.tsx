import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  askForHoldRelease,
  type CaseSafety as Safety,
  endRestriction,
  setLegalHold,
} from '#contract/moderation/emergencies.ts';
import { call } from '../../../api/call.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { emergencyWords } from '../cases/case-words.ts';
import { EmergencyDialog } from './EmergencyDialog.tsx';
import { safetyQuery, useSafetyCommand } from './queries.ts';
import { ReferralDialog } from './ReferralDialog.tsx';

type Asked = 'mark' | 'end' | 'refer' | 'hold' | 'release';

function Emergency({ emergency }: { emergency: Safety['emergencies'][number] }) {
  const { kind, at, by, pagedAt, restrictedUntil } = emergency;
  return (
    <li>
      <Group gap="0.35rem 0.6rem">
        <strong>{t(emergencyWords[kind])}</strong>
        {restrictedUntil !== null && <Tag tone="accent">{t('Restricted')}</Tag>}
      </Group>
      <Facts
        facts={[
          [t('Since'), <Time key="at" at={at} />],
          [t('Marked by'), by ?? t('A report')],
          [t('Paged'), pagedAt === null ? t('Not yet') : <Time key="paged" at={pagedAt} />],
          restrictedUntil !== null && [t('Restricted until'), <Time key="until" at={restrictedUntil} />],
        ]}
      />
    </li>
  );
}

function Referral({ referral }: { referral: Safety['referrals'][number] }) {
  return (
    <li>
      <strong dir="auto">{referral.authority}</strong>
      <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {referral.handedOver}
      </Text>
      <Hint>{[referral.legalBasis, formatDay(referral.on), referral.by].join(' · ')}</Hint>
    </li>
  );
}

function LegalHold({ hold }: { hold: NonNullable<Safety['legalHold']> }) {
  return (
    <li>
      <Group gap="0.35rem 0.6rem">
        <strong>{t('Legal hold')}</strong>
        <Tag tone="attention">{t('Nothing is deleted')}</Tag>
      </Group>
      <Text dir="auto">{hold.reason}</Text>
      <Hint>
        <bdi>{hold.by}</bdi> · <Time at={hold.at} />
      </Hint>
      {hold.releaseAskedBy !== null && (
        <Hint>{t('{name} asked to release it; an administrator decides.', { name: hold.releaseAskedBy })}</Hint>
      )}
    </li>
  );
}

function Acts({ safety: { can, legalHold }, ask }: { safety: Safety; ask: (what: Asked) => void }) {
  const acts: [Asked, string, boolean][] = [
    ['mark', 'Emergency', can.mark],
    ['end', 'End the restriction', can.endRestriction],
    ['refer', 'Record a referral', can.refer],
    ['hold', 'Set a legal hold', can.hold && legalHold === null],
    ['release', 'Ask to release the hold', can.hold && legalHold?.releaseAskedBy === null],
  ];
  return (
    <Group gap="0.5rem">
      {acts.map(
        ([what, text, isPossible]) =>
          isPossible && (
            <Button
              key={what}
              size="sm"
              variant={what === 'mark' ? 'filled' : 'default'}
              onClick={() => ask(what)}
            >
              {t(text)}
            </Button>
          ),
      )}
    </Group>
  );
}

const reasonTexts = {
  end: {
    endpoint: endRestriction,
    title: 'End the restriction',
    text: 'The person is shown again and can start conversations. The case stays open.',
  },
  hold: {
    endpoint: setLegalHold,
    title: 'Set a legal hold',
    text: 'Nothing about the person is deleted until two people release it, not even if they delete their account. They are not told.',
  },
  release: {
    endpoint: askForHoldRelease,
    title: 'Ask to release the hold',
    text: 'An administrator other than you has to approve it.',
  },
} as const;

interface WithReasonProps {
  caseId: string;
  what: keyof typeof reasonTexts;
  onClose: () => void;
}

function WithReason({ caseId, what, onClose }: WithReasonProps) {
  const { endpoint, title, text } = reasonTexts[what];
  const command = useSafetyCommand(caseId, (reason: string) =>
    call(endpoint, { params: { id: caseId }, body: { reason } }),
  );
  return (
    <ReasonDialog
      title={t(title)}
      description={t('Kept in the timeline and the audit trail.')}
      confirm={t('Confirm')}
      busyText={t('Saving...')}
      command={command}
      onConfirm={(reason) => command.mutate(reason, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t(text)}
    </ReasonDialog>
  );
}

interface CaseSafetyProps {
  caseId: string;
  /** Something happened here, so it is shown at once instead of on demand. */
  isUrgent: boolean;
}

/** Emergencies, referrals to authorities and the legal hold of a case. */
export function CaseSafety({ caseId, isUrgent }: CaseSafetyProps) {
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || isUrgent;
  const query = useQuery({ ...safetyQuery(caseId), enabled: isOpen });
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <Panel
      title={t('Emergency and authorities')}
      lead={t('Danger to someone, what authorities received, and a stop to all deletions')}
    >
      {isOpen ? (
        <QueryStates
          query={query}
          loadingText={t('Loading...')}
          skeleton="4rem"
          errorText="Error loading emergencies: {error}"
        >
          {(safety) => (
            <Stack gap="1rem">
              <Stack component="ul" gap="1rem">
                {safety.emergencies.map((one) => (
                  <Emergency key={one.kind} emergency={one} />
                ))}
                {safety.legalHold !== null && <LegalHold hold={safety.legalHold} />}
                {safety.referrals.map((one) => (
                  <Referral key={one._id} referral={one} />
                ))}
              </Stack>
              <Acts safety={safety} ask={setAsked} />
            </Stack>
          )}
        </QueryStates>
      ) : (
        <Button variant="default" size="sm" onClick={() => setOpened(true)}>
          {t('Show')}
        </Button>
      )}
      {asked === 'mark' && <EmergencyDialog caseId={caseId} onClose={close} />}
      {asked === 'refer' && <ReferralDialog caseId={caseId} onClose={close} />}
      {(asked === 'end' || asked === 'hold' || asked === 'release') && (
        <WithReason caseId={caseId} what={asked} onClose={close} />
      )}
    </Panel>
  );
}
