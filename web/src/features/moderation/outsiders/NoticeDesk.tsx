import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OutsiderLine } from '#contract/moderation/outsider-reports.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { KeyHint, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Quote } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { Desk, type DeskProps } from '../queue/Desk.tsx';
import { useShown } from '../queue/use-shown.ts';

type Ask = (what: 'close' | 'assign') => void;

/** The possible actions on a notice. */
function Acts({ ask }: { ask: Ask }) {
  return (
    <>
      <Button aria-keyshortcuts="p" onClick={() => ask('assign')}>
        {t`Choose the person`}
        <KeyHint of="p" />
      </Button>
      <Button variant="default" aria-keyshortcuts="c" onClick={() => ask('close')}>
        {t({ message: 'Close', context: 'notice' })}
        <KeyHint of="c" />
      </Button>
    </>
  );
}

/** A notice with its content and author; with `ask`, the possible actions. */
export function OutsiderReportPanel({ report, ask }: { report: OutsiderLine; ask?: Ask }) {
  const { type, isUrgent, at, times, address, person, where, text, name, email, plea, closedBy, canClose, caseId } =
    report;
  return (
    <Panel
      title={t(outsiderTypes[type])}
      actions={
        <Group gap="0.4rem">
          {isUrgent && <Tag tone="attention">{t`Urgent`}</Tag>}
          {plea !== null && <Tag tone="info">{t`Appealed`}</Tag>}
        </Group>
      }
    >
      <Stack gap="0.8rem">
        <UserText>{text}</UserText>
        <Facts
          facts={[
            [t`Sent`, <Time at={at} />],
            times > 1 && [t`Sent again`, t`${plural({ count: times - 1 }, { one: 'once', other: '# times' })}`],
            address !== null && [t`Address`, address, true],
            person !== null && [t`Person`, person],
            where !== null && [t`Where`, where],
            [t`Author`, [name, email].filter((part) => part !== null).join(', ') || t`No author`],
            closedBy !== null && [t`Closed by`, closedBy],
            caseId !== null && [t`Case`, <Link to={`/cases/${caseId}`}>{t`Open the case`}</Link>],
          ]}
        />
        {plea !== null && <Quote dir="auto">{plea}</Quote>}
        {canClose && ask !== undefined && (
          <Group gap="0.4rem">
            <Acts ask={ask} />
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

/** The keyboard shortcuts of the notices that wait. */
export const noticeKeys: KeyList = [
  ['p', msg`Choose the person`],
  ['c', msg({ message: 'Close', context: 'notice' })],
  ['j', msg`Next notice`],
  ['k', msg`Previous notice`],
  ['?', msg`Show these keys`],
];

interface NoticeDeskProps extends Pick<DeskProps, 'result'> {
  reports: readonly OutsiderLine[];
  total: number;
  ask: (what: 'close' | 'assign', report: OutsiderLine) => void;
  /** Renders the open form about the shown notice, as in `Desk`. */
  form: (isBeside: boolean, shown: OutsiderLine) => ReactNode;
  /** Loads more of them. */
  onEnd: () => void;
}

/** The waiting notices, one at a time: an action on one shows the next. */
export function NoticeDesk({ reports, total, ask, form, onEnd, result }: NoticeDeskProps) {
  const { index: at, move } = useShown(reports.map(({ _id }) => _id));
  const report = reports[at];
  const askAbout = (what: 'close' | 'assign') => {
    if (report?.canClose === true) ask(what, report);
  };
  const go = (by: 1 | -1) => {
    move(by);
    if (at + by >= reports.length - 1) onEnd();
  };
  useSingleKeys({
    p: () => askAbout('assign'),
    c: () => askAbout('close'),
    j: () => go(1),
    k: () => go(-1),
  });
  if (report === undefined) return null;
  return (
    <Desk
      label={t`Notice`}
      acts={report.canClose && <Acts ask={askAbout} />}
      form={(isBeside) => form(isBeside, report)}
      result={result}
    >
      <Group gap="0.4rem" mb="0.9rem" justify="space-between">
        <Text role="status" fw={600} c="dimmed">
          {t`${{ number: at + 1 }} of ${{ total: formatNumber(total) }}`}
        </Text>
        <Group gap="0.4rem">
          <Button variant="default" disabled={at === 0} onClick={() => go(-1)}>{t`Previous`}</Button>
          <Button variant="default" disabled={at === reports.length - 1} onClick={() => go(1)}>{t`Next`}</Button>
        </Group>
      </Group>
      <OutsiderReportPanel report={report} />
    </Desk>
  );
}
