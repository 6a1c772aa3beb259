import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { createReport } from '#contract/moderation/reports.ts';
import type { OwnReport } from '#contract/moderation/report.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, readDraft } from '../../../api/session/drafts.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useKeptDraft } from '../../../api/session/use-kept-draft.ts';
import { CheckField } from '../../../ui/form/CheckField.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { SubmitButton } from '../../../ui/form/SubmitButton.tsx';
import { TextArea } from '../../../ui/form/TextArea.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import { bodyOfForm, draftOfForm, formOfDraft, reportDraft, typesFor } from './report-form.ts';
import { isAboutSomebody, type ReportSubject } from './report-subject.ts';
import classes from './ReportForm.module.css';
import { charactersOver, limitText, overText } from './text-limit.ts';

interface ReportFormProps {
  about: ReportSubject;
  onSent: (report: OwnReport, isHidden: boolean) => void;
}

/** Reporting a problem, a person, or what they wrote. What is typed stays until it is sent. */
export function ReportForm({ about, onSent }: ReportFormProps) {
  const t = useText();
  const locale = useLocale();
  const hasPerson = isAboutSomebody(about);
  const isMatched = about.userId !== null && about.matchId !== null;
  const draftName = reportDraft(about);
  const [draft] = useState(() => readDraft(draftName));
  const { isPending, isDone, error, run, reset } = useCommand();
  const fields = useFields(formOfDraft(draft, about), reset);
  const { values } = fields;
  const over = charactersOver(values.description);

  useKeptDraft(draftName, isDone ? null : draftOfForm(values, about));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isPending || isDone) return;
    const body = fields.check(createReport.body, bodyOfForm(values, about));
    if (!body) return;
    await run(
      async () => {
        const { data } = await call(createReport, { body });
        dropDraft(draftName);
        onSent(data.report, body.hideFromEachOther === true);
      },
      (refusal) => fields.showErrors(refusal.errors),
    );
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  const description = fields.bind('description');
  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      {draft !== null && <Notice kind="info">{t('What you typed before is still here. It is not sent yet.')}</Notice>}
      <SelectField
        {...fields.bind('problem_type')}
        required
        label={hasPerson ? t('What is wrong?') : t('What is it about?')}
        choices={[
          { value: '', label: t('Please choose') },
          ...typesFor(about).map((type) => ({ value: type, label: t(type) })),
        ]}
      />
      <TextArea
        {...description}
        required

        dir="auto"
        label={t('What happened?')}
        description={limitText(values.description, t, locale)}
        error={over > 0 ? overText(over, t, locale) : description.error}
        onKeyDown={sendByKeys}
      />
      {hasPerson && (
        <>
          <CheckField
            {...fields.bindCheckbox('mayBeMinor')}
            label={t('This person may be under 18')}
            description={t('We look at these reports before all others.')}
          />
          <CheckField
            {...fields.bindCheckbox('hideFromEachOther')}
            label={t('Hide this person and me from each other')}
            description={
              isMatched
                ? t('Your match ends with that. They are not told why, and do not learn who reported them.')
                : t('They are not told, and do not learn who reported them.')
            }
          />
        </>
      )}
      {error !== null && <Notice kind="error">{t(error)}</Notice>}
      <SubmitButton text={t('Send report')} busyText={t('Sending...')} isBusy={isPending} />
      <p className={classes.danger}>
        {t('If somebody is in danger right now, please call your local emergency number first.')}
      </p>
    </form>
  );
}
