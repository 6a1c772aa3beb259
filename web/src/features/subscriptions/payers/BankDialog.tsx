import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { t } from '../../../ui/text/text.ts';
import type { AskBank } from './payer.ts';

type Answer = Awaited<ReturnType<AskBank>>;

/** The confirmation a real bank would ask for; closing the dialog leaves it open. */
export function BankDialog({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  return (
    <Dialog
      title={t('Your bank asks you to confirm')}
      size="narrow"
      onClose={() => onAnswer(null)}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer('refuse')}>
            {t('Decline')}
          </Button>
          <Button onClick={() => onAnswer('approve')}>{t('Approve')}</Button>
        </>
      }
    >
      {t(
        'Your own bank would send you a code or open its app here. This is a test bank: approve or decline the payment.',
      )}
    </Dialog>
  );
}

/** The test bank: `ask` shows its request in `dialog` and resolves to the payer's answer. */
export function useBank() {
  const [isAsking, setAsking] = useState(false);
  const reply = useRef<(answer: Awaited<ReturnType<AskBank>>) => void>(null);

  const ask: AskBank = () =>
    new Promise((resolve) => {
      reply.current = resolve;
      setAsking(true);
    });

  const dialog = isAsking && (
    <BankDialog
      onAnswer={(answer) => {
        setAsking(false);
        reply.current?.(answer);
      }}
    />
  );

  return { ask, dialog };
}
