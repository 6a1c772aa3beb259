import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { MoreActions } from './MoreActions.tsx';

it('the menu closes after an action, a click and the focus elsewhere, and its button gets the focus back', async () => {
  const person = userEvent.setup();
  render(
    <MantineProvider>
      <MoreActions label="More">
        <button type="button">Rename</button>
      </MoreActions>
      <button type="button">Next</button>
    </MantineProvider>,
  );
  const menu = screen.getByRole('button', { name: 'More' });
  await person.click(menu);
  await person.click(screen.getByRole('button', { name: 'Rename' }));
  expect(menu).toHaveAttribute('aria-expanded', 'false');
  expect(menu).toHaveFocus();
  await person.click(menu);
  expect(menu).toHaveAttribute('aria-expanded', 'true');
  await person.click(document.body);
  expect(menu).toHaveAttribute('aria-expanded', 'false');
  await person.click(menu);
  await person.tab();
  expect(menu).toHaveAttribute('aria-expanded', 'true');
  await person.tab();
  expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  expect(menu).toHaveAttribute('aria-expanded', 'false');
});
