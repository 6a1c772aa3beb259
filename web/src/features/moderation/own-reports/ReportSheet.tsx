import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { createReport } from '#contract/moderation/reports.ts';
import type { Person } from '#contract/profiles/user.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { personReasons, type PersonReasonName, reasonInBody } from './person-reasons.ts';
import { reportAddress, type ReportLinkState } from './ReportLink.tsx';

/** The reasons that need no description. */
const inOnePress = ['rude', 'content', 'fake', 'minor'] as const satisfies readonly PersonReasonName[];

interface ReportSheetProps {
  user: Pick<Person, '_id' | 'firstName' | 'name'>;
  /** The match whose messages are copied into the report. */
  matchId?: string;
  /** The button that blocks the person. */
  block: ReactNode;
  /** Called when a report was sent, which hides the two from each other. */
  onSent: () => void;
  onClose: () => void;
}

/** Reports a person with one press on a reason, or blocks them. */
export function ReportSheet({ user, matchId, block, onSent, onClose }: ReportSheetProps) {
  const name = memberName(user);
  const send = useCommand(
    createReport,
    (reason: PersonReasonName) => ({
      body: {
        ...reasonInBody(reason),
        description: t(personReasons[reason].words),
        reportedUser: user._id,
        hideFromEachOther: true,
        ...(matchId !== undefined && { evidence: [{ type: 'message' as const, id: matchId }] }),
      },
    }),
    { onSuccess: onSent },
  );
  if (send.data !== undefined) return <Sent id={send.data.report._id} onClose={onClose} />;
  const state: ReportLinkState = { reportedName: name };
  const row = { variant: 'default', size: 'md', fullWidth: true, justify: 'space-between', ta: 'start' } as const;
  const arrow = <IconChevronRight className="mirrored" size={18} stroke={1.75} aria-hidden="true" />;
  return (
    <Dialog title={t`Report or block ${name}`} size="narrow" onClose={onClose}>
      <Stack gap="0.6rem">
        <ErrorNotice error={send.error} />
        <Text mb="0.4rem">
          {t`Choosing a reason sends it to our team, and you two no longer see each other. ${name} is never told.`}
        </Text>
        {inOnePress.map((reason) => (
          <Button key={reason} {...row} onClick={() => !send.isPending && send.mutate(reason)}>
            {t(personReasons[reason].words)}
          </Button>
        ))}
        <Button
          {...row}
          component={Link}
          to={reportAddress({ userId: user._id, matchId: matchId ?? null })}
          state={state}
          rightSection={arrow}
        >
          {t(personReasons.other.words)}
        </Button>
        {block}
      </Stack>
    </Dialog>
  );
}

/** Confirms that the report was sent, and links to where more can be written. */
function Sent({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Dialog
      title={t`Thank you, we have your report`}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button component={Link} to={`/app/support/${id}`} variant="default">
            {t`Add what happened`}
          </Button>
          <Button onClick={onClose}>{t`Done`}</Button>
        </>
      }
    >
      <Text>{t`A person on our team will read it and answer you in Support.`}</Text>
    </Dialog>
  );
}
