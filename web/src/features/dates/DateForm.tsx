import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { dateNoteMaxLength } from '#contract/constants.ts';
import { type DateView, proposeDate } from '#contract/dates.ts';
import { call } from '../../api/call.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { FormDialog } from '../../ui/feedback/FormDialog.tsx';
import { CheckField, TextArea, TextField } from '../../ui/form/Field.tsx';
import { fieldTime, isoTime } from '../../ui/form/field-time.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { ownZone } from '../../ui/text/own-zone.ts';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { locale, unitsFor } from '../../ui/text/text.ts';
import { useDateCommand } from './queries.ts';
import { usualTimes } from './when.ts';

interface DateFormProps {
  matchId: string;
  name: string;
  /** The plan that the new one replaces. */
  date: DateView | null;
  onClose: () => void;
}

/** Whether the clock on this device is moved forward over this time. */
function isSkipped(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && fieldTime(time) !== text.slice(0, 16);
}

interface SafetyProps extends Pick<ComponentProps<'input'>, 'onChange'> {
  name: string;
  /** Whether we ask how the date went. */
  checked: boolean;
  /** Further ways to make a date safer. */
  children?: ReactNode;
}

/** The safety options of a date, folded below a line that says whether we ask how it went. */
export function Safety({ name, children, ...box }: SafetyProps) {
  return (
    <Disclosure heading="h3" isPlain title={box.checked ? t`Safety: we'll ask how it went` : t`Safety`}>
      <Stack gap="1rem">
        <Hint>{t`A public place is best for the first few times.`}</Hint>
        <CheckField
          label={t`Ask me how it went`}
          description={t`Two hours after the start, we check that you are fine. ${name} never learns this.`}
          {...box}
        />
        {children}
      </Stack>
    </Disclosure>
  );
}

interface UsualTimesProps {
  chosen: string;
  onChoose: (at: string) => void;
}

/** Times to choose with one press. */
function UsualTimes({ chosen, onChoose }: UsualTimesProps) {
  const [times] = useState(() => usualTimes(new Date()));
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric' });
  return (
    <Group role="group" aria-label={t`Suggested times`} gap="0.4rem">
      {times.map((time) => {
        const at = fieldTime(time);
        return (
          <Button
            key={at}
            variant={at === chosen ? 'light' : 'default'}
            size="sm"
            aria-pressed={at === chosen}
            onClick={() => onChoose(at)}
          >
            {format.format(time)}
          </Button>
        );
      })}
    </Group>
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
      <TextField label={t`Place`} required data-autofocus {...form.bind('place')} />
      <Stack gap="0.5rem">
        <TextField type="datetime-local" label={t`Day and time`} required {...form.bind('at')} />
        <UsualTimes chosen={form.values.at} onChoose={(at) => form.set('at', at)} />
      </Stack>
      <TextArea label={t`Note (optional)`} rows={2} maxLength={unitsFor(dateNoteMaxLength)} {...form.bind('note')} />
      <Safety {...form.bindCheckbox('checksIn')} name={name} />
    </FormDialog>
  );
}
