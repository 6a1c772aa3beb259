import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Rule, changeRule } from '#contract/moderation/decisions.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { t } from '../../../ui/text/text.ts';
import { VersionLine } from '../reports/ReportMarks.tsx';
import shared from '../reports/report.module.css';
import { rulesQuery, useChangeRule } from './queries.ts';
import classes from './cases.module.css';

function RuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const formId = useId();
  const change = useChangeRule(rule._id);
  const form = useForm({
    initial: { title: rule.title, text: rule.text },
    schema: changeRule.body,
    toBody: (values) => values,
    send: (body) => change.mutateAsync(body),
    onSent: onClose,
  });
  return (
    <Dialog
      title={t('Change rule {clause}', { clause: rule.clause })}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton type="submit" form={formId} isBusy={form.isPending} busyText={t('Saving...')}>
            {t('Save as a new version')}
          </BusyButton>
        </>
      }
    >
      <form id={formId} ref={form.form} noValidate className={classes.form} onSubmit={form.submit}>
        {form.problem !== null && <Notice kind="error">{t(form.problem)}</Notice>}
        <p>{t('Decisions made so far keep the version they refer to.')}</p>
        <TextField label={t('Title')} required {...form.bind('title')} />
        <TextArea label={t('Text')} required rows={4} {...form.bind('text')} />
      </form>
    </Dialog>
  );
}

/** The rules in their current version; administrators change them. */
export function Rules({ mayEdit }: { mayEdit: boolean }) {
  const query = useQuery(rulesQuery);
  const [edited, setEdited] = useState<Rule | null>(null);
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading rules...')}
      skeleton="30rem"
      errorText="Error loading rules: {error}"
    >
      {(rules) => (
        <div className={classes.reports}>
          {rules.map((rule) => (
            <Panel
              key={rule._id}
              title={`${rule.clause}. ${rule.title}`}
              actions={
                mayEdit && (
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={t('Change rule {clause}', { clause: rule.clause })}
                    onClick={() => setEdited(rule)}
                  >
                    {t('Change')}
                  </Button>
                )
              }
            >
              <p className={shared.words}>{rule.text}</p>
              <VersionLine of={rule} />
            </Panel>
          ))}
          {edited !== null && <RuleDialog rule={edited} onClose={() => setEdited(null)} />}
        </div>
      )}
    </QueryStates>
  );
}
