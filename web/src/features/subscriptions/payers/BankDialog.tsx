import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { useText } from '../../../ui/text/text.ts';
import type { AskBank } from './payer.ts';

type Answer = Awaited<ReturnType<AskBank>>;

/** The question that a real bank puts to its customer; closing it leaves the question open. */
export function BankDialog({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  const t = useText();
  return (
    <Dialog
      title={t('Your bank asks: is it you?')}
      size="narrow"
      onClose={() => onAnswer(null)}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer('refuse')}>
            {t('Refuse')}
          </Button>
          <Button onClick={() => onAnswer('approve')}>{t('Approve')}</Button>
        </>
      }
    >
      {t('Here your bank would send you a code or open its app. This is the test bank: approve or refuse the payment.')}
    </Dialog>
  );
}

/** The test bank: `ask` puts its question in `dialog`, and answers what the payer says to it. */
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
