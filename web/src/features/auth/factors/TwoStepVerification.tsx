import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { disableTotp, type getSecondFactor, renewRecoveryCodes } from '#contract/auth/factors.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { ProofForm, type Proofs } from '../account/ProofForm.tsx';
import { accountChanged, protectionQuery } from '../queries.ts';
import { RemovalNotice } from '../account/AccountNotices.tsx';
import { RecoveryCodes, TotpSetUp } from './TotpSetUp.tsx';

/** From this many codes on, people are asked to create new ones. */
const fewCodes = 3;

function TurnedOff({ email, proofs }: { email: string; proofs: Proofs }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <p className={classes.text}>
        {t('Signing in then also asks for a code from your phone, so a stolen password alone is not enough.')}
      </p>
      {isOpen ? (
        <TotpSetUp
          start={(onProof) => (
            <ProofForm
              {...proofs}
              email={email}
              text={t('Continue')}
              busyText={t('One moment...')}
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
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('Set up two-step verification')}
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
      <p className={classes.state}>
        <Tag tone="positive">{t('On')}</Tag>
        {factor.since !== null && <span>{t('Since {date}', { date: formatDate(factor.since, locale) })}</span>}
        <span>{t('{count, plural, one {# recovery code left} other {# recovery codes left}}', { count: left })}</span>
      </p>
      {left <= fewCodes && (
        <Notice kind="warning">
          {t("You're running low on recovery codes. Create new ones before you need them.")}
        </Notice>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setOpen('renew')}>
          {t('New recovery codes...')}
        </Button>
        <Button variant="default" onClick={() => setOpen('off')}>
          {t('Turn off...')}
        </Button>
      </div>
      {open === 'renew' && (
        <Dialog title={t('Create new recovery codes?')} size="narrow" onClose={close}>
          <ProofForm
            {...proofs}
            email={email}
            text={t('Create new codes')}
            busyText={t('Creating...')}
            onProof={async (proof) => {
              const { data } = await call(renewRecoveryCodes, { body: proof });
              close();
              setCodes(data.recoveryCodes);
            }}
          >
            <p className={classes.text}>{t('Your old codes will stop working.')}</p>
          </ProofForm>
        </Dialog>
      )}
      {open === 'off' && (
        <Dialog title={t('Turn off two-step verification?')} size="narrow" onClose={close}>
          <ProofForm
            {...proofs}
            email={email}
            text={t('Turn off')}
            busyText={t('Turning off...')}
            onProof={async (proof) => {
              await call(disableTotp, { body: proof });
              close();
              accountChanged();
            }}
          >
            <p className={classes.text}>{t("You'll then sign in with your password alone.")}</p>
          </ProofForm>
        </Dialog>
      )}
    </>
  );
}

/** Two-step verification: setting it up, its recovery codes, and turning it off. */
export function TwoStepVerification({ email }: { email: string }) {
  return (
    <QueryStates
      query={useQuery(protectionQuery)}
      loadingText={t('Loading two-step verification...')}
      skeleton={<Skeleton height="5rem" />}
      errorText={(error) => t("Couldn't load two-step verification: {error}", { error })}
    >
      {({ factor, proofs }) => (
        <div className={classes.form}>
          {factor.removalAt !== null && <RemovalNotice at={factor.removalAt} />}
          {factor.since === null ? (
            <TurnedOff email={email} proofs={proofs} />
          ) : (
            <TurnedOn email={email} factor={factor} proofs={proofs} />
          )}
        </div>
      )}
    </QueryStates>
  );
}
