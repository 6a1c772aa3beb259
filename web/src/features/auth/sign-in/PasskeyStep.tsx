import { t } from '@lingui/core/macro';
import { Button, Stack, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { passkeyLogin } from '#contract/auth/passkeys.ts';
import { call } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { askPasskey, passkeyText } from '../factors/passkey-ceremony.ts';
import { enter, failCommand, type SignInOutcome } from '../session/session-commands.ts';
import { resetStatus, useSession } from '../session/session.ts';

interface PasskeyStepProps {
  challenge: string;
  onOutcome: (outcome: SignInOutcome) => void;
  /** Returns to the first step, where the reason is shown. */
  onRestart: () => void;
}

/** The step that asks staff for their passkey after the house's account, and explains who can help if it is lost. */
export function PasskeyStep({ challenge, onOutcome, onRestart }: PasskeyStepProps) {
  const isBusy = useSession((session) => session.status === 'loading');
  const step = useRef<HTMLDivElement>(null);

  useEffect(() => step.current?.querySelector('button')?.focus(), []);

  async function confirm() {
    resetStatus();
    try {
      const credential = await askPasskey();
      const outcome = await enter(() => call(passkeyLogin, { body: { credential, challenge } }), { staffOnly: true });
      if (!('refused' in outcome)) onOutcome(outcome);
      else if (outcome.refused.code === 'CHALLENGE_EXPIRED') onRestart();
    } catch (error) {
      failCommand(passkeyText(error));
    }
  }

  return (
    <Stack ref={step} component="section" gap="1.1rem" aria-labelledby="passkey-step">
      <Title order={3} id="passkey-step" fz="1.15rem">
        {t`One more step`}
      </Title>
      <p>{t`Confirm with your passkey.`}</p>
      <BusyButton
        size="md"
        fullWidth
        leftSection={<IconKey size={20} stroke={1.75} aria-hidden="true" />}
        isBusy={isBusy}
        busyText={t`Checking...`}
        onClick={() => void confirm()}
      >
        {t`Use a passkey`}
      </BusyButton>
      <Stack align="center">
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => {
            resetStatus();
            onRestart();
          }}
        >
          {t`Start over`}
        </Button>
      </Stack>
      <Hint ta="center">{t`Lost it? Another administrator can reset your two-step verification.`}</Hint>
    </Stack>
  );
}
