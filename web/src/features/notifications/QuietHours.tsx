import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getNotificationSettings, putNotificationSettings, type QuietHours as Quiet } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { usePart } from '../../brand.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { CheckField, TextField } from '../../ui/form/Field.tsx';
import { FieldRow, Form } from '../../ui/form/Form.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Part } from '../../ui/layout/Page.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { ownZone } from '../../ui/text/own-zone.ts';

const usual = { from: '22:00', to: '07:00' };

function QuietForm({ quiet, onSaved }: { quiet: Quiet | null; onSaved: () => void }) {
  const form = useForm({
    initial: { isOn: quiet !== null, from: quiet?.from ?? usual.from, to: quiet?.to ?? usual.to },
    schema: putNotificationSettings.body,
    toBody: ({ isOn, from, to }) => ({
      quiet: isOn ? { from, to, zone: ownZone() } : null,
    }),
    fieldOf: (field) => (field === 'quiet.from' ? 'from' : 'to'),
    send: async (body) => {
      const { data } = await call(putNotificationSettings, { body });
      queryClient.setQueryData(keys.quietHours, data.quiet ?? null);
    },
    onSent: () => {
      form.reset();
      onSaved();
    },
  });
  return (
    <Form ref={form.form} onSubmit={form.submit}>
      <CheckField {...form.bindCheckbox('isOn')} label={t`Keep quiet every night`} />
      {form.values.isOn && (
        <FieldRow isShort>
          <TextField {...form.bind('from')} type="time" label={t`From`} />
          <TextField {...form.bind('to')} type="time" label={t`Until`} />
        </FieldRow>
      )}
      {form.values.isOn && (
        <Hint>
          {t`In this device's time zone, ${{ zone: ownZone().replaceAll('_', ' ') }}. When you travel, they follow it at your next visit.`}
        </Hint>
      )}
      {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={form.isPending} busyText={t`Saving...`}>
          {t`Save quiet hours`}
        </BusyButton>
      </div>
    </Form>
  );
}

/** When the member gets no pushes and emails about messages, matches, likes and plans of dates. */
export function QuietHours() {
  const hasDates = usePart('dates');
  const [saves, setSaves] = useState(0);
  const query = useQuery({
    queryKey: keys.quietHours,
    queryFn: async ({ signal }) => (await call(getNotificationSettings, { signal })).data.quiet ?? null,
    staleTime: 0,
  });
  return (
    <Part
      title={t`Quiet hours`}
      lead={
        hasDates
          ? t`Messages, matches, likes and news about dates wait until the end. We still ask how a date went.`
          : t`Messages, matches and likes wait until the end.`
      }
    >
      <QueryStates
        query={query}
        loadingText={t`Loading your settings...`}
        skeleton="6rem"
        errorText={(error) => t`Couldn't load your settings: ${error}`}
      >
        {(quiet) => (
          <>
            <QuietForm quiet={quiet} onSaved={() => setSaves(saves + 1)} />
            <div role="status">
              {saves > 0 && (
                <Notice key={saves} kind="success" isNews={false}>
                  {t`Your quiet hours are saved.`}
                </Notice>
              )}
            </div>
          </>
        )}
      </QueryStates>
    </Part>
  );
}
