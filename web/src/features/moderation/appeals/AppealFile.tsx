import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { Button, Group, Stack, Title } from '@mantine/core';
import type { AppealFile as File } from '#contract/moderation/appeals.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { KeyHint, usePageActions } from '../../../ui/keyboard/shortcuts.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { readDraft, useKeptDraft } from '../../../ui/form/drafts.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { DecisionItem } from '../cases/CaseHistory.tsx';
import { HolderMark } from '../cases/CaseMarks.tsx';
import { CaseReport } from '../cases/CaseReport.tsx';
import { PictureNumbers } from '../reports/ReportEvidence.tsx';
import { Desk } from '../queue/Desk.tsx';
import { ReturningLink } from '../queue/way-back.tsx';
import { partyWords } from './appeal-words.ts';
import { AppealTag, AppealTime } from './AppealMarks.tsx';
import { reviewDraftOf, useReview } from './queries.ts';
import { ReviewDialog, type ReviewDraft } from './ReviewDialog.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import { PersonLink } from '../reports/ReportMarks.tsx';

interface AppealFileProps {
  file: File;
  viewerId: string | undefined;
  /** The last action. */
  notice: ReactNode;
  onDecided: () => void;
}

/** The state of the review, the time left, and who reviews. */
function Review({ file: { appeal } }: { file: File }) {
  return (
    <Panel title={t`Review`} actions={<AppealTag state={appeal.state} />}>
      <Facts
        facts={[
          [appeal.answeredAt === null ? t`Time left` : t`Decided`, <AppealTime appeal={appeal} />, true],
          [t`Reviewed by`, <HolderMark holder={appeal.reviewer && { ...appeal.reviewer, until: null }} />],
          [t`Original decision by`, <bdi>{appeal.decidedBy}</bdi>],
        ]}
      />
      {appeal.dueAt !== null && !appeal.canReview && (
        <Notice kind="info" mt="1rem">
          {t`A senior moderator or administrator who did not make the decision has to review it.`}
        </Notice>
      )}
    </Panel>
  );
}

interface ReviewStepsProps extends Pick<AppealFileProps, 'file' | 'viewerId'> {
  onDecide: () => void;
}

function ReviewSteps({ file: { appeal }, viewerId, onDecide }: ReviewStepsProps) {
  const review = useReview(appeal._id);
  const isMine = appeal.reviewer?._id === viewerId;
  const isOthers = appeal.reviewer !== null && !isMine;
  const mayDecide = appeal.canReview && !isOthers;
  const takeWord = isOthers ? t`Take over from ${{ name: appeal.reviewer?.name ?? '' }}` : t`Review this appeal`;
  usePageActions([
    ...(appeal.canReview && !isMine ? [{ key: 'c', text: takeWord, run: () => review.mutate() }] : []),
    ...(mayDecide ? [{ key: 'd', text: t`Decide`, run: onDecide }] : []),
  ]);
  return (
    <>
      <ErrorNotice error={review.error} />
      {mayDecide && (
        <Button aria-keyshortcuts="d" onClick={onDecide}>
          {t`Decide`}
          <KeyHint of="d" />
        </Button>
      )}
      {appeal.canReview && !isMine && (
        <BusyButton
          variant={mayDecide ? 'default' : 'filled'}
          isBusy={review.isPending}
          busyText={t`Saving...`}
          aria-keyshortcuts="c"
          onClick={() => review.mutate()}
        >
          {takeWord}
          <KeyHint of="c" />
        </BusyButton>
      )}
    </>
  );
}

function Plea({ file: { appeal } }: { file: File }) {
  const { appellant } = appeal;
  return (
    <Panel title={t`Appeal`} lead={t(partyWords[appeal.party])}>
      <Stack gap="0.5rem">
        <Group fw={600}>
          <PersonLink person={appellant} />
        </Group>
        <UserText>{appeal.text}</UserText>
        <Hint>
          <Time at={appeal.submittedAt} />
        </Hint>
        {appeal.answer !== null && (
          <>
            <Title order={3} ff="text" fz="note" lts={0} mt="0.7rem">
              {t`Reasons of the review`}
            </Title>
            <UserText>{appeal.answer}</UserText>
          </>
        )}
      </Stack>
    </Panel>
  );
}

const blank: ReviewDraft = { outcome: 'upheld', chosen: [], reasons: '' };

/** One appeal: its text next to the original decision with its evidence, and the review. */
export function AppealFile({ file, viewerId, notice, onDecided }: AppealFileProps) {
  const [isDeciding, setDeciding] = useState(false);
  const draftName = reviewDraftOf(file.appeal._id);
  const [draft, setDraft] = useState(() => readDraft<ReviewDraft>(draftName) ?? blank);
  useKeptDraft(draftName, draft === blank ? null : draft);
  function decide() {
    setDeciding(true);
    document.querySelector<HTMLElement>('dialog[open] [data-autofocus]')?.focus();
  }
  return (
    <PictureNumbers evidence={file.evidence}>
      <Desk
        facts={<Review file={file} />}
        result={notice}
        acts={<ReviewSteps file={file} viewerId={viewerId} onDecide={decide} />}
        form={(isBeside) =>
          isDeciding && (
            <ReviewDialog
              key={String(isBeside)}
              file={file}
              draft={draft}
              onDraft={setDraft}
              isBeside={isBeside}
              onDecided={() => {
                setDraft(blank);
                onDecided();
              }}
              onClose={() => setDeciding(false)}
            />
          )
        }
      >
        <Plea file={file} />
        <Panel
          title={t`Original decision`}
          actions={<ReturningLink to={`/cases/${file.appeal.caseId}`}>{t`Open the case`}</ReturningLink>}
        >
          <Stack component="ul" gap={0}>
            <DecisionItem decision={file.decision} />
          </Stack>
        </Panel>
        <Panel title={t`Reports it was about`}>
          {file.reports.length === 0 ? (
            <Hint>{t`None`}</Hint>
          ) : (
            <Stack component="ul" gap={0}>
              {file.reports.map((report) => (
                <CaseReport key={report._id} report={report} evidence={file.evidence} isShown />
              ))}
            </Stack>
          )}
        </Panel>
      </Desk>
    </PictureNumbers>
  );
}
