import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type AutomaticRule, type DryRunGroup, ruleFactDays } from '#contract/moderation/automatic-rules.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { genderWords, wordFor } from '../reports/report-words.ts';

const dimensionWords: Record<DryRunGroup['by'], MessageDescriptor> = {
  gender: msg`Gender`,
  age: msg`Age`,
  country: msg`Country`,
};
const groupId = ({ by, group }: DryRunGroup) => `${by} ${group}`;
const groupWord = ({ by, group }: DryRunGroup) => {
  if (group === '') return t`Not specified`;
  return by === 'gender' ? wordFor(genderWords, group) : group;
};

const columns: TableColumn<DryRunGroup>[] = [
  { id: 'by', header: () => t`By`, cell: ({ by }) => t(dimensionWords[by]) },
  { id: 'group', header: () => t`Group`, card: 'head', cell: groupWord },
  { id: 'people', header: () => t`People`, isNumber: true, cell: ({ people }) => formatNumber(people) },
  { id: 'hits', header: () => t`Hits`, isNumber: true, cell: ({ hits }) => formatNumber(hits) },
  {
    id: 'share',
    header: () => t`Hits per 1,000 people`,
    isNumber: true,
    cell: ({ people, hits }) => formatNumber(Math.round((1000 * hits) / people)),
  },
  {
    id: 'uneven',
    header: () => t`Compared with everyone else`,
    cell: ({ isUneven }) => (isUneven ? <Tag tone="attention">{t`Hit much more often`}</Tag> : ''),
  },
];

/** The result of a dry run so far: how many people, some of them, and how evenly. */
export function DryRunResult({ rule: { name, dryRun } }: { rule: AutomaticRule }) {
  if (dryRun === null) return <Hint>{t`No dry run yet. Run one before you switch the rule on.`}</Hint>;
  const { isDone, examined, total, hits, examples, groups, needsReason } = dryRun;
  if (!isDone)
    return (
      <Notice kind="info" isNews={false}>
        {t`Dry run: ${{ examined: formatNumber(examined) }} of ${plural({ total }, { one: '# person', other: '# people' })} examined`}
      </Notice>
    );
  return (
    <Stack gap="0.6rem">
      <Text>
        {t`In the last ${{ days: ruleFactDays }} days it would have hit ${{ hits: formatNumber(hits) }} of ${plural({ examined }, { one: '# person', other: '# people' })}.`}
      </Text>
      {examples.length > 0 && (
        <Group gap="0.3rem 0.8rem">
          {t`Some of them:`}
          {examples.map(({ _id, name: of }) => (
            <Link key={_id} to={`/users/${_id}`} dir="auto">
              {of ?? t`Unknown`}
            </Link>
          ))}
        </Group>
      )}
      {needsReason && (
        <Notice kind="warning" isNews={false}>
          {t`It hits a large group more than 1.5 times as often as everyone else. Switching it on needs a reason.`}
        </Notice>
      )}
      {groups.length > 0 && (
        <Disclosure title={t`By gender, age and country`} heading="h3" isPlain>
          <DataTable label={t`Dry run of ${name} by group`} rows={groups} rowId={groupId} columns={columns} />
        </Disclosure>
      )}
    </Stack>
  );
}
