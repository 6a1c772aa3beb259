import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  isBusy: boolean;
  busyText: string;
}

/**
 * A button that shows its progress with a label and a spinner, keeps the focus, and ignores further presses while it is
 * busy.
 */
export function BusyButton({ isBusy, busyText, children, leftSection, onClick, ...button }: BusyButtonProps) {
  return (
    <Button
      {...button}
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader size="xs" color="currentColor" aria-hidden="true" /> : leftSection}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? busyText : children}
    </Button>
  );
}

interface SubmitButtonProps {
  text: string;
  busyText: string;
  isBusy: boolean;
}

/** The submit button of a form. It shows progress with a spinner and stays focusable while the form is being sent. */
export function SubmitButton({ text, ...progress }: SubmitButtonProps) {
  return (
    <BusyButton {...progress} type="submit" size="md" fullWidth>
      {text}
    </BusyButton>
  );
}
