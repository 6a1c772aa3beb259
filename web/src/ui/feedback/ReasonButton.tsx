import { Button, type ButtonProps } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { DialogCommand } from './FormDialog.tsx';
import { LazyReasonDialog } from './LazyReasonDialog.tsx';

interface ReasonButtonProps extends Omit<ComponentProps<typeof LazyReasonDialog>, 'command' | 'onConfirm' | 'onClose'> {
  text: string;
  button?: ButtonProps;
  command: DialogCommand<string>;
}

/** A button for a command that needs a reason, with the dialog that asks for it. */
export function ReasonButton({ text, button, ...dialog }: ReasonButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && <LazyReasonDialog {...dialog} onClose={() => setAsking(false)} />}
    </>
  );
}
