import { t } from '@lingui/core/macro';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { TemplateChoice } from '../reports/ReplyTemplates.tsx';
import type { ActProps } from './act-props.ts';

/** Writes first to a member. The text is kept until it is sent. */
export function WriteToMember({ user, name, onDone, onClose }: ActProps) {
  const form = useForm({
    initial: { text: '' },
    draft: `write-first:${user._id}`,
    ...formOf(writeToMember, { params: { id: user._id } }),
    onSent: () => onDone(t`Sent. The answer of ${name} becomes a report assigned to you.`),
  });
  const { text } = form.values;
  return (
    <FormDialog
      title={t`Write to ${name}`}
      size="wide"
      form={form}
      sendText={t`Send`}
      busyText={t`Sending...`}
      hasKeyHint
      onClose={onClose}
    >
      <TemplateChoice
        kind="message"
        label={t`Template`}
        reader={{ name, language: user.language }}
        values={() => ({ firstName: user.firstName ?? '' })}
        message={text}
        onWrite={(filled) => form.set('text', filled)}
      />
      <TextArea
        label={t`Message`}
        description={t`They read it under Support as a message of the team, and are notified in the app and by email.`}
        rows={6}
        required
        data-autofocus
        {...form.bind('text')}
      />
    </FormDialog>
  );
}
