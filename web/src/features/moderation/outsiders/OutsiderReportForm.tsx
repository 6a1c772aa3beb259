import { t } from '@lingui/core/macro';
import { Paper, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { appealDays } from '#contract/moderation/decisions.ts';
import { outsiderFieldsSchema } from '#contract/moderation/outsider-reports.ts';
import { mayBeAnonymous, outsiderTypeNames, outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { SubmitButton } from '../../../ui/form/BusyButton.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { sendOutsiderReport } from './queries.ts';

const blank = { type: '', address: '', person: '', where: '', text: '', name: '', email: '', isGoodFaith: false };

/** The form with which people who are not members report something. Their input is not stored. */
export function OutsiderReportForm({ onSent }: { onSent: (hasEmail: boolean) => void }) {
  const form = useForm({
    initial: blank,
    schema: outsiderFieldsSchema,
    send: async (fields) => {
      await sendOutsiderReport(fields);
      onSent(fields.email !== undefined);
    },
    onSent: () => undefined,
  });
  const needsContact = !mayBeAnonymous(form.values.type);
  return (
    <Paper ref={form.form} noValidate component="form" p="clamp(1.1rem, 0.7rem + 2vw, 1.8rem)" onSubmit={form.submit}>
      <Stack gap="1.25rem">
        <SelectField
          {...form.bind('type')}
          required
          label={t`What is it about?`}
          choices={[
            { value: '', label: t`Please choose` },
            ...outsiderTypeNames.map((type) => ({ value: type, label: t(outsiderTypes[type]) })),
          ]}
        />
        <TextField
          {...form.bind('address')}
          label={t`Address of the profile or picture`}
          description={t`Copy it from the address bar. Only with an address can we tell you what we decided.`}
        />
        <TextField
          {...form.bind('person')}
          label={t`Name or description of the person`}
          description={t`If you have no address: name, age, city, what the profile says.`}
        />
        <TextField {...form.bind('where')} label={t`Where did you see it?`} />
        <TextArea
          {...form.bind('text')}
          required
          label={t`What happened, and why is it illegal or against the rules?`}
        />
        <TextField {...form.bind('name')} required={needsContact} autoComplete="name" label={t`Your name`} />
        <TextField
          {...form.bind('email')}
          type="email"
          required={needsContact}
          autoComplete="email"
          label={t`Your email address`}
          description={
            needsContact
              ? t`The people you write about never learn who you are.`
              : t`You can leave out your name and address. Then we can’t answer you.`
          }
        />
        <CheckField
          {...form.bindCheckbox('isGoodFaith')}
          label={t`What I write is true and complete, as far as I know`}
        />
        <Hint>
          {t`Only our team reads your notice, to decide about it and to answer you, as the law requires. We erase your name and address ${{ days: appealDays }} days after the decision, or as soon as you ask for it with the link in our email. A notice that leads to nothing is deleted after 30 days if you don’t confirm your address, otherwise after a year.`}{' '}
          <Link to="/privacy" target="_blank">
            {t`Privacy Policy`}
          </Link>
        </Hint>
        {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
        <SubmitButton text={t`Send notice`} busyText={t`Sending...`} isBusy={form.isPending} />
        <Hint ta="center">{t`If someone is in danger right now, call your local emergency number first.`}</Hint>
      </Stack>
    </Paper>
  );
}
