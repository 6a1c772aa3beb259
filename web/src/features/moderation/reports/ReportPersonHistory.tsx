import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReportHistory } from '#contract/moderation/report-file.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { readableAddress } from '#contract/text.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { PersonHead, ReportStatusTag } from './ReportMarks.tsx';
import { shortReportId } from './report-words.ts';
import classes from './report.module.css';
import { IdLink } from '../../../ui/data/table/cells.tsx';

const sanctionWords: Record<ReportHistory['sanctions'][number]['action'], MessageDescriptor> = {
  'user.deactivated': msg({ message: 'Deactivated by {by}' }),
  'user.activated': msg({ message: 'Activated again by {by}' }),
};

function ListTitle({ children }: { children: ReactNode }) {
  return (
    <Title order={3} ff="text" fz="note" lts={0} mb="0.35rem">
      {children}
    </Title>
  );
}

function Earlier({ title, none, earlier }: { title: string; none: string; earlier: ReportHistory['filed'] }) {
  const { total, newest } = earlier;
  return (
    <section>
      <ListTitle>
        {title} <span className={classes.count}>{formatNumber(total)}</span>
      </ListTitle>
      {newest.length === 0 ? (
        <Hint>{none}</Hint>
      ) : (
        <Stack component="ul" gap="0.5rem" fz="note">
          {newest.map((line) => (
            <Group key={line._id} component="li" gap="0.75rem" wrap="nowrap">
              <IdLink to={`/reports/${line._id}`} title={line._id}>
                {shortReportId(line._id)}
              </IdLink>
              <span className={classes.what}>
                {t(reportTypeWords[line.problem_type])}
                <Time at={line.createdAt} isDate />
              </span>
              <ReportStatusTag status={line.status} />
            </Group>
          ))}
        </Stack>
      )}
      {total > newest.length && newest.length > 0 && (
        <Hint>{t`The newest ${{ count: newest.length }} are shown.`}</Hint>
      )}
    </section>
  );
}

function Sanctions({ sanctions }: Pick<ReportHistory, 'sanctions'>) {
  return (
    <section>
      <ListTitle>{t`Sanctions`}</ListTitle>
      {sanctions.length === 0 ? (
        <Hint>{t`None`}</Hint>
      ) : (
        <Stack component="ul" gap="0.5rem" fz="note">
          {sanctions.map(({ at, action, by, reason }) => (
            <li key={`${at} ${action}`}>
              <Text>
                {fill(sanctionWords[action], { by })}
                {' · '}
                <Time at={at} isDate />
              </Text>
              {reason !== null && (
                <Hint dir="auto" w="fit-content" maw="100%">
                  {reason}
                </Hint>
              )}
            </li>
          ))}
        </Stack>
      )}
    </section>
  );
}

/** The history of a person in a report: earlier reports by and about them, and measures. */
export function ReportPersonHistory({ title, history }: { title: string; history: ReportHistory }) {
  const { person, joinedAt, filed, about, sanctions } = history;
  return (
    <Panel title={title}>
      <Box mb="1.1rem">
        <PersonHead person={person} />
        {person.email !== null && <Hint>{readableAddress(person.email)}</Hint>}
        {joinedAt !== null && (
          <Hint>
            {t`Joined`} <Time at={joinedAt} isDate />
          </Hint>
        )}
      </Box>
      <Stack gap="1.1rem">
        <Earlier title={t`Reports about them`} none={t`No earlier reports`} earlier={about} />
        <Earlier title={t`Reports they filed`} none={t`No earlier reports`} earlier={filed} />
        <Sanctions sanctions={sanctions} />
      </Stack>
    </Panel>
  );
}
