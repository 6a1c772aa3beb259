import { Button, Loader } from '@mantine/core';

interface SubmitButtonProps {
  text: string;
  busyText: string;
  isBusy: boolean;
}

/** Sends the form; while that is in progress it says so, with a spinner, and stays focusable. */
export function SubmitButton({ text, busyText, isBusy }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      size="md"
      fullWidth
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader size="xs" color="currentColor" aria-hidden="true" /> : undefined}
    >
      {isBusy ? busyText : text}
    </Button>
  );
}
