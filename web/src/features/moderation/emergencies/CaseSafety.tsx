import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CaseFile } from '#contract/moderation/cases.ts';
import {
  askForPreservationRelease,
  type CaseSafety as Safety,
  endRestriction,
  getPreservedCopies,
} from '#contract/moderation/emergencies.ts';
import { useMutation } from '@tanstack/react-query';
import { useCommand } from '../../../api/endpoint-query.ts';
import { callForFile } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { saveFile } from '../../../ui/data/save-file.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { emergencyWords } from '../cases/case-words.ts';
import { reloadCase } from '../cases/queries.ts';
import { EmergencyDialog, PreservationDialog, ReferralDialog } from './SafetyDialogs.tsx';

type Asked = 'mark' | 'end' | 'refer' | 'preserve' | 'release';

function Emergency({ emergency: { kind, at, by, pagedAt } }: { emergency: Safety['emergencies'][number] }) {
  return (
    <li>
      <strong>{t(emergencyWords[kind])}</strong>
      <Facts
        facts={[
          [t`Since`, <Time key="at" at={at} />],
          [t`Marked by`, by ?? t`A report`],
          [t`Paged`, pagedAt === null ? t`Not yet` : <Time key="paged" at={pagedAt} />],
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

function Preservation({ caseId, preservation }: { caseId: string; preservation: NonNullable<Safety['legalHold']> }) {
  const mayLead = useMay('cases.lead');
  const download = useMutation({
    mutationFn: async () => {
      saveFile((await callForFile(getPreservedCopies, { params: { id: caseId } })).blob, 'legal-hold.json');
    },
    onSettled: () => reloadCase(caseId),
  });
  return (
    <li>
      <Group gap="0.35rem 0.6rem">
        <strong>{t`Legal hold`}</strong>
        <Tag tone="attention">{t`Nothing is deleted`}</Tag>
      </Group>
      <Text dir="auto">{preservation.reason}</Text>
      <Hint>
        <bdi>{preservation.by}</bdi> · <Time at={preservation.at} />
      </Hint>
      <Hint>{t`To be reviewed on ${{ day: formatDay(preservation.reviewOn) }}`}</Hint>
      {preservation.releaseAskedBy !== null && (
        <Hint>{t`${{ name: preservation.releaseAskedBy }} asked to release it; an administrator decides.`}</Hint>
      )}
      <ErrorNotice error={download.error} />
      {mayLead && (
        <BusyButton
          size="xs"
          variant="default"
          mt="0.5rem"
          isBusy={download.isPending}
          busyText={t`Loading...`}
          onClick={() => download.mutate()}
        >
          {t`Download copies`}
        </BusyButton>
      )}
    </li>
  );
}

interface ActsProps {
  file: CaseFile;
  ask: (what: Asked) => void;
}

function Acts({ file: { case: of, safety }, ask }: ActsProps) {
  const mayHandle = useMay('cases.handle');
  const mayLead = useMay('cases.lead');
  const { legalHold, restrictedUntil } = safety;
  const acts: [Asked, string, boolean][] = [
    ['mark', t`Emergency`, mayHandle && of.person._id !== null && of.stage !== 'decided'],
    ['end', t`End the restriction`, mayHandle && restrictedUntil !== null],
    ['refer', t`Record a referral`, mayLead],
    ['preserve', legalHold === null ? t`Set a legal hold` : t`Keep the legal hold`, mayLead],
    ['release', t`Ask to release the hold`, mayLead && legalHold?.releaseAskedBy === null],
  ];
  return (
    <Group gap="0.5rem">
      {acts.map(
        ([what, text, isPossible]) =>
          isPossible && (
            <Button key={what} size="sm" variant={what === 'mark' ? 'filled' : 'default'} onClick={() => ask(what)}>
              {text}
            </Button>
          ),
      )}
    </Group>
  );
}

const reasonTexts = {
  end: {
    endpoint: endRestriction,
    title: msg`End the restriction`,
    text: msg`The person is shown again, can start conversations, and is told. The case stays open.`,
  },
  release: {
    endpoint: askForPreservationRelease,
    title: msg`Ask to release the hold`,
    text: msg`An administrator other than you has to approve it.`,
  },
} as const;

interface WithReasonProps {
  caseId: string;
  what: keyof typeof reasonTexts;
  onClose: () => void;
}

function WithReason({ caseId, what, onClose }: WithReasonProps) {
  const { endpoint, title, text } = reasonTexts[what];
  const command = useCommand(endpoint, (reason: string) => ({ params: { id: caseId }, body: { reason } }));
  return (
    <ReasonDialog
      title={t(title)}
      description={t`Kept in the timeline and the audit trail.`}
      confirm={t`Confirm`}
      command={command}
      onClose={onClose}
    >
      {t(text)}
    </ReasonDialog>
  );
}

/** Emergencies, referrals to authorities and the legal hold of a case. */
export function CaseSafety({ file }: { file: CaseFile }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const { emergencies, isPagerSet, restrictedUntil, legalHold, referrals } = file.safety;
  const caseId = file.case._id;
  return (
    <Panel
      title={t`Emergency and authorities`}
      lead={t`Danger to someone, what authorities received, and a stop to all deletions`}
    >
      <Stack gap="1rem">
        {!isPagerSet && <Hint>{t`No one is paged: no pager is set up.`}</Hint>}
        {restrictedUntil !== null && (
          <Facts facts={[[t`Restricted until`, <Time key="until" at={restrictedUntil} />]]} />
        )}
        <Stack component="ul" gap="1rem">
          {emergencies.map((one) => (
            <Emergency key={one.kind + one.at} emergency={one} />
          ))}
          {legalHold !== null && <Preservation caseId={caseId} preservation={legalHold} />}
          {referrals.map((one) => (
            <Referral key={one._id} referral={one} />
          ))}
        </Stack>
        <Acts file={file} ask={setAsked} />
      </Stack>
      {asked === 'mark' && <EmergencyDialog caseId={caseId} isRestricted={restrictedUntil !== null} onClose={close} />}
      {asked === 'refer' && <ReferralDialog caseId={caseId} onClose={close} />}
      {asked === 'preserve' && <PreservationDialog caseId={caseId} isSet={legalHold !== null} onClose={close} />}
      {(asked === 'end' || asked === 'release') && <WithReason caseId={caseId} what={asked} onClose={close} />}
    </Panel>
  );
}
