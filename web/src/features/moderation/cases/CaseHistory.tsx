import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Decision, Sanction } from '#contract/moderation/decisions.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { LazyReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { ContentRow, useContentName } from './ContentChoice.tsx';
import { decisionTitle, sanctionWords, sourceWords } from './decision-words.ts';
import { reloadCase } from './queries.ts';
import classes from './cases.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';
import { type CaseMoment, revokeSanction } from '#contract/moderation/cases.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ReturningLink } from '../queue/way-back.tsx';
import { Moment } from '../reports/ReportConversation.tsx';
import { actorRoles, shortReportId } from '../reports/report-words.ts';
import { actSentence } from '../acts/act-words.ts';
import { useMay } from '../../../api/session/permission.ts';
import { KeepForTraining } from '../second-looks/KeepForTraining.tsx';

/** The content that a decision removed; pictures have the same numbers as in the evidence. */
function Removed({ contents }: { contents: readonly NonNullable<Sanction['content']>[] }) {
  const nameOf = useContentName();
  return (
    <ul className={classes.removed} aria-label={t`What was removed`}>
      {contents.map((content) => (
        <ContentRow key={`${content.evidenceId} ${content.key}`} content={content}>
          <Hint dir="auto" w="fit-content" maw="100%">
            {nameOf(content)}
            {content.text !== null && `: ${content.text}`}
            {content.isWithheld === true && ` (${t`withheld from its owner`})`}
            {content.isGone && ` (${t`was already changed or deleted`})`}
            {content.isLost === true && ` (${t`could not be put back: the evidence was deleted`})`}
          </Hint>
        </ContentRow>
      ))}
    </ul>
  );
}

/** One decision: its outcome, the rule it is based on, and its measures. */
export function DecisionItem({ decision, children }: { decision: Decision; children?: ReactNode }) {
  const { rule, facts, sanctions, isUndone } = decision;
  const removed = sanctions.flatMap(({ content }) => content ?? []);
  const kinds = [...new Set(sanctions.map(({ kind }) => kind))];
  return (
    <li className={classes.report}>
      <Group gap="0.35rem 0.6rem">
        <strong>{decisionTitle(decision)}</strong>
        {isUndone && <Tag tone="quiet">{t`Undone`}</Tag>}
        {kinds.map((kind) => (
          <Tag key={kind} tone="accent">
            {t(sanctionWords[kind])}
          </Tag>
        ))}
      </Group>
      {facts !== null && <UserText>{facts}</UserText>}
      {removed.length > 0 && <Removed contents={removed} />}
      <Hint>
        <bdi>{decision.by}</bdi> · <Time at={decision.at} />
      </Hint>
      {decision.kind !== 'quick' && (
        <Facts
          facts={[
            rule && [
              t`Rule`,
              t`${{ clause: rule.clause }}. ${{ title: rule.title }} (version ${{ version: rule.version }})`,
            ],
            [t`Discovered through`, t(sourceWords[decision.source])],
            decision.answer !== null && [t`Answer to the reporters`, decision.answer, true],
          ]}
        />
      )}
      {children}
    </li>
  );
}

/** Every decision of the case, newest first. */
export function CaseDecisions({ decisions }: { decisions: readonly Decision[] }) {
  const isLead = useMay('cases.lead');
  if (decisions.length === 0) return null;
  return (
    <Panel title={t`Decisions`}>
      <Stack component="ul" gap={0}>
        {decisions.map((decision) => (
          <DecisionItem key={decision._id} decision={decision}>
            {isLead && decision.kind === 'full' && <KeepForTraining decisionId={decision._id} />}
          </DecisionItem>
        ))}
      </Stack>
    </Panel>
  );
}

function stateOf({ isLive, revokedAt }: Sanction): string {
  if (revokedAt !== null) return t`Revoked`;
  return isLive ? t`In force` : t`Ended`;
}

function SanctionItem({ sanction, onRevoke }: { sanction: Sanction; onRevoke: (() => void) | null }) {
  const { kind, startsAt, endsAt, acknowledgedAt, revokeReason, content } = sanction;
  return (
    <li className={classes.sanction}>
      <Group gap="0.35rem 0.6rem">
        <strong>{t(sanctionWords[kind])}</strong>
        <Tag tone={sanction.isLive ? 'accent' : 'quiet'}>{stateOf(sanction)}</Tag>
      </Group>
      <Hint>
        <Time at={startsAt} isDate />
        {endsAt !== null && (
          <>
            {' – '}
            <Time at={endsAt} isDate />
          </>
        )}
        {' · '}
        <bdi>{sanction.by}</bdi>
        {sanction.strikes > 0 &&
          ` · ${t`${plural({ count: sanction.strikes }, { one: '# strike', other: '# strikes' })}`}`}
      </Hint>
      {kind === 'warn' && (
        <Hint>{acknowledgedAt === null ? t`Not acknowledged yet` : t`Acknowledged by the member`}</Hint>
      )}
      {content !== undefined && <Removed contents={[content]} />}
      <Hint dir="auto" w="fit-content" maw="100%">
        {revokeReason ?? sanction.reason}
      </Hint>
      {onRevoke !== null && sanction.isLive && (
        <Button variant="default" size="xs" onClick={onRevoke}>
          {t`Revoke`}
        </Button>
      )}
    </li>
  );
}

interface CaseSanctionsProps {
  caseId: string;
  sanctions: readonly Sanction[];
  mayRevoke: boolean;
}

/** All measures against the person, newest first. Those in force can be revoked by people with that permission. */
export function CaseSanctions({ caseId, sanctions, mayRevoke }: CaseSanctionsProps) {
  const [asked, setAsked] = useState<Sanction | null>(null);
  const revoke = useCommand(
    revokeSanction,
    ({ id, reason }: { id: string; reason: string }) => ({ params: { id }, body: { reason } }),
    { onSettled: () => reloadCase(caseId) },
  );
  return (
    <Panel title={t`Sanctions`}>
      {sanctions.length === 0 ? (
        <Hint>{t`None`}</Hint>
      ) : (
        <Stack component="ul" gap="0.5rem">
          {sanctions.map((sanction) => (
            <SanctionItem
              key={sanction._id}
              sanction={sanction}
              onRevoke={mayRevoke ? () => setAsked(sanction) : null}
            />
          ))}
        </Stack>
      )}
      {!mayRevoke && sanctions.some(({ isLive }) => isLive) && (
        <Hint mt="1rem">
          {t`Only senior moderators and administrators can revoke these, and for colleagues only those of their rank.`}
        </Hint>
      )}
      {asked !== null && (
        <LazyReasonDialog
          title={t`Revoke: ${{ what: t(sanctionWords[asked.kind]) }}`}
          description={t`Kept in the timeline and the audit trail.`}
          confirm={t`Revoke`}
          busyText={t`Revoking...`}
          command={revoke}
          onConfirm={(reason) => revoke.mutate({ id: asked._id, reason }, { onSuccess: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        >
          {t`Its effect ends at once, and its strikes no longer count.`}
        </LazyReasonDialog>
      )}
    </Panel>
  );
}

function Line({ moment }: { moment: CaseMoment }) {
  const { text, from, to } = actSentence(moment);
  const { name, role } = moment.actor;
  const who = name.trim() === '' ? (role === 'system' ? t`System` : t`Unknown`) : name;
  return (
    <Moment
      {...moment}
      text={(parts) =>
        [fill(text, parts), ...(moment.reportId === null ? [] : [t`report ${{ report: parts.report ?? '' }}`])].join(
          ' · ',
        )
      }
      parts={{
        actor: <strong dir="auto">{who}</strong>,
        from: <span>{from}</span>,
        to: <strong dir="auto">{to}</strong>,
        report: moment.reportId && (
          <ReturningLink to={`/reports/${moment.reportId}`}>{shortReportId(moment.reportId)}</ReturningLink>
        ),
      }}
      role={role === 'member' ? t`Member` : t(actorRoles[role])}
    />
  );
}

/** Everything that happened to a case and to the reports in it, newest first. */
export function CaseTimeline({ timeline }: { timeline: readonly CaseMoment[] }) {
  return (
    <Panel title={t`Timeline`} lead={t`The case and all its reports, newest first`}>
      <Stack component="ol" gap={0}>
        {timeline.map((moment) => (
          <Line key={moment._id} moment={moment} />
        ))}
      </Stack>
    </Panel>
  );
}
