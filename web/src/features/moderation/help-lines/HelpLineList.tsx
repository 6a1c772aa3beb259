import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  addHelpLine,
  changeHelpLine,
  type HelpLine,
  everywhere,
  removeHelpLine,
  listHelpLines,
} from '#contract/moderation/help-lines.ts';
import { countryCodes } from '#contract/profiles/countries.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { ConfirmDialog, FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { compareTexts } from '../../../ui/text/format.ts';
import { countryWord } from './HelpLines.tsx';

const choiceOf = (value: string) => ({ value, label: countryWord(value) });
const countryChoices = () => [
  choiceOf(everywhere),
  ...countryCodes.map(choiceOf).sort((one, other) => compareTexts(one.label, other.label)),
];

const orNull = (text: string) => (text.trim() === '' ? null : text);

function LineDialog({ line, onClose }: { line: HelpLine | null; onClose: () => void }) {
  const form = useForm({
    initial: {
      country: line?.country ?? everywhere,
      name: line?.name ?? '',
      phone: line?.phone ?? '',
      url: line?.url ?? '',
      note: line?.note ?? '',
      isEmergency: line?.isEmergency ?? false,
    },
    ...(line === null ? formOf(addHelpLine, {}) : formOf(changeHelpLine, { params: { id: line._id } })),
    toBody: (values) => ({ ...values, phone: orNull(values.phone), url: orNull(values.url) }),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={line === null ? t`Add help line` : t`Change ${{ name: line.name }}`}
      form={form}
      sendText={t`Save`}
      onClose={onClose}
    >
      <SelectField label={t`Country`} choices={countryChoices()} {...form.bind('country')} />
      <TextField label={t`Name`} required data-autofocus {...form.bind('name')} />
      <TextField label={t`Phone number`} inputMode="tel" {...form.bind('phone')} />
      <TextField label={t`Address of the website`} inputMode="url" {...form.bind('url')} />
      <TextField label={t`Note`} required {...form.bind('note')} />
      <CheckField label={t`Emergency number, shown first`} {...form.bindCheckbox('isEmergency')} />
    </FormDialog>
  );
}

function RemoveDialog({ line, onClose }: { line: HelpLine; onClose: () => void }) {
  const command = useCommand(removeHelpLine, () => ({ params: { id: line._id } }), { waits: true });
  return (
    <ConfirmDialog
      title={t`Remove “${{ name: line.name }}”?`}
      confirmText={t`Remove`}
      command={command}
      errorText={(error) => t`Couldn't remove the help line: ${error}`}
      onClose={onClose}
    >
      {t`People no longer see it in the safety center.`}
    </ConfirmDialog>
  );
}

type Asked = { what: 'add' } | { what: 'change' | 'remove'; line: HelpLine };

function LinePanel({ line, ask }: { line: HelpLine; ask: (asked: Asked) => void }) {
  const { name, country, phone, url, note } = line;
  return (
    <Panel
      title={name}
      lead={countryWord(country)}
      actions={
        <Group gap="0.4rem">
          <Button
            size="sm"
            variant="subtle"
            aria-label={t`Remove ${name}`}
            onClick={() => ask({ what: 'remove', line })}
          >
            {t`Remove`}
          </Button>
          <Button
            size="sm"
            variant="default"
            aria-label={t`Change ${name}`}
            onClick={() => ask({ what: 'change', line })}
          >
            {t`Change`}
          </Button>
        </Group>
      }
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{[phone, url].filter(Boolean).join(' · ')}</Text>
      <Text>{note}</Text>
    </Panel>
  );
}

/** The help lines of the safety center, which are added, changed and removed here. */
export function HelpLineList() {
  const query = useEndpoint(listHelpLines);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <Stack gap="1.4rem">
      <Text c="dimmed">{t`Shown to everyone in the safety center. Call a number before you add it.`}</Text>
      <Group>
        <Button onClick={() => setAsked({ what: 'add' })}>{t`Add help line`}</Button>
      </Group>
      <QueryStates
        query={query}
        loadingText={t`Loading help lines...`}
        skeleton="30rem"
        errorText={(error) => t`Error loading help lines: ${error}`}
      >
        {({ lines }) =>
          lines.length === 0 ? (
            <EmptyState text={t`No help lines.`} hint={t`The safety center shows advice only.`} isFramed />
          ) : (
            lines.map((line) => <LinePanel key={line._id} line={line} ask={setAsked} />)
          )
        }
      </QueryStates>
      {asked?.what === 'add' && <LineDialog line={null} onClose={close} />}
      {asked?.what === 'change' && <LineDialog line={asked.line} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog line={asked.line} onClose={close} />}
    </Stack>
  );
}
