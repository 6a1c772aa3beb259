import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { AppProviders } from '../../AppProviders.tsx';

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
