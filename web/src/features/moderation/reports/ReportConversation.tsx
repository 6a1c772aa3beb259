import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type CSSProperties, type ReactNode, useState } from 'react';
import type { ReportReply } from '#contract/moderation/reports.ts';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import type { TimelineEntry } from '#contract/moderation/report-file.ts';
import { RichText, UserText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { conversationQuery } from './report-data.ts';
import { actSentence } from '../acts/act-words.ts';
import { actorRoles } from './report-words.ts';
import classes from './report.module.css';
import { useMay } from '../../../api/session/permission.ts';

interface BubbleProps {
  /** Rendered as a list item unless it is used alone. */
  as?: 'li' | 'div';
  /** The side on which the author is shown; staff notes are on neither side. */
  side: 'start' | 'end' | 'internal';
  /** The report is about this message. */
  isMarked?: boolean;
  /** The author, and marks. */
  who: ReactNode;
  at: string;
  /** Null if the text was removed. */
  text: string | null;
  children?: ReactNode;
}

/** A message, reply or note with its author, time and text. */
export function Bubble({ as: Item = 'li', side, isMarked, who, at, text, children }: BubbleProps) {
  return (
    <Item className={classes.bubble} data-side={side} data-marked={isMarked || undefined}>
      <p className={classes.who}>
        {who}
        <Time at={at} />
      </p>
      {text !== null && <UserText>{text}</UserText>}
      {children}
    </Item>
  );
}

/** An answer contains at most this many of a report's newest replies. */
const mostBrought = 50;

/** Whether the reporter wrote this reply, according to the timeline. */
function isReporters(reply: ReportReply, timeline: readonly TimelineEntry[]): boolean {
  return timeline.some(
    ({ kind, at, actor }) => kind === 'reply' && at === reply.repliedAt && actor.role === 'reporter',
  );
}

function Reply({ reply, isOwn }: { reply: ReportReply; isOwn: boolean }) {
  return (
    <Bubble
      side={reply.isInternal ? 'internal' : isOwn ? 'start' : 'end'}
      who={
        <>
          <strong dir="auto">{reply.repliedBy.name}</strong>
          {isOwn && <Tag tone="info">{t`Reporter`}</Tag>}
          {reply.isInternal && (
            <Tag tone="attention">
              <IconLock size={13} stroke={2} aria-hidden="true" />
              {t`Internal note`}
            </Tag>
          )}
        </>
      }
      at={reply.repliedAt}
      text={reply.message}
    />
  );
}

interface ReportConversationProps {
  report: StaffReport;
  timeline: readonly TimelineEntry[];
  onReply: () => void;
}

/** The conversation about a report, without its description, with staff notes marked. */
export function ReportConversation({ report, timeline, onReply }: ReportConversationProps) {
  const mayHandle = useMay('reports.handle');
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({ ...conversationQuery(report._id), enabled: isWhole });
  const hasMore = report.replies.length >= mostBrought && whole.data === undefined;
  const replies = whole.data?.filter(({ _id }) => _id !== report._id) ?? report.replies;
  return (
    <Panel
      title={t`Conversation`}
      actions={
        mayHandle &&
        replies.length > 0 && (
          <Button variant="default" size="sm" onClick={onReply}>
            {t`Write a reply`}
          </Button>
        )
      }
    >
      {hasMore && (
        <Box mb="0.75rem">
          <Button variant="subtle" size="compact-sm" onClick={() => (isWhole ? void whole.refetch() : setWhole(true))}>
            {whole.isFetching ? t`Loading earlier replies...` : t`Show earlier replies`}
          </Button>
        </Box>
      )}
      {whole.error !== null && (
        <Box mb="0.75rem">
          <Notice kind="error">{t`Error loading replies: ${{ error: whole.error.message }}`}</Notice>
        </Box>
      )}
      {replies.length === 0 ? (
        <Hint>{t`No replies yet.`}</Hint>
      ) : (
        <Stack component="ol" gap="0.75rem" aria-label={t`Replies`}>
          {replies.map((reply) => (
            <Reply key={reply._id} reply={reply} isOwn={isReporters(reply, timeline)} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

interface MomentProps {
  /** The kind of event, which decides the colour of its dot. */
  kind: string;
  /** A sentence, and what is in it. */
  text: ComponentProps<typeof RichText>['text'];
  parts: ComponentProps<typeof RichText>['parts'];
  reason: string | null;
  at: string;
  role: string;
  /** What can be done with it. */
  children?: ReactNode;
}

/** The chart colour of the dot for each kind of event. */
const dots: Partial<Record<string, number>> = { status: 3, undone: 3, raised: 2, priority: 2, reply: 4 };

/** One event of a timeline. */
export function Moment({ kind, text, parts, reason, at, role, children }: MomentProps) {
  return (
    <li className={classes.entry} style={{ '--dot': `var(--hw-chart-${dots[kind] ?? 5})` } as CSSProperties}>
      <Text>
        <RichText text={text} parts={parts} />
      </Text>
      {reason !== null && (
        <p className={classes.reason} dir="auto">
          {reason}
        </p>
      )}
      <Text c="dimmed" fz="0.85rem">
        <Time at={at} /> · {role}
      </Text>
      {children}
    </li>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { text, from, to } = actSentence(entry);
  const { name, role } = entry.actor;
  return (
    <Moment
      {...entry}
      text={(parts) => fill(text, parts)}
      parts={{
        actor: <strong dir="auto">{name.trim() === '' ? t`Unknown` : name}</strong>,
        from: <span>{from}</span>,
        to: <strong>{to}</strong>,
      }}
      role={t(actorRoles[role])}
    />
  );
}

/** The history of a report as sentences, oldest event first. */
export function ReportTimeline({ timeline }: { timeline: readonly TimelineEntry[] }) {
  return (
    <Panel title={t`Timeline`}>
      {timeline.length === 0 ? (
        <Hint>{t`No activity yet.`}</Hint>
      ) : (
        <Stack component="ol" gap={0}>
          {timeline.map((entry) => (
            <Entry key={entry._id} entry={entry} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}
