import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useLinkRequest } from '../../features/moderation/statements/linked.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';

/** For people whose account was closed: mails them the link to the decision, their data and a refund. */
export function LockedLink({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useLinkRequest();
  if (isSuccess)
    return (
      <Text role="status" mt="0.5rem">
        {t`We sent you an email with a link to the decision, your data and any refund.`}
      </Text>
    );
  return (
    <>
      <ErrorNotice error={error} />
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate(email)}>
        {t`Email me what I can do`}
      </Button>
    </>
  );
}
