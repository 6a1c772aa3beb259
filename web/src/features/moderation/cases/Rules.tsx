import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Rule, changeRule, listRules } from '#contract/moderation/decisions.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { VersionLine } from '../reports/ReportMarks.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';

function RuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const form = useForm({
    initial: { title: rule.title, text: rule.text },
    ...formOf(changeRule, { params: { id: rule._id } }),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t`Change rule ${{ clause: rule.clause }}`}
      form={form}
      sendText={t`Save as a new version`}
      onClose={onClose}
    >
      <Text>{t`Decisions made so far keep the version they refer to.`}</Text>
      <TextField label={t`Title`} required {...form.bind('title')} />
      <TextArea label={t`Text`} required rows={4} {...form.bind('text')} />
    </FormDialog>
  );
}

/** The rules in their current version, which administrators can change. */
export function Rules({ mayEdit }: { mayEdit: boolean }) {
  const query = useEndpoint(listRules);
  const [edited, setEdited] = useState<Rule | null>(null);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading rules...`}
      skeleton="60rem"
      errorText={(error) => t`Error loading rules: ${error}`}
    >
      {({ rules }) => (
        <Stack gap="1.4rem">
          {rules.map((rule) => (
            <Panel
              key={rule._id}
              title={`${rule.clause}. ${rule.title}`}
              actions={
                mayEdit && (
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={t`Change rule ${{ clause: rule.clause }}`}
                    onClick={() => setEdited(rule)}
                  >
                    {t`Change`}
                  </Button>
                )
              }
            >
              <UserText>{rule.text}</UserText>
              <VersionLine of={rule} />
            </Panel>
          ))}
          {edited !== null && <RuleDialog rule={edited} onClose={() => setEdited(null)} />}
        </Stack>
      )}
    </QueryStates>
  );
}
