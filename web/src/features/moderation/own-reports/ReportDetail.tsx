import { t } from '@lingui/core/macro';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { type OwnReport, type ReportReply, reportTypeWords } from '#contract/moderation/reports.ts';
import { type StaffReport, replyToReport } from '#contract/moderation/staff-reports.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { dropDraft, keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatDate, formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { addReplies } from './queries.ts';
import classes from './support.module.css';
import {
  aboutText,
  charactersOver,
  isFromSupport,
  isWaitingForMember,
  limitText,
  overText,
  statusSentence,
  statusTone,
  statusWord,
} from './words.ts';

function Entry({ entry }: { entry: ReportReply }) {
  const isSupport = isFromSupport(entry);
  return (
    <li className={classes.entry} data-from={isSupport ? 'support' : 'me'}>
      <Group
        component="p"
        gap="0 1rem"
        justify="space-between"
        align="baseline"
        mb="0.3rem"
        c={isSupport ? 'dimmed' : 'var(--hw-ink)'}
        fz="small"
      >
        <Text component="span" c="var(--hw-ink)" fw={600}>
          {isSupport ? t`Support team` : t`You`}
        </Text>
        <time dateTime={entry.repliedAt} title={formatExactTime(entry.repliedAt)}>
          {formatTime(entry.repliedAt)}
        </time>
      </Group>
      <Text style={{ whiteSpace: 'pre-wrap' }} dir="auto">
        {entry.message}
      </Text>
    </li>
  );
}

/** The conversation about a report, oldest first; new entries are announced. */
export function Conversation({ entries }: { entries: readonly ReportReply[] }) {
  return (
    <div role="log" aria-label={t`Conversation`}>
      <Stack component="ol" gap="0.9rem">
        {entries.map((entry) => (
          <Entry key={entry._id} entry={entry} />
        ))}
      </Stack>
    </div>
  );
}

/** The subject of a report and its status. Decisions about other people are not shown. */
export function ReportSummary({ report, isAnswered }: { report: OwnReport | StaffReport; isAnswered: boolean }) {
  const { problem_type, status, priority, createdAt, reportedUser } = report;
  const isWaiting = isWaitingForMember(report);
  return (
    <Paper mb="1.5rem" py="1rem" px="1.15rem" shadow="none">
      <Group gap="0.3rem 0.75rem" justify="space-between">
        <Text fz="lead" fw={600}>
          {'isFromTeam' in report && report.isFromTeam
            ? t`Message from our support team`
            : t(reportTypeWords[problem_type])}
        </Text>
        {!isWaiting && (
          <Tag tone={statusTone(status)} hasDot>
            {statusWord(status)}
          </Tag>
        )}
      </Group>
      <Group component="p" gap="0.15rem 1.1rem" mt="0.2rem" c="dimmed" fz="note">
        {reportedUser?.name && <span>{aboutText(reportedUser.name)}</span>}
        <time dateTime={createdAt} title={formatExactTime(createdAt)}>
          {t`Sent ${{ date: formatDate(createdAt) }}`}
        </time>
      </Group>
      <Text mt="0.8rem">
        {isWaiting ? t`We wrote to you. You can answer below.` : statusSentence(status, priority, isAnswered)}
      </Text>
      {reportedUser !== null && (
        <Hint mt="0.35rem">
          {t`We never tell people who reported them, and our decisions stay between us and the person concerned.`}
        </Hint>
      )}
    </Paper>
  );
}

/**
 * The text being written. It is kept across reloads and failed requests, and removed by `setText('')` or when the
 * session ends.
 */
function useDraftText(name: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name)?.['text'] ?? '');

  function change(next: string) {
    setText(next);
    if (next === '') dropDraft(name);
    else keepDraft(name, { text: next });
  }

  return [text, change];
}

/** The field for writing to the support team. The text is stored until it has been sent. */
export function AnswerBox({ reportId }: { reportId: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraftText(`answer:${reportId}`);
  const [isBlankRejected, setBlankRejected] = useState(false);
  const command = useMutation({
    mutationFn: (message: string) => call(replyToReport, { params: { id: reportId }, body: { message } }),
    onSuccess: ({ data }) => {
      setText('');
      addReplies(reportId, data.report);
    },
    onSettled: () => field.current?.focus(),
  });
  const over = charactersOver(text);
  const isBlank = text.trim() === '';
  const alert = isBlankRejected ? t`Please enter a reply message` : command.error && errorMessage(command.error);

  function send() {
    if (command.isPending || over > 0) return;
    if (isBlank) {
      setBlankRejected(true);
      return;
    }
    command.mutate(text.trim());
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  }

  return (
    <Form
      mt="1.5rem"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        ref={field}
        label={t`Your answer`}
        description={limitText(text)}
        error={over > 0 ? overText(over) : undefined}
        value={text}
        readOnly={command.isPending}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setBlankRejected(false);
          command.reset();
        }}
        onKeyDown={sendByKeys}
      />
      {alert !== null && <Notice kind="error">{alert}</Notice>}
      <Group justify="flex-end" gap="0.6rem 1rem">
        <Text role="status" flex="1 1 10rem" c="var(--hw-moss)">
          {command.isSuccess && t`Sent. We will answer here and by email.`}
        </Text>
        <BusyButton type="submit" disabled={isBlank || over > 0} isBusy={command.isPending} busyText={t`Sending...`}>
          {t`Send`}
        </BusyButton>
      </Group>
    </Form>
  );
}
