import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { CaseFile as File, CaseLink, CaseParty } from '#contract/moderation/cases.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { preloadReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { Desk, useIsWide } from '../queue/Desk.tsx';
import { personWord, shortReportId } from '../reports/report-words.ts';
import { CaseAppeals } from '../appeals/AppealMarks.tsx';
import { hasReporter, isOpenReport, linkWords, strengthTones, strengthWords } from './case-words.ts';
import { CaseDecisions, CaseSanctions, CaseTimeline } from './CaseHistory.tsx';
import type { Done } from './CaseDesk.tsx';
import { CaseHandling, CaseSteps } from './CaseHandling.tsx';
import { CaseReport } from './CaseReport.tsx';
import { reloadCase } from './queries.ts';
import classes from './cases.module.css';
import { EmptyState, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { PersonHead, PersonLink } from '../reports/ReportMarks.tsx';
import { CaseHold, ComparedPeople } from './CaseHold.tsx';
import { CaseAge } from './CaseAge.tsx';

const [DecisionDialog, preloadDecisionDialog] = lazyPart(
  async () => (await import('./DecisionDialog.tsx')).DecisionDialog,
);
const [ReportReplyDialog, preloadReportReplyDialog] = lazyPart(
  async () => (await import('../reports/ReplyDialog.tsx')).ReportReplyDialog,
);

const [CaseSafety] = lazyPart(
  async () => (await import('../emergencies/CaseSafety.tsx')).CaseSafety,
  <Skeleton height="10rem" />,
);

/** Shown if a case does not exist or the viewer is not allowed to see it. */
export function CaseNotFound() {
  return <EmptyState text={t`Case not found.`} action={<Link to="/cases">{t`See all cases`}</Link>} isFramed />;
}

function Party({ party: { person, reportsHere, reportsFiled } }: { party: CaseParty }) {
  return (
    <Group component="li" gap="0.2rem 0.75rem">
      <PersonLink person={person} />
      <Hint span>
        {t`${{ here: formatNumber(reportsHere) }} in this case, ${{ filed: formatNumber(reportsFiled) }} in total`}
      </Hint>
    </Group>
  );
}

function Person({ file: { case: of, joinedAt }, contact }: Pick<CaseFileProps, 'file' | 'contact'>) {
  const { person } = of;
  return (
    <Panel title={of.reportCount === 0 ? t`Person` : t`Reported person`}>
      <PersonHead person={person} />
      {person.email !== null && person._id !== null && <Hint>{contact(person._id, person.email)}</Hint>}
      {joinedAt !== null && (
        <Hint>
          {t`Joined`} <Time at={joinedAt} isDate />
        </Hint>
      )}
    </Panel>
  );
}

/** What this person has in common with another account, and since when one of the two has been banned. */
function LinkedAccount({ link }: { link: CaseLink }) {
  const { person, caseId } = link;
  const name = <bdi>{personWord(person)}</bdi>;
  const target = caseId === null ? person._id && `/users/${person._id}` : `/cases/${caseId}`;
  return (
    <Stack component="li" gap="0.15rem" mb="0.6rem">
      <Group component="span" gap="0.25rem 0.5rem">
        <strong>
          {link.isReturn
            ? t`${{ what: t(linkWords[link.kind]) }} on a later account`
            : t`${{ what: t(linkWords[link.kind]) }} as a banned account`}
        </strong>
        <Tag tone={strengthTones[link.strength]}>{t(strengthWords[link.strength])}</Tag>
        {link.isRevoked && <Tag tone="quiet">{t`Ban revoked`}</Tag>}
      </Group>
      <Hint span>
        {target === null ? name : <Link to={target}>{name}</Link>}
        {' · '}
        {link.isReturn ? t`Found` : t`Banned`} <Time at={link.isReturn ? link.foundAt : link.bannedAt} />
      </Hint>
    </Stack>
  );
}

interface CaseFileProps {
  file: File;
  /** Renders a masked email address with a button that reveals it. */
  contact: (userId: string, email: string) => ReactNode;
  /** Additional content next to the people. */
  aside?: ReactNode;
  /** The last action. */
  notice: ReactNode;
  onDeciding: () => void;
  onDone: (done: Done) => void;
}

function Reports({ file: { case: of, reports, evidence } }: { file: File }) {
  const isShown = useIsWide();
  return (
    <Panel
      title={t`Reports`}
      lead={t`${{ open: formatNumber(of.openReports) }} of ${{ count: formatNumber(of.reportCount) }} are open`}
    >
      <Stack component="ul" gap={0}>
        {reports.map((report) => (
          <CaseReport key={`${report._id} ${isShown}`} report={report} evidence={evidence} isShown={isShown} />
        ))}
      </Stack>
      {evidence.length === 0 && <Hint>{t`There is no evidence you can see.`}</Hint>}
    </Panel>
  );
}

/** The forms for writing about a case. */
type CaseForm = 'decide' | 'reply' | 'note';

interface CaseFormProps {
  file: File;
  form: CaseForm;
  /** Shows the form in a column next to the evidence instead of in a dialog over it. */
  isBeside: boolean;
  onDone: (done: Done) => void;
  onClose: () => void;
}

interface WritingProps extends Pick<CaseFormProps, 'file' | 'isBeside' | 'onClose'> {
  isNote: boolean;
  onSent: () => void;
}

/** A reply or a note, about the newest open report unless another one is chosen. */
function Writing({ file, isNote, isBeside, onSent, onClose }: WritingProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const reports = isNote ? file.reports : file.reports.filter(hasReporter);
  const report = reports.find(({ _id }) => _id === chosen) ?? reports.find(isOpenReport) ?? reports[0];
  if (report === undefined) return null;
  return (
    <ReportReplyDialog
      key={report._id}
      report={report}
      isNote={isNote}
      isBeside={isBeside}
      choice={
        reports.length > 1 && (
          <SelectField
            label={t({ message: 'Report', context: 'noun' })}
            value={report._id}
            choices={reports.map(({ _id, user, problem_type }) => ({
              value: _id,
              label: `${shortReportId(_id)} · ${personWord(user)} · ${t(reportTypeWords[problem_type])}`,
            }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )
      }
      onSent={onSent}
      onClose={onClose}
    />
  );
}

/** One of the forms of the case: decision, reply or note. What was typed is kept when the form is closed. */
function OpenCaseForm({ file, form, isBeside, onDone, onClose }: CaseFormProps) {
  const { _id: caseId, person } = file.case;
  const isNote = form === 'note';
  return form === 'decide' ? (
    <DecisionDialog
      key={String(isBeside)}
      file={file}
      isBeside={isBeside}
      onDecided={() =>
        onDone({
          caseId,
          text: t`Decided: the case about ${{ name: personWord(person) }}.`,
          back: 'reopen',
        })
      }
      onClose={onClose}
    />
  ) : (
    <Writing
      key={`${form} ${isBeside}`}
      file={file}
      isNote={isNote}
      isBeside={isBeside}
      onSent={() => {
        onClose();
        reloadCase(caseId);
        onDone({ caseId, text: isNote ? t`Note saved.` : t`Reply sent.`, back: null });
      }}
      onClose={onClose}
    />
  );
}

/**
 * One case: every report about a person with its evidence, the people, one timeline, and all actions that staff can
 * take.
 */
export function CaseFile({ file, contact, aside, notice, onDeciding, onDone }: CaseFileProps) {
  const [form, setForm] = useState<CaseForm | null>(null);
  useEffect(() => {
    preloadDecisionDialog();
    preloadReportReplyDialog();
    preloadReasonDialog();
  }, []);
  const isUrgent = file.safety.emergencies.length > 0 || file.safety.legalHold !== null;
  const safety = <CaseSafety file={file} />;

  function ask(what: CaseForm) {
    setForm(what);
    if (what === form) document.querySelector<HTMLElement>('dialog[open] [data-autofocus]')?.focus();
    if (what === 'decide') onDeciding();
  }

  return (
    <Desk
      facts={<CaseHandling of={file.case} />}
      result={notice}
      acts={
        <CaseSteps
          of={file.case}
          onDecide={() => ask('decide')}
          onWrite={file.reports.length === 0 ? null : ask}
          hasReporters={file.reports.some(hasReporter)}
          onDone={onDone}
        />
      }
      form={(isBeside) =>
        form !== null && (
          <OpenCaseForm file={file} form={form} isBeside={isBeside} onDone={onDone} onClose={() => setForm(null)} />
        )
      }
    >
      <div className={classes.file}>
        <Stack gap="1.25rem" data-in-order>
          <ComparedPeople file={file} />
          {isUrgent && safety}
          {file.case.hold !== null && <CaseHold file={file} hold={file.case.hold} />}
          {file.links.length > 0 && (
            <Panel
              title={t`Linked accounts`}
              lead={t`A strong link holds back what the member sends to new people; you decide the rest. The member does not see this.`}
            >
              <Stack component="ul" gap="0.5rem">
                {file.links.map((link) => (
                  <LinkedAccount key={`${link.kind} ${link.caseId} ${link.isReturn} ${link.bannedAt}`} link={link} />
                ))}
              </Stack>
            </Panel>
          )}
          {file.reports.length > 0 && <Reports file={file} />}
          <CaseAppeals appeals={file.appeals} />
          <CaseDecisions decisions={file.decisions} />
        </Stack>
        <Stack gap="1.25rem" data-in-order>
          <Person file={file} contact={contact} />
          {file.age !== null && (file.age.canAsk || file.age.since !== null) && (
            <CaseAge caseId={file.case._id} age={file.age} />
          )}
          <CaseSanctions caseId={file.case._id} sanctions={file.sanctions} mayRevoke={file.canRevoke} />
          {file.parties.length > 0 && (
            <Panel title={t`Reporters`}>
              <Stack component="ul" gap="0.5rem">
                {file.parties.map((party, index) => (
                  <Party key={party.person._id ?? index} party={party} />
                ))}
              </Stack>
            </Panel>
          )}
          {!isUrgent && safety}
          {aside}
        </Stack>
        <CaseTimeline timeline={file.timeline} />
      </div>
    </Desk>
  );
}
