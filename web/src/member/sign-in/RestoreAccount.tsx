import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { type Proof, ProofForm } from '../../features/auth/account/ProofForm.tsx';
import { failCommand, restore } from '../../features/auth/session/session-commands.ts';

/** Whether an account needs more than the link: a code, or a passkey. */
const needsCode = (error: Error | null) =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'code');
const needsPasskey = (error: Error | null) => error instanceof ApiError && error.code === 'PROOF_REQUIRED';

/** Restores an account that is about to be deleted; with two-step verification or a passkey, after that. */
export function RestoreAccount({ token, onRestored }: { token: string; onRestored: () => void }) {
  const command = useMutation({
    mutationFn: (proof: Pick<Proof, 'code' | 'passkey'>) => restore(token, proof),
    onSuccess: onRestored,
    onError: (error) => {
      if (!needsCode(error) && !needsPasskey(error)) failCommand(error.message);
    },
  });
  const isCode = needsCode(command.error);
  if (isCode || needsPasskey(command.error)) {
    return (
      <ProofForm
        hasPassword={false}
        hasFactor={isCode}
        hasPasskey
        email=""
        text={t`Restore account`}
        busyText={t`Restoring...`}
        onProof={async (proof) => {
          await restore(token, proof);
          onRestored();
        }}
      />
    );
  }
  return (
    <Button loading={command.isPending} onClick={() => command.mutate({})}>
      {t`Restore account`}
    </Button>
  );
}
