import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { disableTotp, type getSecondFactor, renewRecoveryCodes } from '#contract/auth/factors.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale } from '../../../ui/text/text.ts';
import { ProofForm, type Proofs } from '../account/ProofForm.tsx';
import { accountChanged, protectionQuery } from '../queries.ts';
import { RemovalNotice } from '../account/AccountNotices.tsx';
import { RecoveryCodes, TotpSetUp } from './TotpSetUp.tsx';

/** People are asked to create new recovery codes when this many or fewer are left. */
const fewCodes = 3;

function TurnedOff({ email, proofs }: { email: string; proofs: Proofs }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <p>{t`Signing in then also asks for a code from your phone, so a stolen password alone is not enough.`}</p>
      {isOpen ? (
        <TotpSetUp
          start={(onProof) => (
            <ProofForm
              {...proofs}
              email={email}
              text={t`Continue`}
              busyText={t`One moment...`}
              onProof={onProof}
              onCancel={close}
            />
          )}
          onDone={() => {
            close();
            accountChanged();
          }}
          onCancel={close}
        />
      ) : (
        <div ref={passingFocus}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t`Set up two-step verification`}
          </Button>
        </div>
      )}
    </>
  );
}

interface TurnedOnProps {
  email: string;
  factor: AnswerOf<typeof getSecondFactor>['data'];
  proofs: Proofs;
}

function TurnedOn({ email, factor, proofs }: TurnedOnProps) {
  const [open, setOpen] = useState<'renew' | 'off' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setOpen(null);
  const left = factor.recoveryCodesLeft;

  if (codes !== null) {
    return (
      <RecoveryCodes
        codes={codes}
        onSaved={() => {
          setCodes(null);
          accountChanged();
        }}
      />
    );
  }
  return (
    <>
      <Group component="p" gap="0.35rem 0.75rem">
        <Tag tone="positive">{t`On`}</Tag>
        {factor.since !== null && <span>{t`Since ${{ date: formatDate(factor.since, locale) }}`}</span>}
        <span>{t`${plural({ count: left }, { one: '# recovery code left', other: '# recovery codes left' })}`}</span>
      </Group>
      {left <= fewCodes && (
        <Notice kind="warning">{t`You're running low on recovery codes. Create new ones before you need them.`}</Notice>
      )}
      <Buttons>
        <Button variant="default" onClick={() => setOpen('renew')}>
          {t`New recovery codes...`}
        </Button>
        <Button variant="default" onClick={() => setOpen('off')}>
          {t`Turn off...`}
        </Button>
      </Buttons>
      {open === 'renew' && (
        <Dialog title={t`Create new recovery codes?`} size="narrow" onClose={close}>
          <ProofForm
            {...proofs}
            email={email}
            text={t`Create new codes`}
            busyText={t`Creating...`}
            onProof={async (proof) => {
              const { data } = await call(renewRecoveryCodes, { body: proof });
              close();
              setCodes(data.recoveryCodes);
            }}
          >
            <p>{t`Your old codes will stop working.`}</p>
          </ProofForm>
        </Dialog>
      )}
      {open === 'off' && (
        <Dialog title={t`Turn off two-step verification?`} size="narrow" onClose={close}>
          <ProofForm
            {...proofs}
            email={email}
            text={t`Turn off`}
            busyText={t`Turning off...`}
            onProof={async (proof) => {
              await call(disableTotp, { body: proof });
              close();
              accountChanged();
            }}
          >
            <p>{t`You'll then sign in with your password alone.`}</p>
          </ProofForm>
        </Dialog>
      )}
    </>
  );
}

/** The section for two-step verification: setting it up, its recovery codes, and turning it off. */
export function TwoStepVerification({ email }: { email: string }) {
  return (
    <QueryStates
      query={useQuery(protectionQuery)}
      loadingText={t`Loading two-step verification...`}
      skeleton={<Skeleton height="5rem" />}
      errorText={(error) => t`Couldn't load two-step verification: ${error}`}
    >
      {({ factor, proofs }) => (
        <Stack maw="30rem">
          {factor.removalAt !== null && <RemovalNotice at={factor.removalAt} />}
          {factor.since === null ? (
            <TurnedOff email={email} proofs={proofs} />
          ) : (
            <TurnedOn email={email} factor={factor} proofs={proofs} />
          )}
        </Stack>
      )}
    </QueryStates>
  );
}
