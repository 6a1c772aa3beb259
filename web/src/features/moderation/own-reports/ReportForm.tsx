import { t } from '@lingui/core/macro';
import { Box, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  type OwnReport,
  type ReportPriority,
  type ReportType,
  reportTypes,
  reportTypeWords,
  createReport,
} from '#contract/moderation/reports.ts';
import { call } from '../../../api/call.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { CheckField, SelectField, TextArea } from '../../../ui/form/Field.tsx';
import { SubmitButton } from '../../../ui/form/BusyButton.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { isPersonReason, personReasons, type PersonReasonName, reasonInBody } from './person-reasons.ts';
import { isAboutPerson, type ReportSubject } from './ReportLink.tsx';
import { answerTimeText, charactersOver, limitText, overText, shortReportId } from './words.ts';

interface ReportFormValues extends Record<string, string | boolean> {
  /** The type of a general problem, or the reason to report a person. */
  problem_type: string;
  description: string;
  hideFromEachOther: boolean;
}

/** The initial values of the form. For a picture, the reason is already chosen. */
function blankForm({ pictureId }: ReportSubject): ReportFormValues {
  const reason: PersonReasonName | '' = pictureId === null ? '' : 'content';
  return { problem_type: reason, description: '', hideFromEachOther: true };
}

/**
 * The name under which the draft is stored: one for each person, picture, note, conversation and message, and one for
 * general problems.
 */
export function reportDraft({ userId, pictureId, matchId, seq, isNote }: ReportSubject): string {
  const parts = [pictureId, matchId, seq, isNote ? 'note' : null];
  return ['report', userId ?? '', ...parts.filter((part) => part !== null)].join(':');
}

type Body = BodyInput<typeof createReport>;

/** The picture, message or note that is reported. */
function evidenceOf({ userId, pictureId, matchId, seq, isNote }: ReportSubject): NonNullable<Body['evidence']> {
  if (matchId !== null) return [{ type: 'message', id: matchId, ...(seq === null ? {} : { seq }) }];
  if (isNote && userId !== null) return [{ type: 'note', id: userId }];
  return pictureId === null ? [] : [{ type: 'picture', id: pictureId }];
}

/** The body of the request. A report about a person needs no words besides the reason, and includes the evidence. */
function bodyOfForm(
  { problem_type: chosen, hideFromEachOther, description }: ReportFormValues,
  about: ReportSubject,
): Body {
  if (!isAboutPerson(about)) return { problem_type: chosen as ReportType, description };
  // Nothing is chosen yet, which the contract rejects.
  if (!isPersonReason(chosen)) return { problem_type: '' as ReportType, description };
  const evidence = evidenceOf(about);
  const isSaid = description.trim() !== '' || chosen === 'other';
  return {
    ...reasonInBody(chosen),
    description: isSaid ? description : t(personReasons[chosen].words),
    ...(about.userId === null ? {} : { reportedUser: about.userId }),
    hideFromEachOther,
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}

interface ReportFormProps {
  about: ReportSubject;
  onSent: (report: OwnReport, isHidden: boolean) => void;
}

/** The form for reporting a problem, a person, or something they wrote. The text is stored until it has been sent. */
export function ReportForm({ about, onSent }: ReportFormProps) {
  const hasPerson = isAboutPerson(about);
  const isMatched = about.userId !== null && about.matchId !== null;
  const form = useForm({
    initial: blankForm(about),
    draft: reportDraft(about),
    schema: createReport.body,
    toBody: (values) => bodyOfForm(values, about),
    send: async (body) => {
      const { data } = await call(createReport, { body });
      onSent(data.report, body.hideFromEachOther === true);
    },
    onSent: () => undefined,
  });
  const { values } = form;
  const over = charactersOver(values.description);

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  const description = form.bind('description');
  return (
    <Paper ref={form.form} noValidate component="form" p="clamp(1.1rem, 0.7rem + 2vw, 1.8rem)" onSubmit={form.submit}>
      <Stack gap="1.25rem">
        {form.hasDraft && <Notice kind="info">{t`What you typed before is still here. It is not sent yet.`}</Notice>}
        {hasPerson ? (
          <ChoiceGroup
            type="radio"
            name="problem_type"
            legend={t`What is wrong?`}
            choices={Object.entries(personReasons).map(([value, { words }]) => ({ value, label: t(words) }))}
            chosen={[values.problem_type]}
            error={form.bind('problem_type').error}
            onChange={([reason = '']) => form.set('problem_type', reason)}
          />
        ) : (
          <SelectField
            {...form.bind('problem_type')}
            required
            label={t`What is it about?`}
            choices={[
              { value: '', label: t`Please choose` },
              ...reportTypes.map((type) => ({ value: type, label: t(reportTypeWords[type]) })),
            ]}
          />
        )}
        <TextArea
          {...description}
          required={!hasPerson || values.problem_type === 'other'}
          label={t`What happened?`}
          description={limitText(values.description)}
          error={over > 0 ? overText(over) : description.error}
          onKeyDown={sendByKeys}
        />
        {hasPerson && (
          <CheckField
            {...form.bindCheckbox('hideFromEachOther')}
            label={t`Hide this person and me from each other`}
            description={
              isMatched
                ? t`This ends your match. They won't be told why, or who reported them.`
                : t`They won't be notified, and never learn who reported them.`
            }
          />
        )}
        {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
        <SubmitButton text={t`Send report`} busyText={t`Sending...`} isBusy={form.isPending} />
        <Hint ta="center">{t`If someone is in danger right now, call your local emergency number first.`}</Hint>
      </Stack>
    </Paper>
  );
}

/** The data for the confirmation page, stored in the history entry so that it survives a reload. */
export interface ReceiptFacts {
  id: string;
  priority: ReportPriority;
  /** Whether the report is about a person. */
  hasPerson: boolean;
  isHidden: boolean;
}

interface ReceiptProps {
  facts: ReceiptFacts;
  /** Links to other pages. */
  children: ReactNode;
}

/** Confirms that a report was received, with its number and what happens next. */
export function Receipt({ facts: { id, priority, hasPerson, isHidden }, children }: ReceiptProps) {
  return (
    <Paper p="clamp(1.2rem, 0.8rem + 2vw, 2rem)">
      <Stack gap={0} align="flex-start">
        <ThemeIcon color="moss" size={48} mb="1rem" aria-hidden="true">
          <IconCheck size={28} stroke={2.25} />
        </ThemeIcon>
        <Text fz="lead">
          <RichText
            text={({ id }) => t`Your report number is ${id}.`}
            parts={{
              id: (
                <Text component="strong" ff="monospace" lts="0.03em">
                  {t`#${{ id: shortReportId(id) }}`}
                </Text>
              ),
            }}
          />
        </Text>
        <Box c="dimmed" mt="0.9rem">
          <ul>
            <li>{t`A person on our team will read it and answer ${{ time: answerTimeText(priority) }}.`}</li>
            <li>{t`You'll find the answer in Support, and we'll email you when it's there.`}</li>
            {hasPerson && (
              <li>
                {isHidden
                  ? t`You and this person no longer see each other. They won't be notified.`
                  : t`This person won't be notified that you reported them. The two of you still see each other.`}
              </li>
            )}
          </ul>
        </Box>
        <Buttons ofForm w="100%" mt="1.6rem">
          {children}
        </Buttons>
      </Stack>
    </Paper>
  );
}
