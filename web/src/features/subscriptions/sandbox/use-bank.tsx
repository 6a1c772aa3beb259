import { useRef, useState } from 'react';
import type { AskBank } from '../buying/payer.ts';
import { BankDialog } from './BankDialog.tsx';

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
