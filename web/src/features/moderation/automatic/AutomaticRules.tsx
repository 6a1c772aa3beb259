import { plural, t } from '@lingui/core/macro';
import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  type AutomaticRule,
  retireAutomaticRule,
  startDryRun,
  switchAutomaticRule,
  unevenReasonMin,
  listAutomaticRules,
} from '#contract/moderation/automatic-rules.ts';
import { ruleSentence } from '#contract/moderation/rule-words.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDate, formatDay } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { DryRunResult } from './DryRunResult.tsx';
import { RuleDialog } from './RuleDialog.tsx';

function StateTag({ rule: { isOn, isWatching, isExpired } }: { rule: AutomaticRule }) {
  if (isExpired) return <Tag tone="attention">{t`Expired`}</Tag>;
  if (isWatching) return <Tag tone="info">{t`Watching`}</Tag>;
  return isOn ? <Tag tone="positive">{t`On`}</Tag> : <Tag tone="quiet">{t`Off`}</Tag>;
}

function RuleFacts({
  rule: { version, changedBy, changedAt, expiresOn, switched, hits, ...rule },
}: {
  rule: AutomaticRule;
}) {
  return (
    <Facts
      facts={[
        [
          t`Hits`,
          t`${{ open: hits.open }} waiting, ${{ confirmed: hits.confirmed }} confirmed, ${{ cleared: hits.cleared }} cleared, ${{ expired: hits.expired }} undone`,
        ],
        rule.isWatching && [
          t`Watching`,
          t`${plural(
            { people: rule.sightings },
            { one: 'It would have hit one person', other: 'It would have hit # people' },
          )}`,
        ],
        [t`Last day`, formatDay(expiresOn)],
        [t`Version ${version}`, `${changedBy}, ${formatDate(changedAt)}`],
        switched && [
          t`Last switched`,
          [switched.by, formatDate(switched.at), ...(switched.reason === null ? [] : [switched.reason])].join(', '),
        ],
      ]}
    />
  );
}

interface RuleButtonProps extends Pick<ButtonProps, 'variant' | 'disabled'> {
  name: string;
  label: string;
  onClick: () => void;
}

/** A button of a rule; its accessible name says which rule. */
function RuleButton({ name, label, variant = 'default', ...button }: RuleButtonProps) {
  return (
    <Button size="sm" variant={variant} aria-label={t`${{ act: label }}: ${name}`} {...button}>
      {label}
    </Button>
  );
}

type Asked = 'change' | 'remove' | 'reason';

function RulePanel({ rule, ask }: { rule: AutomaticRule; ask: (what: Asked) => void }) {
  const params = { id: rule._id };
  const dryRun = useCommand(startDryRun, () => ({ params }), { waits: true });
  type State = { isOn: boolean; isWatching?: boolean };
  const turn = useCommand(switchAutomaticRule, (body: State) => ({ params, body }), { waits: true });
  const { name, isOn, isWatching, isExpired } = rule;
  const switchIt = () => (!isOn && rule.dryRun?.needsReason === true ? ask('reason') : turn.mutate({ isOn: !isOn }));
  return (
    <Panel title={name} actions={<StateTag rule={rule} />}>
      <Stack gap="0.8rem">
        <Text>{ruleSentence(rule.conditions, rule.actions, fill)}</Text>
        <RuleFacts rule={rule} />
        <DryRunResult rule={rule} />
        <ErrorNotice error={dryRun.error ?? turn.error} />
        <Group gap="0.4rem">
          <RuleButton
            name={name}
            label={isOn ? t`Switch off` : t`Switch on`}
            variant={isOn ? 'default' : 'filled'}
            disabled={!isOn && (rule.dryRun?.isDone !== true || isExpired)}
            onClick={switchIt}
          />
          {!isOn && (
            <RuleButton
              name={name}
              label={isWatching ? t`Stop watching` : t`Watch only`}
              onClick={() => turn.mutate({ isOn: false, isWatching: !isWatching })}
            />
          )}
          <RuleButton name={name} label={t`Dry run`} onClick={() => dryRun.mutate()} />
          <RuleButton name={name} label={t`Change`} onClick={() => ask('change')} />
          <RuleButton name={name} label={t`Remove`} variant="subtle" onClick={() => ask('remove')} />
        </Group>
      </Stack>
    </Panel>
  );
}

interface DialogProps {
  rule: AutomaticRule;
  onClose: () => void;
}

function RemoveDialog({ rule, onClose }: DialogProps) {
  const command = useCommand(retireAutomaticRule, () => ({ params: { id: rule._id } }), { waits: true });
  return (
    <ConfirmDialog
      title={t`Remove “${{ name: rule.name }}”?`}
      confirmText={t`Remove`}
      command={command}
      errorText={(error) => t`Couldn't remove the rule: ${error}`}
      onClose={onClose}
    >
      {t`It hits no one else. The people it hit still wait for a decision.`}
    </ConfirmDialog>
  );
}

function UnevenDialog({ rule, onClose }: DialogProps) {
  const command = useCommand(
    switchAutomaticRule,
    (reason: string) => ({ params: { id: rule._id }, body: { isOn: true, reason } }),
    { waits: true },
  );
  return (
    <ReasonDialog
      title={t`Switch on “${{ name: rule.name }}”?`}
      description={t`Colleagues read it on this page and in the audit trail.`}
      confirm={t`Switch on`}
      command={command}
      minLength={unevenReasonMin}
      onClose={onClose}
    >
      {t`The rule hits a large group much more often than everyone else. Say why that is right.`}
    </ReasonDialog>
  );
}

const progressEveryMs = 2000;

/** The automatic rules, each as a sentence with its dry run; they are added, changed and switched here. */
export function AutomaticRules() {
  const query = useEndpoint(
    listAutomaticRules,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.rules.some(({ dryRun }) => dryRun?.isDone === false) === true ? progressEveryMs : false,
    },
  );
  const [asked, setAsked] = useState<{ what: Asked; rule: AutomaticRule | null } | null>(null);
  const close = () => setAsked(null);
  const { what, rule = null } = asked ?? {};
  return (
    <Stack gap="1.4rem">
      <Text c="dimmed">
        {t`A rule opens a case, and a person decides. Without a decision in 72 hours, what it did is undone.`}
      </Text>
      <Group>
        <Button onClick={() => setAsked({ what: 'change', rule: null })}>{t`Add automatic rule`}</Button>
      </Group>
      <QueryStates
        query={query}
        loadingText={t`Loading rules...`}
        skeleton="30rem"
        errorText={(error) => t`Error loading rules: ${error}`}
      >
        {({ rules }) =>
          rules.length === 0 ? (
            <EmptyState text={t`No automatic rules.`} hint={t`People open all cases.`} isFramed />
          ) : (
            rules.map((one) => <RulePanel key={one._id} rule={one} ask={(act) => setAsked({ what: act, rule: one })} />)
          )
        }
      </QueryStates>
      {what === 'change' && <RuleDialog rule={rule} onClose={close} />}
      {what === 'remove' && rule !== null && <RemoveDialog rule={rule} onClose={close} />}
      {what === 'reason' && rule !== null && <UnevenDialog rule={rule} onClose={close} />}
    </Stack>
  );
}
