import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import {} from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { OwnReport } from '#contract/moderation/reports.ts';
import { useSession } from '../../features/auth/session/session.ts';
import {
  Receipt,
  type ReceiptFacts,
  reportDraft,
  ReportForm,
} from '../../features/moderation/own-reports/ReportForm.tsx';
import {
  isAboutPerson,
  type ReportLinkState,
  type ReportSubject,
  subjectAt,
} from '../../features/moderation/own-reports/ReportLink.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Quote } from '../../ui/layout/text-blocks.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';

const [QuotedMessage] = lazyPart(
  async () => (await import('../../features/messages/conversation/Bubble.tsx')).QuotedMessage,
  <Skeleton height="6.5rem" />,
);

/** The state of the history entry, set by the previous page and the form. */
interface PageState extends Partial<ReportLinkState> {
  receipt?: ReceiptFacts;
}

function Sent({ facts }: { facts: ReceiptFacts }) {
  return (
    <NarrowPage title={t`Thank you, we have your report`}>
      <Receipt facts={facts}>
        <Button component={Link} to={`/app/support/${facts.id}`}>
          {t`See your report`}
        </Button>
        <Button component={Link} to="/home" variant="default">
          {t`Back to home`}
        </Button>
      </Receipt>
    </NarrowPage>
  );
}

/** The form's title. */
function titleOf({ userId, pictureId, matchId, seq, isNote }: ReportSubject, name: string | null): string {
  if (seq !== null) return name === null ? t`Report a message` : t`Report a message from ${name}`;
  if (matchId !== null) return name === null ? t`Report a conversation` : t`Report what ${name} wrote`;
  if (userId === null) return t`Report a problem`;
  if (isNote) return name === null ? t`Report a note` : t`Report a note from ${name}`;
  if (pictureId !== null) return name === null ? t`Report a picture` : t`Report a picture of ${name}`;
  return name === null ? t`Report someone` : t`Report ${name}`;
}

/** The introduction: who reads the report, and what they see. */
function leadOf({ userId, matchId, seq, isNote }: ReportSubject): string {
  if (seq !== null)
    return t`Tell us what happened. Our team gets a copy of this message and of a few around it, including deleted ones. The person you report is never told who reported them.`;
  if (matchId !== null)
    return t`Tell us what happened. Our team gets a copy of the last messages, including deleted ones. The person you report is never told who reported them.`;
  if (isNote)
    return t`Tell us what happened. Our team gets a copy of the note. The person you report is never told who reported them.`;
  return userId === null
    ? t`Tell us what is wrong. A person will read it and answer you.`
    : t`Tell us what happened. Someone on our team will read it. The person you report is never told who reported them.`;
}

function backFrom({ userId, matchId }: ReportSubject): { to: string; text: string } {
  if (matchId !== null)
    return { to: `/app/messages/${encodeURIComponent(matchId)}`, text: t`Back to the conversation` };
  return userId === null
    ? { to: '/app/support', text: t`All your reports` }
    : { to: `/app/members/${userId}`, text: t`Back to the profile` };
}

function Write({ about, name, note }: { about: ReportSubject; name: string | null; note: string | null }) {
  const navigate = useNavigate();
  const ownId = useSession((session) => session.user?._id) ?? '';

  function showReceipt({ _id, priority }: OwnReport, isHidden: boolean) {
    const receipt: ReceiptFacts = { id: _id, priority, hasPerson: isAboutPerson(about), isHidden };
    void navigate(`/app/support/new?sent=${_id}`, { replace: true, state: { receipt } satisfies PageState });
  }

  return (
    <NarrowPage title={titleOf(about, name)} back={backFrom(about)} lead={leadOf(about)}>
      {about.matchId !== null && about.seq !== null && (
        <QuotedMessage matchId={about.matchId} seq={about.seq} ownId={ownId} name={name} />
      )}
      {about.isNote && note !== null && (
        <Quote mb="1.25rem" aria-label={t`The note you are reporting`} dir="auto">
          {note}
        </Quote>
      )}
      <ReportForm about={about} onSent={showReceipt} />
    </NarrowPage>
  );
}

/**
 * The page to report a problem. `?user` reports a person, with `&picture` one of their pictures or with `&note` the note of their like.
 * `match` reports a conversation, with `&message` one of its messages. After sending, `?sent` shows the receipt.
 */
export function NewReportPage() {
  const [params] = useSearchParams();
  const state = useLocation().state as PageState | null;
  const sent = params.get('sent');
  const about = subjectAt(params);
  if (sent !== null) {
    const facts = state?.receipt;
    return facts?.id === sent ? <Sent facts={facts} /> : <Navigate to={`/app/support/${sent}`} replace />;
  }
  return <Write key={reportDraft(about)} about={about} name={state?.reportedName ?? null} note={state?.note ?? null} />;
}
