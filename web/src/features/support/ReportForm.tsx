import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import { type OwnReport, type ReportType, reportTypes } from '#contract/moderation/report.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { isAboutSomebody, type ReportSubject } from './report-subject.ts';
import { call } from '../../api/call.ts';
import { dropDraft, readDraft } from '../../api/session/drafts.ts';
import { useCommand } from '../../api/use-command.ts';
import { useKeptDraft } from '../../api/session/use-kept-draft.ts';
import { CheckField } from '../../ui/form/CheckField.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import classes from './support.module.css';
import { charactersOver, limitText, overText } from './words.ts';

/** The form of a new report as it is typed. */
interface ReportFormValues extends Record<string, string | boolean> {
  problem_type: string;
  description: string;
  mayBeMinor: boolean;
  hideFromEachOther: boolean;
}

/** What people are most often reported for. */
const typesOfPeople: readonly ReportType[] = ['Harassment', 'Inappropriate Content', 'Other'];

/** The types to choose among: about somebody those that concern people come first. */
function typesFor(about: ReportSubject): readonly ReportType[] {
  if (!isAboutSomebody(about)) return reportTypes;
  return [...typesOfPeople, ...reportTypes.filter((type) => !typesOfPeople.includes(type))];
}

/** The form before anything is typed; about a picture its type is chosen already. */
function blankForm({ pictureId }: ReportSubject): ReportFormValues {
  const problem_type: ReportType | '' = pictureId === null ? '' : 'Inappropriate Content';
  return { problem_type, description: '', mayBeMinor: false, hideFromEachOther: true };
}

/** The draft's name: one for each person, picture, conversation and message, and one for reports about nobody. */
export function reportDraft({ userId, pictureId, matchId, seq }: ReportSubject): string {
  return ['report', userId ?? '', ...[pictureId, matchId, seq].filter((part) => part !== null)].join(':');
}

/** The form as a draft has it, else blank. */
function formOfDraft(draft: Record<string, string> | null, about: ReportSubject): ReportFormValues {
  const blank = blankForm(about);
  if (draft === null) return blank;
  return {
    problem_type: draft['problem_type'] ?? blank.problem_type,
    description: draft['description'] ?? '',
    mayBeMinor: draft['mayBeMinor'] === 'true',
    hideFromEachOther: draft['hideFromEachOther'] !== 'false',
  };
}

/** The form as a draft keeps it; null when nothing has been touched. */
function draftOfForm(values: ReportFormValues, about: ReportSubject): Record<string, string> | null {
  const blank = blankForm(about);
  const isTouched = (Object.keys(blank) as (keyof ReportFormValues)[]).some((name) => values[name] !== blank[name]);
  return isTouched ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) : null;
}

type Body = BodyInput<typeof createReport>;

/** What of theirs is meant. */
function evidenceOf({ pictureId, matchId, seq }: ReportSubject): NonNullable<Body['evidence']> {
  if (matchId !== null) return [{ type: 'message', id: matchId, ...(seq === null ? {} : { seq }) }];
  return pictureId === null ? [] : [{ type: 'picture', id: pictureId }];
}

/** What is sent: about somebody with the two questions that concern them and what of theirs is meant, else without. */
function bodyOfForm(values: ReportFormValues, about: ReportSubject): Body {
  const { mayBeMinor, hideFromEachOther, description } = values;
  const problem = { problem_type: values.problem_type as ReportType, description };
  if (!isAboutSomebody(about)) return problem;
  const evidence = evidenceOf(about);
  return {
    ...problem,
    ...(about.userId === null ? {} : { reportedUser: about.userId }),
    ...{ mayBeMinor, hideFromEachOther },
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}

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
