import { plural, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { clearKnownPeople, getKnownPeople, putKnownPeople, removeKnownPerson } from '#contract/known-people.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { addressesIn } from '#contract/pasted.ts';
import { emailSchema } from '#contract/text.ts';
import { endpointQuery, useEndpoint } from '../../api/endpoint-query.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { ConfirmDialog } from '../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { TextArea, TextField } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';

type Known = AnswerOf<typeof getKnownPeople>['data'];

interface AddressFormProps {
  /** Adding several addresses, or removing one. */
  isRemoval?: boolean;
  onSubmit: () => void;
  onSent: (known: Known, text: string) => void;
}

function AddressForm({ isRemoval = false, onSubmit, onSent }: AddressFormProps) {
  const form = useForm({
    initial: { addresses: '' },
    schema: putKnownPeople.body,
    toBody: ({ addresses }) => ({ addresses: isRemoval ? [addresses] : addressesIn(addresses) }),
    check: ({ addresses }) => {
      const wrong = isRemoval ? undefined : addressesIn(addresses).find((one) => !emailSchema.safeParse(one).success);
      return wrong === undefined
        ? []
        : [{ field: 'addresses', msg: t`${{ address: wrong }} isn't a complete email address` }];
    },
    fieldOf: () => 'addresses',
    send: async ({ addresses }) => {
      const [address = ''] = addresses;
      const { data } = isRemoval
        ? await call(removeKnownPerson, { body: { address } })
        : await call(putKnownPeople, { body: { addresses } });
      onSent(
        data,
        isRemoval
          ? t`If this address was stored, it is removed. If it hid you from someone, they can see you again. What you sent them in the meantime stays undelivered.`
          : t`Saved. If these people are here or join later, they can't see you.`,
      );
    },
    onSent: () => {
      form.reset();
    },
  });
  return (
    <Form
      ref={form.form}
      onSubmit={(event) => {
        onSubmit();
        form.submit(event);
      }}
    >
      {isRemoval ? (
        <TextField {...form.bind('addresses')} type="email" label={t`Address to remove`} autoComplete="off" />
      ) : (
        <TextArea
          {...form.bind('addresses')}
          label={t`Email addresses of people you know`}
          rows={4}
          autoComplete="off"
        />
      )}
      {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
      <div>
        <BusyButton
          type="submit"
          variant={isRemoval ? 'default' : 'filled'}
          isBusy={form.isPending}
          busyText={t`Saving...`}
        >
          {isRemoval ? t`Remove address` : t`Hide me from them`}
        </BusyButton>
      </div>
    </Form>
  );
}

function Clear({ onCleared }: { onCleared: (known: Known, text: string) => void }) {
  const [isAsking, setAsking] = useState(false);
  const clear = useMutation({
    mutationFn: async () => (await call(clearKnownPeople)).data,
    onSuccess: (known) => onCleared(known, t`All addresses are removed.`),
  });
  return (
    <>
      <Buttons>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t`Remove all addresses`}
        </Button>
      </Buttons>
      {isAsking && (
        <ConfirmDialog
          title={t`Remove all addresses?`}
          cancelText={t`Keep them`}
          confirmText={t`Remove all`}
          busyText={t`Removing...`}
          command={clear}
          errorText={(error) => t`Couldn't remove them: ${error}`}
          onClose={() => setAsking(false)}
        >
          {t`These people can see you again. What you sent them in the meantime stays undelivered.`}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Hides the member from people they know, by addresses that are stored as hashes only. */
export function KnownPeople() {
  const query = useEndpoint(getKnownPeople, {}, { staleTime: 0 });
  const [done, setDone] = useState({ times: 0, text: '' });
  const status = useRef<HTMLDivElement>(null);
  function show(known: Known, text: string) {
    queryClient.setQueryData(endpointQuery(getKnownPeople).queryKey, known);
    setDone(({ times }) => ({ times: times + 1, text }));
    // Without addresses, the form that removes one disappears.
    if (known.count === 0) status.current?.focus();
  }
  const clear = () => setDone(({ times }) => ({ times, text: '' }));
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading...`}
      skeleton="16rem"
      errorText={(error) => t`Couldn't load your addresses: ${error}`}
    >
      {({ count, left }) => (
        <Stack gap="1rem">
          <div ref={status} role="status" tabIndex={-1}>
            {done.text !== '' && (
              <Notice key={done.times} kind="success" isNews={false}>
                {done.text}
              </Notice>
            )}
          </div>
          <AddressForm onSubmit={clear} onSent={show} />
          <Hint>
            {t`${plural(count, { 0: 'No addresses stored.', one: 'One address stored.', other: '# addresses stored.' })}`}{' '}
            {t`You can add ${left} more today. We store no address, only a code made from it, so we can’t list them.`}
          </Hint>
          {count > 0 && (
            <>
              <AddressForm isRemoval onSubmit={clear} onSent={show} />
              <Clear onCleared={show} />
            </>
          )}
        </Stack>
      )}
    </QueryStates>
  );
}
