import { Button } from '@mantine/core';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { OwnReport } from '#contract/report.ts';
import { Receipt, type ReceiptFacts } from '../../features/support/Receipt.tsx';
import { ReportForm } from '../../features/support/ReportForm.tsx';
import { Link } from '../../ui/Link.tsx';
import { useText } from '../../ui/text.ts';
import { supportReportPage } from '../member-pages.ts';
import { NarrowPage } from '../NarrowPage.tsx';

/** What the pages before, and the form itself, leave in the history's entry. */
interface PageState {
  reportedName?: string;
  receipt?: ReceiptFacts;
}

function Sent({ facts }: { facts: ReceiptFacts }) {
  const t = useText();
  return (
    <NarrowPage title={t('Thank you, we have your report')}>
      <Receipt facts={facts}>
        <Button component={Link} to={`/app/support/${facts.id}`} onPointerEnter={supportReportPage.preload}>
          {t('See your report')}
        </Button>
        <Button component={Link} to="/home" variant="default">
          {t('Back to home')}
        </Button>
      </Receipt>
    </NarrowPage>
  );
}

function Write({ userId, name }: { userId: string | null; name: string | null }) {
  const t = useText();
  const navigate = useNavigate();

  function showReceipt({ _id, priority }: OwnReport, isHidden: boolean) {
    const receipt: ReceiptFacts = { id: _id, priority, hasPerson: userId !== null, isHidden };
    void navigate(`/app/support/new?sent=${_id}`, { replace: true, state: { receipt } satisfies PageState });
  }

  const title =
    userId === null ? t('Report a problem') : name === null ? t('Report somebody') : t('Report {name}', { name });
  return (
    <NarrowPage
      title={title}
      back={
        userId === null
          ? { to: '/app/support', text: t('All your reports') }
          : { to: `/app/members/${userId}`, text: t('Back to the profile') }
      }
      lead={
        userId === null
          ? t('Tell us what is wrong. A person reads it and answers you.')
          : t('Tell us what happened. A person reads it. They are never told who reported them.')
      }
    >
      <ReportForm userId={userId} onSent={showReceipt} />
    </NarrowPage>
  );
}

/** Where a member reports a problem, or with `?user` a person; afterwards, with `?sent`, the receipt. */
export function NewReportPage() {
  const [params] = useSearchParams();
  const state = useLocation().state as PageState | null;
  const sent = params.get('sent');
  const userId = params.get('user') || null;
  if (sent !== null) {
    const facts = state?.receipt;
    return facts?.id === sent ? <Sent facts={facts} /> : <Navigate to={`/app/support/${sent}`} replace />;
  }
  return <Write key={userId} userId={userId} name={state?.reportedName ?? null} />;
}
