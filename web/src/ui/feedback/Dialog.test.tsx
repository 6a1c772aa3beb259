import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { AppProviders } from '../../AppProviders.tsx';
import * as z from 'zod/mini';
import { Surroundings } from '../../../test/render-app.tsx';
import { TextArea } from '../form/Field.tsx';
import { ChoiceGroup } from '../form/Form.tsx';
import { useForm } from '../form/use-form.ts';
import { FormDialog } from './FormDialog.tsx';

function Page() {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <AppProviders options={{ env: 'test' }}>
      <h1 tabIndex={-1}>Page</h1>
      <ul>
        <li>
          <button type="button">Other</button>
          <button type="button" disabled={isDone} onClick={() => setOpen(true)}>
            Open
          </button>
        </li>
      </ul>
      {isOpen && (
        <Dialog
          title="Really?"
          onClose={() => setOpen(false)}
          actions={
            <button
              type="button"
              onClick={() => {
                setDone(true);
                setOpen(false);
              }}
            >
              Do it
            </button>
          }
        >
          Think twice.
        </Dialog>
      )}
    </AppProviders>
  );
}

async function openDialog() {
  const person = userEvent.setup({ delay: null });
  render(<Page />);
  await person.click(screen.getByRole('button', { name: 'Open' }));
  return person;
}

describe('Dialog', () => {
  it('is named by its title, which takes the focus', async () => {
    await openDialog();
    expect(screen.getByRole('dialog', { name: 'Really?' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Really?' })).toHaveFocus();
  });

  it('keeps the focus inside on Tab and Shift+Tab', async () => {
    const person = await openDialog();
    await person.tab({ shift: true });
    expect(screen.getByRole('button', { name: 'Do it' })).toHaveFocus();
    await person.tab();
    expect(screen.getByRole('button', { name: 'Close dialog' })).toHaveFocus();
    await person.tab({ shift: true });
    expect(screen.getByRole('button', { name: 'Do it' })).toHaveFocus();
  });

  it('keeps the focus inside if its last control is hidden', async () => {
    render(
      <Dialog title="Bare" onClose={() => undefined}>
        <button type="button">Shown</button>
        <button type="button">Hidden</button>
      </Dialog>,
      { wrapper: Surroundings },
    );
    // There is no layout here.
    vi.spyOn(screen.getByText('Hidden'), 'getClientRects').mockReturnValue([] as unknown as DOMRectList);
    await userEvent.tab({ shift: true });
    expect(screen.getByRole('button', { name: 'Shown' })).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Close dialog' })).toHaveFocus();
  });

  it('closes on Escape and returns the focus', async () => {
    const person = await openDialog();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
  });

  it("returns the focus to the opener's row if the opener cannot take it", async () => {
    const person = await openDialog();
    await person.click(screen.getByRole('button', { name: 'Do it' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Other' })).toHaveFocus());
  });
});

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
      <ChoiceGroup
        type="radio"
        name="tone"
        legend="Tone"
        isRow="chips"
        chosen={['kind']}
        choices={[{ value: 'kind', label: 'Kind' }]}
        onChange={() => {}}
      />
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

  it('sends nothing on Enter on a chip, only on Ctrl+Enter', async () => {
    await userEvent.type(screen.getByLabelText('Text'), 'Hello');
    screen.getByRole('radio', { name: 'Kind' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(send).not.toHaveBeenCalled();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(send).toHaveBeenCalledOnce());
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
