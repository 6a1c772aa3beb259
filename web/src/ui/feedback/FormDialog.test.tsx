import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as z from 'zod/mini';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { TextArea } from '../form/Field.tsx';
import { useForm } from '../form/use-form.ts';
import { FormDialog } from './FormDialog.tsx';

const send = vi.fn<(body: { text: string }) => Promise<void>>();
const close = vi.fn();

function NoteDialog() {
  const form = useForm({
    initial: { text: '' },
    schema: z.object({ text: z.string().check(z.minLength(1, 'Write something')) }),
    toBody: (values) => values,
    send,
    onSent: close,
  });
  return (
    <FormDialog title="Note" form={form} sendText="Save" busyText="Saving..." onClose={close}>
      <TextArea label="Text" {...form.bind('text')} />
    </FormDialog>
  );
}

describe('FormDialog', () => {
  beforeEach(() => {
    send.mockReset().mockResolvedValue();
    close.mockReset();
    render(<NoteDialog />, { wrapper: Surroundings });
  });

  it('sends the form with its button and closes', async () => {
    await userEvent.type(screen.getByLabelText('Text'), 'Hello');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(send).toHaveBeenCalledWith({ text: 'Hello' });
  });

  it('sends the form only once on Ctrl+Enter', async () => {
    await userEvent.type(screen.getByLabelText('Text'), 'Hello{Control>}{Enter}{Enter}{/Control}');
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(send).toHaveBeenCalledOnce();
  });

  it('shows what is missing at the field and sends nothing', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByLabelText('Text')).toHaveAccessibleDescription('Write something');
    expect(send).not.toHaveBeenCalled();
  });

  it('stays open and shows the reason if sending fails', async () => {
    send.mockRejectedValue(Object.assign(new Error('Too late'), { status: 409 }));
    await userEvent.type(screen.getByLabelText('Text'), 'Hello{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Too late');
    expect(close).not.toHaveBeenCalled();
  });

  it('closes without sending on Cancel and Esc', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.keyboard('{Escape}');
    expect(close).toHaveBeenCalledTimes(2);
    expect(send).not.toHaveBeenCalled();
  });
});
