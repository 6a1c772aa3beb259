import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languageNames, languages } from '#contract/languages.ts';
import {
  addReplyTemplate,
  changeReplyTemplate,
  type ReplyTemplate,
  retireReplyTemplate,
  type TemplateKind,
  templateKinds,
  type TemplateVariable,
  variablesOf,
} from '#contract/moderation/templates.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ConfirmDialog, FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { language } from '../../../ui/text/text.ts';
import { VersionLine } from './ReportMarks.tsx';
import { fillTemplate, templatesQuery, TextPreview } from './ReplyTemplates.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';

const kindWords: Record<TemplateKind, MessageDescriptor> = {
  reply: msg`Reply to a report`,
  message: msg`First message to a member`,
  facts: msg`Facts of a decision`,
  answer: msg`Answer to the reporters of a decision`,
};

const variableWords: Record<TemplateVariable, MessageDescriptor> = {
  firstName: msg`First name of the person who reads it`,
  date: msg`Day of the report`,
  type: msg`Type of the report`,
  rule: msg`A rule that is chosen while writing`,
};

/** Example values for previews. */
const samples = (): Record<TemplateVariable, string> => ({
  firstName: 'Sam',
  date: formatDate(new Date().toISOString()),
  type: 'Harassment',
  rule: '2. Respect',
});

function TemplateDialog({ of, shown, onClose }: { of: ReplyTemplate | null; shown: Language; onClose: () => void }) {
  const [kind, setKind] = useState<TemplateKind>(of?.kind ?? 'reply');
  const [spoken, setSpoken] = useState<Language>(of?.language ?? shown);
  const form = useForm({
    initial: { name: of?.name ?? '', text: of?.text ?? '' },
    ...(of === null ? formOf(addReplyTemplate, {}) : formOf(changeReplyTemplate, { params: { id: of._id } })),
    toBody: (values) => (of === null ? { ...values, kind, language: spoken } : values),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={of === null ? t`Add template` : t`Change ${{ name: of.name }}`}
      form={form}
      sendText={of === null ? t`Save` : t`Save as a new version`}
      onClose={onClose}
    >
      {of === null && (
        <>
          <SelectField
            label={t`Used for`}
            value={kind}
            choices={templateKinds.map((value) => ({ value, label: t(kindWords[value]) }))}
            onChange={({ currentTarget: { value } }) => setKind(templateKinds.find((one) => one === value) ?? 'reply')}
          />
          <SelectField
            label={t`Language`}
            value={spoken}
            choices={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={({ currentTarget: { value } }) => setSpoken(languages.find((one) => one === value) ?? 'en')}
          />
        </>
      )}
      <TextField label={t`Name`} required data-autofocus {...form.bind('name')} />
      <TextArea
        label={t`Text`}
        description={t`Plain text. Placeholders in braces are filled in each time.`}
        required
        rows={6}
        {...form.bind('text')}
      />
      <Group gap="0.4rem">
        {variablesOf[kind].map((name) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            aria-label={t`Insert ${{ variable: `{${name}}` }}`}
            title={t(variableWords[name])}
            onClick={() => form.set('text', `${form.values.text}{${name}}`)}
          >
            {`{${name}}`}
          </Button>
        ))}
      </Group>
      <TextPreview kind={kind} message={fillTemplate(form.values.text, samples())} />
    </FormDialog>
  );
}

function RetireDialog({ of, onClose }: { of: ReplyTemplate; onClose: () => void }) {
  const command = useCommand(retireReplyTemplate, () => ({ params: { id: of._id } }));
  return (
    <ConfirmDialog
      title={t`Retire “${{ name: of.name }}”?`}
      confirmText={t`Retire`}
      command={command}
      errorText={(error) => t`Couldn't retire the template: ${error}`}
      onClose={onClose}
    >
      {t`It can no longer be chosen. Texts that were already sent stay as they are.`}
    </ConfirmDialog>
  );
}

type Asked = { what: 'add' } | { what: 'change' | 'retire'; template: ReplyTemplate };

/**
 * The templates for replies, first messages, facts and answers in their current version. Senior moderators and administrators can
 * change them.
 */
export function TemplateList({ mayEdit }: { mayEdit: boolean }) {
  const query = useQuery(templatesQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [shown, setShown] = useState(language);
  const close = () => setAsked(null);
  return (
    <Stack component="section" gap="1.4rem" mt="2.5rem" aria-label={t`Templates`}>
      <Group justify="space-between" gap="0.5rem 1rem">
        <Title order={2}>{t`Templates`}</Title>
        <NativeSelect
          aria-label={t`Language`}
          value={shown}
          data={languages.map((one) => ({ value: one, label: languageNames[one] }))}
          onChange={(event) => setShown(event.currentTarget.value as Language)}
        />
        {mayEdit && (
          <Button
            leftSection={<IconPlus size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => setAsked({ what: 'add' })}
          >
            {t`Add template`}
          </Button>
        )}
      </Group>
      <QueryStates
        query={query}
        loadingText={t`Loading templates...`}
        skeleton="20rem"
        errorText={(error) => t`Error loading templates: ${error}`}
      >
        {(all) => {
          const templates = all.filter((one) => one.language === shown);
          return templates.length === 0 ? (
            <EmptyState text={t`No templates yet.`} hint={t`Texts are then written freely.`} isFramed />
          ) : (
            templates.map((template) => (
              <Panel
                key={template._id}
                title={template.name}
                actions={
                  mayEdit && (
                    <Group gap="0.4rem">
                      <Button
                        variant="subtle"
                        size="sm"
                        aria-label={t`Retire ${{ name: template.name }}`}
                        onClick={() => setAsked({ what: 'retire', template })}
                      >
                        {t`Retire`}
                      </Button>
                      <Button
                        variant="default"
                        size="sm"
                        aria-label={t`Change ${{ name: template.name }}`}
                        onClick={() => setAsked({ what: 'change', template })}
                      >
                        {t`Change`}
                      </Button>
                    </Group>
                  )
                }
              >
                <UserText>{template.text}</UserText>
                <Hint>
                  {t(kindWords[template.kind])} · {languageNames[template.language]}
                </Hint>
                <VersionLine of={template} />
              </Panel>
            ))
          );
        }}
      </QueryStates>
      {asked?.what === 'retire' && <RetireDialog of={asked.template} onClose={close} />}
      {asked !== null && asked.what !== 'retire' && (
        <TemplateDialog of={asked.what === 'add' ? null : asked.template} shown={shown} onClose={close} />
      )}
    </Stack>
  );
}
