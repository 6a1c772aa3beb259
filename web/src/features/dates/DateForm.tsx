import { plural, t } from '@lingui/core/macro';
import type { ComponentProps } from 'react';
import { dateNoteMaxLength } from '#contract/constants.ts';
import { type DateView, proposeDate } from '#contract/dates.ts';
import { call } from '../../api/call.ts';
import { FormDialog } from '../../ui/feedback/FormDialog.tsx';
import { CheckField, TextArea, TextField } from '../../ui/form/Field.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ownZone } from '../../ui/text/own-zone.ts';
import { lengthOf } from '../../ui/text/text.ts';
import { useDateCommand } from './queries.ts';
import { fieldTime } from './when.ts';

interface DateFormProps {
  matchId: string;
  name: string;
  /** The plan that the new one replaces. */
  date: DateView | null;
  onClose: () => void;
}

const isoTime = (text: string) => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
};

/** Whether the clock on this device is moved forward over this time. */
function isSkipped(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && fieldTime(time) !== text.slice(0, 16);
}

/** Whether we ask how the date went. */
export function CheckInField({
  name,
  ...box
}: { name: string } & Pick<ComponentProps<'input'>, 'checked' | 'onChange'>) {
  return (
    <CheckField
      label={t`Ask me how it went`}
      description={t`Two hours after the start, we check that you are fine. ${name} never learns this.`}
      {...box}
    />
  );
}

/** Suggests a date: the place, the time on this device, and a note. */
export function DateForm({ matchId, name, date, onClose }: DateFormProps) {
  const propose = useDateCommand(matchId, (body: (typeof proposeDate.body)['_zod']['output']) =>
    call(proposeDate, { params: { id: matchId }, body }),
  );
  const form = useForm({
    initial: {
      place: date?.place ?? '',
      at: date === null ? '' : fieldTime(new Date(date.at)),
      note: date?.note ?? '',
      checksIn: true,
    },
    draft: `date-${matchId}`,
    schema: proposeDate.body,
    toBody: ({ at, note, ...rest }) => ({ ...rest, at: isoTime(at), zone: ownZone(), note: note.trim() || null }),
    check: ({ at }) =>
      isSkipped(at) ? [{ field: 'at', msg: t`The clock skips this hour. Choose another time.` }] : [],
    send: (body) => propose.mutateAsync(body),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={date === null ? t`Plan a date with ${name}` : t`Suggest another date`}
      size="narrow"
      form={form}
      sendText={t`Suggest date`}
      busyText={t`Sending...`}
      onClose={onClose}
    >
      <TextField
        label={t`Place`}
        required
        data-autofocus
        description={t`A public place is best for the first few times.`}
        {...form.bind('place')}
      />
      <TextField type="datetime-local" label={t`Day and time`} required {...form.bind('at')} />
      <TextArea
        label={t`Note (optional)`}
        rows={2}
        description={t`${plural({ left: Math.max(0, dateNoteMaxLength - lengthOf(form.values.note.trim())) }, { one: '# character', other: '# characters' })} left.`}
        {...form.bind('note')}
      />
      <CheckInField {...form.bindCheckbox('checksIn')} name={name} />
    </FormDialog>
  );
}
