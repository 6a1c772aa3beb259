import { Button } from '@mantine/core';
import { useState } from 'react';
import { disableTotp, type getSecondFactor, renewRecoveryCodes } from '#contract/auth/factors.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ProofForm } from '../account/ProofForm.tsx';
import { RecoveryCodes, TotpSetUp } from './TotpSetUp.tsx';
import { RemovalNotice } from './RemovalNotice.tsx';
import classes from '../account.module.css';
import { protectionChanged, useProtection } from './security-queries.ts';

/** So few codes are too few. */
const fewCodes = 3;

type Needs = Pick<Parameters<typeof ProofForm>[0], 'hasPassword' | 'hasFactor' | 'hasPasskey'>;

interface FactorProps {
  email: string;
  factor: AnswerOf<typeof getSecondFactor>['data'];
  /** What one proves oneself with. */
  needs: Needs;
}

function Off({ email, needs }: Omit<FactorProps, 'factor'>) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className={classes.text}>
        {t('With it, signing in asks for a code of your phone too. Whoever learns your password cannot get in.')}
      </p>
      {isOpen ? (
        <TotpSetUp
          begin={(onProof) => (
            <ProofForm
              {...needs}
              email={email}
              text={t('Continue')}
              busyText={t('One moment...')}
              onProof={onProof}
              onCancel={() => setOpen(false)}
            />
          )}
          onDone={protectionChanged}
          onGiveUp={() => setOpen(false)}
        />
      ) : (
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('Set up a second step')}
          </Button>
        </div>
      )}
    </>
  );
}

function On({ email, factor, needs }: FactorProps) {
  const t = useText();
  const locale = useLocale();
  const [asked, setAsked] = useState<'renew' | 'off' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsked(null);
  const left = factor.recoveryCodesLeft;

  if (codes !== null) return <RecoveryCodes codes={codes} onKept={protectionChanged} />;
  return (
    <>
      <p className={classes.state}>
        <Tag tone="positive">{t('On')}</Tag>
        {factor.since !== null && <span>{t('Since {date}', { date: formatDate(factor.since, locale) })}</span>}
        <span>{t('{count, plural, one {# recovery code left} other {# recovery codes left}}', { count: left })}</span>
      </p>
      {left <= fewCodes && (
        <Notice kind="warning">
          {t('You are running out of recovery codes. Make new ones before you need them.')}
        </Notice>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setAsked('renew')}>
          {t('New recovery codes...')}
        </Button>
        <Button variant="default" onClick={() => setAsked('off')}>
          {t('Turn off...')}
        </Button>
      </div>
      {asked === 'renew' && (
        <Dialog title={t('Make new recovery codes?')} size="narrow" onClose={close}>
          <ProofForm
            {...needs}
            email={email}
            text={t('Make new codes')}
            busyText={t('Making them...')}
            onProof={async (proof) => {
              const { data } = await call(renewRecoveryCodes, { body: proof });
              close();
              setCodes(data.recoveryCodes);
            }}
          >
            <p className={classes.text}>{t('The ones you have kept work no more then.')}</p>
          </ProofForm>
        </Dialog>
      )}
      {asked === 'off' && (
        <Dialog title={t('Turn your second step off?')} size="narrow" onClose={close}>
          <ProofForm
            {...needs}
            email={email}
            text={t('Turn off')}
            busyText={t('Turning off...')}
            onProof={async (proof) => {
              await call(disableTotp, { body: proof });
              close();
              protectionChanged();
            }}
          >
            <p className={classes.text}>{t('Your password alone is enough to sign in then.')}</p>
          </ProofForm>
        </Dialog>
      )}
    </>
  );
}

/** One's second factor: set up in steps, its recovery codes, and turned off. */
export function SecondFactor({ email }: { email: string }) {
  const t = useText();
  const { round, query } = useProtection();
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading your second step...')}
      skeleton={<Bone height="5rem" />}
      errorText={(error) => t('Error loading your second step: {error}', { error })}
    >
      {({ factor, needs }) => (
        <div className={classes.form}>
          {factor.removalAt !== null && <RemovalNotice at={factor.removalAt} onStop={protectionChanged} />}
          {factor.since === null ? (
            <Off key={`off-${round}`} email={email} needs={needs} />
          ) : (
            <On key={`on-${round}`} email={email} factor={factor} needs={needs} />
          )}
        </div>
      )}
    </QueryStates>
  );
}
